// The foot of a terminal: the question that waits, if one does, and the row a person types in. Taken away before
// anything else is written and drawn again below it, so that nothing mangles what is typed. Pure: text out.
import { cutToWidth, lettersOf, textWidth } from "../../../std/text-width.ts";
import { plainText } from "../plain-text.ts";
import type { TypedLine } from "./typed-line.ts";

export type Size = { readonly columns: number; readonly rows: number };

/** How many rows text takes on a terminal of this width. */
export const rowsOf = (text: string, columns: number): number =>
  text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / columns)), 0);

/** Back to the row where the foot began, and everything from there on gone. */
export const eraseFoot = (rows: number): string =>
  rows === 0 ? "" : `\r${rows > 1 ? `\u001b[${rows - 1}A` : ""}\u001b[J`;

/** The row: its label, and as much of the line around the cursor as fits. */
export function drawRow(label: string, line: TypedLine, columns: number): string {
  const head = cutToWidth(label, Math.max(1, Math.floor(columns / 2)));
  const room = Math.max(4, columns - 1 - textWidth(head));
  const shown = line.letters.map((letter) =>
    letter === "\n" ? "↵" : letter === "\t" ? " " : lettersOf(plainText(letter)).join(""),
  );
  let from = line.cursor;
  let before = 0;
  while (from > 0 && before + textWidth(shown[from - 1] ?? "") <= room) before += textWidth(shown[--from] ?? "");
  let to = line.cursor;
  let after = 0;
  while (to < shown.length && before + after + textWidth(shown[to] ?? "") <= room)
    after += textWidth(shown[to++] ?? "");
  const at = textWidth(head) + before;
  return `${head}${shown.slice(from, to).join("")}\u001b[K\r${at > 0 ? `\u001b[${at}C` : ""}`;
}
