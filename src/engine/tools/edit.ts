// Edit: replaces an exact text in a file that was read.
import { type Static, Type } from "typebox";
import { type Planned, changeFile, fileToChange, problemOf } from "./change-file.ts";
import { type CheckWorld, defineTool } from "./define-tool.ts";
import { pathReach } from "./path-reach.ts";
import { judgedPath } from "./judged-path.ts";
import { replaceBytes } from "./replace-bytes.ts";

const input = Type.Object(
  {
    file_path: Type.String({ minLength: 1 }),
    old_string: Type.String(),
    new_string: Type.String(),
    replace_all: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

export const edit = defineTool({
  name: "Edit",
  description:
    "Replaces old_string by new_string in a file that was Read. old_string must match exactly, without line numbers, and be unique unless replace_all.",
  input,
  timeoutMs: 60_000,
  reach: (world, { file_path: path }) => pathReach(world, "write", path),
  check: async (world, wanted) => problemOf(await plan(world, wanted)),
  run: async (world, wanted) => changeFile(world, await plan(world, wanted)),
});

async function plan(world: CheckWorld, wanted: Static<typeof input>): Promise<Planned> {
  const { file_path: shown, old_string: from, new_string: to, replace_all: all } = wanted;
  const path = judgedPath(world);
  const before = await fileToChange(world, path);
  if (typeof before === "string") return { problem: `${shown} ${before}` };
  if (from === to) return { problem: "old_string and new_string are the same: nothing to change" };
  if (from === "") {
    if (before && before.bytes.length > 0)
      return { problem: "old_string is empty: give the text to replace, or use Write" };
    return { path, shown, before, bytes: new TextEncoder().encode(to) };
  }
  if (!before) return { problem: `${shown} does not exist` };
  const { bytes, count } = replaceBytes(before.bytes, from, to);
  if (count === 0) return { problem: `old_string is not in ${shown}: it must match exactly, white space included` };
  if (count > 1 && !all)
    return { problem: `old_string is ${count} times in ${shown}: give more of its surroundings, or set replace_all` };
  return { path, shown, before, bytes };
}
