// Whether a prompt begins like a command of a conversation (`/name …`), which is never for a model. Pure.

/** The word; undefined where the text is a prompt. A first word with a further slash is a path. */
export function slashWord(text: string): string | undefined {
  const [first = ""] = text.trimStart().split(/\s/, 1);
  return /^\/[A-Za-z][\w:.-]*$/.test(first) ? first : undefined;
}

/** `//name …` is a prompt that begins with `/name`. */
export const withoutEscape = (text: string): string => {
  const from = text.length - text.trimStart().length;
  return text.startsWith("//", from) && slashWord(text.slice(from + 1)) !== undefined ? text.slice(from + 1) : text;
};
