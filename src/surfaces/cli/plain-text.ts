// Text of models, tools and files made safe for a terminal: control characters are shown, not obeyed.
export function plainText(value: string): string {
  // eslint-disable-next-line no-control-regex
  return value.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, show);
}

const show = (char: string): string => {
  if (char === "\r") return "\\r";
  if (char === "\u001b") return "\\e";
  const code = char.charCodeAt(0);
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
};

/** One line of at most `max` characters. */
export function oneLine(value: string, max: number): string {
  const line = plainText(value.replace(/\s+/g, " ").trim());
  return line.length <= max ? line : `${line.slice(0, max - 1)}…`;
}
