// A unified diff as the lines of the new files with their places. Tolerant: what is no diff has no lines.
export type SourceLine = {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** It stands beside the change and is no part of it. */
  readonly around?: true;
};
export type Diff = {
  readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
  readonly lines: readonly SourceLine[];
};

/** Where a diff begins in a text that may have words before it; -1 when there is none. */
export const diffStart = (text: string): number =>
  text.search(/^(?:diff --(?:git|cc|combined) |--- .{1,500}\n\+\+\+ )/m);

const LINE_CHARS = 2_000;

export function parseDiff(text: string): Diff {
  const files: { path: string; added: number; removed: number }[] = [];
  const lines: SourceLine[] = [];
  let line = 0;
  // What a hunk still owes, from its header: only these counts tell a removed `-- x` from a file's header.
  let left = { old: 0, new: 0 };
  for (const whole of text.split("\n")) {
    const raw = whole.slice(0, LINE_CHARS);
    const file = files.at(-1);
    if (file && (left.old > 0 || left.new > 0)) {
      if (raw.startsWith("+")) {
        lines.push({ path: file.path, line, text: raw.slice(1) });
        file.added++;
      }
      if (raw.startsWith("-")) file.removed++;
      const both = !raw.startsWith("+") && !raw.startsWith("-") && !raw.startsWith("\\");
      if (both) lines.push({ path: file.path, line, text: raw.slice(1), around: true });
      if (both || raw.startsWith("+")) line++;
      left = {
        old: left.old - Number(both || raw.startsWith("-")),
        new: left.new - Number(both || raw.startsWith("+")),
      };
      continue;
    }
    const opened = /^\+\+\+ (?:"?[a-z]\/)?(.{1,500}?)"?\s*$/.exec(raw)?.[1];
    if (opened !== undefined) files.push({ path: opened, added: 0, removed: 0 });
    const hunk = /^@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@/.exec(raw);
    if (!hunk) continue;
    line = Number(hunk[2]);
    left = { old: Number(hunk[1] ?? 1), new: Number(hunk[3] ?? 1) };
  }
  return { files, lines };
}
