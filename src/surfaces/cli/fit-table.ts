// Rows in aligned columns that fit a terminal: what matters least is cut first, then left out. Without a width nothing is.

export type Column = {
  readonly head: string;
  readonly right?: boolean;
  /** It may be cut to so many characters. Columns that must be typed again have none. */
  readonly least?: number;
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
  const natural = columns.map((_, at) => Math.max(0, ...rows.map((row) => row[at]?.text.length ?? 0)));
  const widths = width === undefined ? natural : fitted(columns, natural, width);
  const last = widths.findLastIndex((one) => one !== undefined);
  return rows.map((row) =>
    row
      .flatMap(({ text, paint = plain }, at) => {
        const room = widths[at];
        if (room === undefined) return [];
        const shown = text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1))}…`;
        const space = " ".repeat(room - shown.length);
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
  return widths;
}

const plain = (text: string): string => text;

/** How wide a person's terminal is; undefined where nobody looks: what goes to a file or a program is never cut. */
export const terminalWidth = (stream: { isTTY?: boolean; columns?: number } = process.stdout): number | undefined =>
  stream.isTTY === true && stream.columns !== undefined && stream.columns > 0 ? stream.columns : undefined;
