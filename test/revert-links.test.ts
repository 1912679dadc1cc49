// Links of a project, replaced, removed and made by an agent in a copy: taking back brings each as it was.
import { lstatSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { project, spawn, yolo } from "./workspace-kit.ts";

test("D4: revert brings back links that were replaced or removed, and takes away those that were made", async () => {
  const command = "rm lk; echo real > lk; rm gone; ln -s b.txt made; rm a.txt; ln -s b.txt a.txt; ln -sfn c.txt turned";
  await using w = await project({
    "build it": [calls("Bash", { command }), says("built")],
    "the lead": [callsAll(spawn("build it", { isolation: "worktree" })), says("ok")],
  });
  const at = (name: string): string => join(w.top, name);
  for (const name of ["lk", "gone", "turned"]) symlinkSync("a.txt", at(name));
  const before = w.read("a.txt");
  await w.sous([...yolo, "the lead"]);
  expect(await w.sous(["changes", "apply", "last/S1"])).toMatchObject({ code: 0 });
  expect(readFileSync(at("lk"), "utf8")).toBe("real\n");
  expect(readlinkSync(at("turned"))).toBe("c.txt");
  const reverted = await w.sous(["changes", "revert", "last", "--yes"]);
  expect(reverted, reverted.stderr).toMatchObject({ code: 0 });
  for (const name of ["lk", "gone", "turned"]) expect(readlinkSync(at(name))).toBe("a.txt");
  expect(lstatSync(at("a.txt")).isFile()).toBe(true);
  expect(w.read("a.txt")).toBe(before);
  expect(lstatSync(at("made"), { throwIfNoEntry: false })).toBeUndefined();
});
