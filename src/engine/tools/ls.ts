// LS: the names in one folder.
import { Type } from "typebox";
import { text } from "../../core/messages.ts";
import type { Entry } from "../../ports/workspace.ts";
import { defineTool } from "./define-tool.ts";
import { pathReach } from "./path-reach.ts";
import { judgedPath, movedMeanwhile } from "./judged-path.ts";

const MOST_SHOWN = 1_000;

export const ls = defineTool({
  name: "LS",
  description: "Lists a folder, one level. Folders end in /, links in @.",
  input: Type.Object(
    {
      path: Type.String(),
      ignore: Type.Optional(
        Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10, description: "Globs of names to leave out" }),
      ),
    },
    { additionalProperties: false },
  ),
  repeatable: true,
  parallel: true,
  timeoutMs: 10_000,
  reach: (world, input) => pathReach(world, "read", input.path),
  run: async (world, input) => {
    const path = judgedPath(world);
    const listing = await world.workspace.list(path, input.ignore ?? [], world.signal);
    if (!listing.ok) return { ok: false, why: "failed", said: [text(`${input.path} ${listing.problem}`)] };
    const moved = await movedMeanwhile(world, path);
    if (moved) return moved;
    const { entries } = listing;
    const lines = entries.slice(0, MOST_SHOWN).map(entryText);
    if (listing.more) lines.push(`[more than ${entries.length} names; shown are the first ${lines.length}: use Glob]`);
    else if (entries.length > MOST_SHOWN) lines.push(`[${entries.length - MOST_SHOWN} more names: use Glob]`);
    const said = lines.length === 0 ? "[the folder is empty]" : lines.join("\n");
    return { ok: true, said: [text(said)], facts: { read: { path } } };
  },
});

const ENDING = { file: "", folder: "/", link: "@", other: "" } as const;
const entryText = (entry: Entry): string => `${entry.name}${ENDING[entry.kind]}`;
