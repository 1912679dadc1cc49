// Rows in aligned columns that fit a terminal: what matters least is cut first, then left out; at the last everything
// is cut but what must be typed again. Without a width nothing is.
import { cutToWidth, textWidth } from "../../std/text-width.ts";

export type Column = {
  readonly head: string;
  readonly right?: boolean;
  /** It may be cut to so many columns before another goes. */
  readonly least?: number;
  /** It must be typed again: it is never cut. */
  readonly whole?: true;
  /** Where cutting is not enough, columns go in this order; one without stays. */
  readonly goes?: number;
};
export type Cell = { readonly text: string; readonly paint?: (text: string) => string };

const GAP = 2;

export function fitTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number | undefined,
): string[] {
  const natural = columns.map((_, at) => Math.max(0, ...rows.map((row) => textWidth(row[at]?.text ?? ""))));
  const widths = width === undefined ? natural : fitted(columns, natural, width);
  const last = widths.findLastIndex((one) => one !== undefined);
  return rows.map((row) =>
    row
      .flatMap(({ text, paint = plain }, at) => {
        const room = widths[at];
        if (room === undefined) return [];
        const shown = cutToWidth(text, room);
        const space = " ".repeat(room - textWidth(shown));
        return [columns[at]?.right ? space + paint(shown) : paint(shown) + (at === last ? "" : space)];
      })
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

/** The width of each column; undefined: it is left out. */
function fitted(columns: readonly Column[], natural: readonly number[], width: number): (number | undefined)[] {
  const widths: (number | undefined)[] = [...natural];
  const over = (): number => {
    const shown = widths.filter((one) => one !== undefined);
    return shown.reduce((sum, one) => sum + one, GAP * (shown.length - 1)) - width;
  };
  const cut = (): void => {
    for (let at = columns.length - 1; at >= 0; at--) {
      const [room, least] = [widths[at], columns[at]?.least];
      if (room !== undefined && least !== undefined && room > least)
        widths[at] = Math.max(least, room - Math.max(0, over()));
    }
  };
  cut();
  const leaving = [...columns.keys()].filter((at) => columns[at]?.goes !== undefined);
  for (const at of leaving.toSorted((a, b) => (columns[a]?.goes ?? 0) - (columns[b]?.goes ?? 0))) {
    if (over() <= 0) break;
    widths[at] = undefined;
  }
  while (over() > 0) {
    const widest = [...columns.keys()]
      .filter((at) => !columns[at]?.whole && (widths[at] ?? 0) > LEAST)
      .toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** What says less than this says nothing. */
const LEAST = 3;

const plain = (text: string): string => text;

/** How wide a person's terminal is; undefined where nobody looks: what goes to a file or a program is never cut. */
export const terminalWidth = (stream: { isTTY?: boolean; columns?: number } = process.stdout): number | undefined =>
  stream.isTTY === true && stream.columns !== undefined && stream.columns > 0 ? stream.columns : undefined;
