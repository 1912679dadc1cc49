// Whether a word is most likely a provider's key: such a word is never taken for a command, and never shown.
export function looksLikeKey(word: string): boolean {
  const given = word.trim();
  if (/\s/.test(given)) return false;
  if (/^(sk-|sk_|AIza|gsk_|xai-|key-|AQ\.)[\w.-]{6,}$/.test(given)) return true;
  // A program's name has no digits between its letters over such a length; a path has slashes at its start.
  const mixed = /\d/.test(given) && /[A-Za-z]/.test(given) && !areWords(given);
  return mixed && /^[\w+=.-][\w+/=.-]{23,}$/.test(given) && !/^\.{1,2}\//.test(given);
}

/** As in `scripts/print-claude-key-v2.sh`: digits stand only behind a word. */
const areWords = (given: string): boolean =>
  given.split(/[-_/.]+/).every((part) => /^([a-z]+\d{0,2}|\d{0,2})$/.test(part));

/** The text, with each word that looks like a key left out. */
export const withoutKeys = (text: string): string =>
  text.replace(/[\w+/=.-]{8,}/g, (word) => (looksLikeKey(word) ? "[masked]" : word));
