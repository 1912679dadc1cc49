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

/** JSON in which nothing is left that a terminal obeys or hides: what JSON itself does not escape is escaped. */
export const plainJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(HIDDEN, (char) =>
    char === "\n"
      ? char
      : Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
          "",
        ),
  );

const MOST_CHARS = 1_000;
const END_CHARS = 300;

/** An error in one line, however much of what was wrong it repeats: its middle gives way, its end says what to do. */
export function errorLine(message: string): string {
  const line = plainText(message.length <= 4 * MOST_CHARS ? message : cutMiddle(message, 4 * MOST_CHARS));
  return line.length <= MOST_CHARS ? line : cutMiddle(line, MOST_CHARS);
}

const cutMiddle = (text: string, most: number): string =>
  `${text.slice(0, most - END_CHARS)}… (${text.length - most} characters left out) …${text.slice(-END_CHARS)}`.toWellFormed();
