// How many columns of a terminal a text takes, and as much of a text as fits into some.

const ASCII = /^[\x20-\x7e]*$/;
/** What terminals draw over two columns: East Asian wide and full-width characters, and pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const letter of lettersOf(text)) width += letterWidth(letter);
  return width;
}

/** Characters as a person counts them. */
export const lettersOf = (text: string): string[] =>
  ASCII.test(text) ? [...text] : Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

/** Its beginning, in at most so many columns; what is cut ends in `…`. */
export function cutToWidth(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let shown = "";
  let width = 1;
  for (const letter of lettersOf(text)) {
    width += letterWidth(letter);
    if (width > columns) break;
    shown += letter;
  }
  return columns < 1 ? "" : `${shown}…`;
}

const letterWidth = (letter: string): number => (WIDE.test(letter) ? 2 : /^\p{M}+$/u.test(letter) ? 0 : 1);
