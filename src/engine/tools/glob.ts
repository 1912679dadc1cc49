// Glob: files by name.
import { Type } from "typebox";
import { text } from "../../core/messages.ts";
import { defineTool } from "./define-tool.ts";
import { foundText } from "./found-text.ts";
import { pathReach } from "./path-reach.ts";
import { judgedPath, movedMeanwhile } from "./judged-path.ts";
import { selectFiles } from "./select-files.ts";

const MOST = 200;

export const glob = defineTool({
  name: "Glob",
  description: 'Finds files by glob, such as "src/**/*.ts"; ignored files are left out.',
  input: Type.Object(
    {
      pattern: Type.String({ minLength: 1, maxLength: 1_000 }),
      path: Type.Optional(Type.String({ description: "Folder to begin in" })),
    },
    { additionalProperties: false },
  ),
  repeatable: true,
  parallel: true,
  timeoutMs: 30_000,
  reach: (world, input) => pathReach(world, "read", rootOf(input)),
  run: async (world, input) => {
    const root = judgedPath(world);
    const { select } = selectFiles(input.pattern);
    const facts = { search: { tool: "Glob", pattern: input.pattern } };
    const found = await world.search.files({ root, select, most: MOST }, world.signal);
    if (!found.ok) return { ok: false, why: "failed", said: [text(`${root}: ${found.problem}`)], facts };
    const moved = await movedMeanwhile(world, root);
    if (moved) return moved;
    return { ok: true, said: [text(foundText(found, world, "no files"))], facts };
  },
});

type Asked = { readonly pattern: string; readonly path?: string };

/** Where the search begins. */
export function rootOf({ pattern, path }: Asked): string {
  const { folder } = selectFiles(pattern);
  if (folder.startsWith("/")) return folder;
  return [path ?? ".", folder].filter((part) => part !== "").join("/");
}
