// Grep: lines or files by a regular expression.
import { type Static, Type } from "typebox";
import { text } from "../../core/messages.ts";
import { defineTool } from "./define-tool.ts";
import { foundText } from "./found-text.ts";
import { rootOf } from "./glob.ts";
import { pathReach } from "./path-reach.ts";
import { judgedPath, movedMeanwhile } from "./judged-path.ts";
import { selectFiles } from "./select-files.ts";

const DEFAULT_MOST = 200;
const MOST = 2_000;
const lines = (): ReturnType<typeof Type.Integer> => Type.Integer({ minimum: 0, maximum: 1_000 });
const MODES = { content: "content", files_with_matches: "files", count: "count" } as const;

const Input = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 10_000, description: "Regular expression (ripgrep)" }),
    path: Type.Optional(Type.String({ description: "File or folder" })),
    glob: Type.Optional(Type.String({ maxLength: 1_000 })),
    type: Type.Optional(Type.String({ maxLength: 50, description: "ts, py, ..." })),
    output_mode: Type.Optional(
      Type.Union([Type.Literal("content"), Type.Literal("files_with_matches"), Type.Literal("count")]),
    ),
    "-A": Type.Optional(lines()),
    "-B": Type.Optional(lines()),
    "-C": Type.Optional(lines()),
    "-n": Type.Optional(Type.Boolean()),
    "-i": Type.Optional(Type.Boolean()),
    head_limit: Type.Optional(Type.Integer({ minimum: 0 })),
    multiline: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export const grep = defineTool({
  name: "Grep",
  description: "Searches file contents; ignored files are left out. output_mode is files_with_matches unless given.",
  input: Input,
  repeatable: true,
  parallel: true,
  timeoutMs: 30_000,
  reach: (world, input) => pathReach(world, "read", searched(input)),
  run: async (world, input) => {
    const root = judgedPath(world);
    const facts = { search: { tool: "Grep", pattern: input.pattern } };
    const found = await world.search.grep(queryOf(input, root), world.signal);
    if (!found.ok) return { ok: false, why: "failed", said: [text(found.problem)], facts };
    const moved = await movedMeanwhile(world, root);
    if (moved) return moved;
    return { ok: true, said: [text(foundText(found, world, "no matches"))], facts };
  },
});

const searched = (input: Static<typeof Input>): string =>
  rootOf({ pattern: input.glob ?? "", ...(input.path !== undefined && { path: input.path }) });

function queryOf(input: Static<typeof Input>, root: string) {
  const around = input["-C"] ?? 0;
  return {
    root,
    select: selectFiles(input.glob ?? "").select,
    most: Math.min(input.head_limit || DEFAULT_MOST, MOST),
    pattern: input.pattern,
    ...(input.type !== undefined && { type: input.type }),
    mode: MODES[input.output_mode ?? "files_with_matches"],
    before: input["-B"] ?? around,
    after: input["-A"] ?? around,
    lineNumbers: input["-n"] ?? true,
    ignoreCase: input["-i"] ?? false,
    multiline: input.multiline ?? false,
  };
}
