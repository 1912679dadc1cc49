// Whether a prompt begins like a command of a conversation (`/name …`), which is never for a model. Pure.

/** The word; undefined where the text is a prompt. A first word with a further slash is a path. */
export function slashWord(text: string): string | undefined {
  const [first = ""] = text.trimStart().split(/\s/, 1);
  return /^\/[A-Za-z][\w:.-]*$/.test(first) ? first : undefined;
}

/** `//name …` is a prompt that begins with `/name`. Several lines are a text of their own, such as a file that begins with a comment. */
export const withoutEscape = (text: string): string => {
  const from = text.length - text.trimStart().length;
  if (text.trim().includes("\n")) return text;
  return text.startsWith("//", from) && slashWord(text.slice(from + 1)) !== undefined ? text.slice(from + 1) : text;
};
