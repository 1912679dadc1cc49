// Puts words together as a page shows them: runs of white space are one space, blocks begin on lines of their own.
export type TextFlow = {
  text(value: string): void;
  /** Stands at the start of the next text, such as the dash of a list. */
  mark(value: string): void;
  line(): void;
  paragraph(): void;
  /** Keeps white space as it is, as code needs it. */
  verbatim(on: boolean): void;
  finish(): string;
};

export function createTextFlow(): TextFlow {
  const out: string[] = [];
  let breaks = 2;
  let owed = 0;
  let space = false;
  let mark = "";
  let exact = false;

  const put = (value: string): void => {
    const missing = Math.max(0, owed - breaks);
    if (missing > 0 && out.length > 0) out.push("\n".repeat(missing));
    const atStart = missing > 0 || breaks > 0;
    out.push(`${mark}${space && !atStart && mark === "" ? " " : ""}${value}`);
    [breaks, owed, space, mark] = [0, 0, false, ""];
  };

  return {
    text(value) {
      if (exact) {
        if (value === "") return;
        put(value);
        breaks = /\n*$/.exec(value.slice(-4))?.[0].length ?? 0;
        return;
      }
      const words = value.replace(/\s+/g, " ");
      const trimmed = words.trim();
      if (words.startsWith(" ")) space = true;
      if (trimmed === "") return;
      put(trimmed);
      space = words.endsWith(" ");
    },
    mark: (value) => void (mark = value),
    line: () => void (owed = Math.max(owed, 1)),
    paragraph: () => void (owed = 2),
    verbatim: (on) => void (exact = on),
    finish: () => out.join("").trim(),
  };
}
