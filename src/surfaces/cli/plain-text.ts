// Text of models, tools and files made safe for a terminal: control characters are shown, not obeyed.
export const plainText = (value: string): string => value.replace(HIDDEN, show);

/** Control characters but for tab and line's end, what turns the direction of writing, what does not show, half characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

const show = (char: string): string => {
  if (char === "\t" || char === "\n") return char;
  if (char === "\r") return "\\r";
  if (char === "\u001b") return "\\e";
  const code = char.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
};

/** One line of at most `max` characters. */
export function oneLine(value: string, max: number): string {
  const line = plainText(value.replace(/\s+/g, " ").trim());
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
