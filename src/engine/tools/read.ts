// Read: lines of a text file, numbered.
import { Type } from "typebox";
import { text } from "../../core/messages.ts";
import { defineTool } from "./define-tool.ts";

const LINES = 2_000;
const LINE_CHARS = 2_000;

export const read = defineTool({
  name: "Read",
  description: `Reads a text file, numbered like "cat -n". Gives up to ${LINES} lines from offset; read on with a larger offset.`,
  input: Type.Object(
    {
      file_path: Type.String({ description: "Absolute, or relative to the folder" }),
      offset: Type.Optional(Type.Integer({ minimum: 1, description: "First line, from 1" })),
      limit: Type.Optional(Type.Integer({ minimum: 1, description: "How many lines" })),
    },
    { additionalProperties: false },
  ),
  repeatable: true,
  parallel: true,
  timeoutMs: 20_000,
  reach: async ({ workspace }, input) => [{ may: "read", path: await workspace.resolve(input.file_path) }],
  run: async ({ workspace, signal }, input) => {
    const path = await workspace.resolve(input.file_path);
    const slice = await workspace.readLines(path, input.offset ?? 1, Math.min(input.limit ?? LINES, LINES), signal);
    if (!slice.ok) return { ok: false, why: "failed", said: [text(`${input.file_path}: ${slice.problem}`)] };
    const facts = { read: { path } };
    if (slice.lines.length === 0) {
      const empty = slice.from === 1 ? "the file is empty" : `the file has fewer than ${slice.from} lines`;
      return { ok: true, said: [text(`[${empty}]`)], facts };
    }
    const shown = slice.lines.map((line, at) => `${String(slice.from + at).padStart(6)}\t${cut(line)}`);
    if (slice.more) shown.push(`[more lines follow: read on with offset ${slice.from + slice.lines.length}]`);
    return { ok: true, said: [text(shown.join("\n"))], facts };
  },
});

const cut = (line: string): string =>
  line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS)} [… ${line.length - LINE_CHARS} more characters]`;
