import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { gitFinding } from "./program-findings.ts";

test("P.B06: git that stands only in a folder of PATH is named and neither used nor started", async () => {
  await using dir = await tempDir();
  writeFileSync(dir.join("git"), `#!/bin/sh\necho started > '${dir.join("log")}'\n`, { mode: 0o755 });
  const none = (): undefined => undefined;
  const found = await gitFinding(`relative:${dir.path}`, none);
  expect(found).toMatchObject({ is: "missing", says: expect.stringContaining(`git is only at ${dir.join("git")}, `) });
  expect((await gitFinding("", none)).says).toContain("git is not installed");
  expect((await gitFinding(dir.path)).says).toContain("git version");
});
