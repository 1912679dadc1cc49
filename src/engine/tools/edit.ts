// Edit: replaces an exact text in a file that was read.
import { Type } from "typebox";
import { changeFile, failed, fileToChange } from "./change-file.ts";
import { defineTool } from "./define-tool.ts";
import { pathReach } from "./path-reach.ts";
import { judgedPath } from "./judged-path.ts";
import { replaceBytes } from "./replace-bytes.ts";

export const edit = defineTool({
  name: "Edit",
  description:
    "Replaces old_string by new_string in a file that was Read. old_string must match exactly, without line numbers, and be unique unless replace_all.",
  input: Type.Object(
    {
      file_path: Type.String({ minLength: 1 }),
      old_string: Type.String(),
      new_string: Type.String(),
      replace_all: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  timeoutMs: 60_000,
  reach: (world, input) => pathReach(world, "write", input.file_path),
  run: async (world, input) => {
    const { file_path: shown, old_string: from, new_string: to } = input;
    const path = judgedPath(world);
    const before = await fileToChange(world, path);
    if (typeof before === "string") return failed(`${shown} ${before}`);
    if (from === to) return failed("old_string and new_string are the same: nothing to change");
    if (from === "") {
      if (before && before.bytes.length > 0)
        return failed("old_string is empty: give the text to replace, or use Write");
      return changeFile(world, { path, shown }, before, new TextEncoder().encode(to));
    }
    if (!before) return failed(`${shown} does not exist`);
    const { bytes, count } = replaceBytes(before.bytes, from, to);
    if (count === 0) return failed(`old_string is not in ${shown}: it must match exactly, white space included`);
    if (count > 1 && !input.replace_all)
      return failed(`old_string is ${count} times in ${shown}: give more of its surroundings, or set replace_all`);
    return changeFile(world, { path, shown }, before, bytes);
  },
});
