// Read: lines of a text file, numbered; or a picture, for models that can look at it.
import { Type } from "typebox";
import { text } from "../../core/messages.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import { type ToolWorld, defineTool } from "./define-tool.ts";
import { MOST_IMAGE_BYTES, imagePart, looksLikeImage } from "./image-file.ts";
import { pathReach } from "./path-reach.ts";
import { judgedPath } from "./judged-path.ts";

const LINES = 2_000;
const LINE_CHARS = 2_000;

export const read = defineTool({
  name: "Read",
  description: `Reads a text file, numbered like "cat -n", up to ${LINES} lines from offset; or a picture (png, jpg, gif, webp).`,
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
  reach: (world, input) => pathReach(world, "read", input.file_path),
  run: async (world, input) => {
    const { workspace, signal } = world;
    const path = judgedPath(world);
    if (looksLikeImage(path)) return readImage(world, path, input.file_path);
    const slice = await workspace.readLines(path, input.offset ?? 1, Math.min(input.limit ?? LINES, LINES), signal);
    if (!slice.ok) return failed(`${input.file_path}: ${slice.problem}`);
    world.files.saw(path, slice.version);
    const facts = { read: { path, version: slice.version } };
    if (slice.lines.length === 0) {
      const empty = slice.from === 1 ? "the file is empty" : `the file has fewer than ${slice.from} lines`;
      return { ok: true, said: [text(`[${empty}]`)], facts };
    }
    const shown = slice.lines.map((line, at) => `${String(slice.from + at).padStart(6)}\t${cut(line)}`);
    if (slice.more) shown.push(`[more lines follow: read on with offset ${slice.from + slice.lines.length}]`);
    return { ok: true, said: [text(shown.join("\n"))], facts };
  },
});

async function readImage({ workspace, signal }: ToolWorld, path: string, shown: string): Promise<ToolOutcome> {
  const file = await workspace.readWhole(path, MOST_IMAGE_BYTES, signal);
  if (!file.ok) return failed(`${shown}: ${file.problem}`);
  const image = imagePart(file.bytes);
  if (!image) return failed(`${shown}: is not a picture or PDF, whatever its name says`);
  return { ok: true, said: [text(`[${shown}, ${file.bytes.length} bytes]`), image], facts: { read: { path } } };
}

const failed = (why: string): ToolOutcome => ({ ok: false, why: "failed", said: [text(why)] });

const cut = (line: string): string =>
  line.length <= LINE_CHARS ? line : `${line.slice(0, LINE_CHARS)} [… ${line.length - LINE_CHARS} more characters]`;
