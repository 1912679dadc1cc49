// Write: a whole file, new or in place of one that was read.
import { Type } from "typebox";
import { changeFile, failed, fileToChange } from "./change-file.ts";
import { defineTool } from "./define-tool.ts";
import { pathReach } from "./path-reach.ts";
import { judgedPath } from "./judged-path.ts";

export const write = defineTool({
  name: "Write",
  description: "Writes a whole file; folders are made as needed. An existing file must have been Read before.",
  input: Type.Object(
    { file_path: Type.String({ minLength: 1 }), content: Type.String() },
    { additionalProperties: false },
  ),
  timeoutMs: 60_000,
  reach: (world, input) => pathReach(world, "write", input.file_path),
  run: async (world, input) => {
    const path = judgedPath(world);
    const before = await fileToChange(world, path);
    if (typeof before === "string") return failed(`${input.file_path} ${before}`);
    return changeFile(world, { path, shown: input.file_path }, before, new TextEncoder().encode(input.content));
  },
});
