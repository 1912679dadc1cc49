// What is shown of edits, line by line, where names could be mistaken for one another.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../testing/memory/temp-dir.ts";
import type { ChangedFile, Changes } from "./changes.ts";
import { diffOf } from "./changes-diff.ts";

test("D4: a file outside of the folder and one inside that has the same names to it are both shown", async () => {
  await using project = await tempDir();
  await using elsewhere = await tempDir();
  const outside = elsewhere.join("notes.txt");
  const inside = join(project.path, outside);
  mkdirSync(dirname(inside), { recursive: true });
  writeFileSync(outside, "from outside\n");
  writeFileSync(inside, "from inside\n");
  const files = [inside, outside].map((path) => ({ path, before: null }) as ChangedFile);
  const shown = await diffOf(project.path, { session: "agent-1", cwd: project.path } as Changes, files);
  expect(shown).toEqual({ diff: expect.stringMatching(/\+\+\+ b\/\(outside\)\/[^]*\+from outside[^]*\+from inside/) });
});
