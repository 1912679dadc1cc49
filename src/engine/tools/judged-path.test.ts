import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { textOf } from "../../core/messages.ts";
import type { JsonObject } from "../../core/json.ts";
import { expect, test } from "vitest";
import { toolWorld } from "../../../test/tool-world.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";

/** The call is judged, then `meanwhile` happens, then it runs. */
async function raced(tool: string, input: JsonObject, meanwhile: (outside: string, inside: string) => void) {
  const w = await toolWorld();
  const outside = await tempDir();
  writeFileSync(outside.join("a.txt"), "a secret\n");
  mkdirSync(w.join("sub"));
  writeFileSync(w.join("sub", "a.txt"), "harmless\n");
  symlinkSync(w.join("sub", "a.txt"), w.join("door"));
  await w.said("Read", { file_path: "sub/a.txt" });
  const outcome = await w.call(tool, input, () => meanwhile(outside.path, w.dir.path));
  return { ok: outcome.ok, said: textOf(outcome.said), outside: readFileSync(outside.join("a.txt"), "utf8"), w };
}

const linkFolder = (outside: string, inside: string): void => {
  renameSync(`${inside}/sub`, `${inside}/away`);
  symlinkSync(outside, `${inside}/sub`);
};

test("P.F03: a link that is laid elsewhere after the judgement changes nothing: what was judged is read", async () => {
  const { said } = await raced("Read", { file_path: "door" }, (outside, inside) => {
    rmSync(`${inside}/door`);
    symlinkSync(`${outside}/a.txt`, `${inside}/door`);
  });
  expect(said).toContain("harmless");
});

test("P.F03: a folder that became a link after the judgement leads nowhere, for reading, listing and searching", async () => {
  for (const [tool, input] of [
    ["Read", { file_path: "sub/a.txt" }],
    ["LS", { path: "sub" }],
    ["Grep", { pattern: "secret", path: "sub" }],
  ] as const) {
    const { ok, said } = await raced(tool, input, linkFolder);
    expect({ tool, ok, said }).toMatchObject({ ok: false });
    expect(said).not.toMatch(/secret/);
  }
});

test("P.F03: a folder that became a link after the judgement takes no write", async () => {
  for (const [tool, input] of [
    ["Write", { file_path: "sub/a.txt", content: "overwritten" }],
    ["Write", { file_path: "sub/new.txt", content: "planted" }],
    ["Edit", { file_path: "sub/a.txt", old_string: "harmless", new_string: "x" }],
  ] as const) {
    const { ok, said, outside, w } = await raced(tool, input, linkFolder);
    expect({ ok, said }).toMatchObject({ ok: false, said: expect.stringMatching(/moved meanwhile|not been read/) });
    expect(outside).toBe("a secret\n");
    expect(existsSync(w.join("sub", "new.txt"))).toBe(false);
  }
});
