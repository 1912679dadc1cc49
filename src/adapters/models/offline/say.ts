// How answers are worded: places, lists and code, always the same way.
import type { Range } from "./outputs.ts";

export const place = (path: string, from: number, to = from): string =>
  to > from ? `${path}:${from}-${to}` : `${path}:${from}`;

/** "12 lines", or which of them: nobody is told that more was read than was shown. */
export function linesShown(shown: readonly Range[], more: boolean): string {
  const count = shown.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const whole = shown.length <= 1 && (shown[0]?.from ?? 1) === 1;
  if (whole && !more) return plural(count, "line");
  const ranges = shown.map(({ from, to }) => (to > from ? `${from}-${to}` : `${from}`)).join(", ");
  return `only lines ${ranges} seen`;
}

/** Empty when there is nothing to list. */
export function listed(title: string, items: readonly string[], more = 0): string {
  if (items.length === 0) return "";
  return [title, ...items.map((item) => `- ${item}`), ...(more > 0 ? [`- … and ${more} more`] : [])].join("\n");
}

export const quotedWords = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(", ");

/** Numbered, and fenced so that nothing in it can end the fence. */
export function code(path: string, lines: readonly string[], from: number, most: number): string {
  const shown = lines.slice(0, most).map((line, at) => `${String(from + at).padStart(5)}  ${line.slice(0, 160)}`);
  if (lines.length > most) shown.push(`       … ${lines.length - most} more lines`);
  const fence = shown.some((line) => line.includes("```")) ? "~~~~~~" : "```";
  return [`${fence}${endingOf(path)}`, ...shown, fence].join("\n");
}

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const endingOf = (path: string): string => /\.(\w{1,10})$/.exec(path)?.[1] ?? "";
