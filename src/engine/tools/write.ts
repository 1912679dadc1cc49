// Write: a whole file, new or in place of one that was read.
import { type Static, Type } from "typebox";
import { type Planned, changeFile, fileToChange, problemOf } from "./change-file.ts";
import { type CheckWorld, defineTool } from "./define-tool.ts";
import { pathReach } from "./path-reach.ts";
import { judgedPath } from "./judged-path.ts";

const input = Type.Object(
  { file_path: Type.String({ minLength: 1 }), content: Type.String() },
  { additionalProperties: false },
);

export const write = defineTool({
  name: "Write",
  description: "Writes a whole file; folders are made as needed. An existing file must have been Read before.",
  input,
  timeoutMs: 60_000,
  reach: (world, { file_path: path }) => pathReach(world, "write", path),
  check: async (world, wanted) => problemOf(await plan(world, wanted)),
  run: async (world, wanted) => changeFile(world, await plan(world, wanted)),
});

async function plan(world: CheckWorld, wanted: Static<typeof input>): Promise<Planned> {
  const { file_path: shown, content } = wanted;
  const path = judgedPath(world);
  const before = await fileToChange(world, path);
  if (typeof before === "string") return { problem: `${shown} ${before}` };
  return { path, shown, before, bytes: new TextEncoder().encode(content) };
}
