import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { logFilesConformance } from "../../testing/power-loss/log-files-test-kit.ts";
import { nodeFiles } from "./node-files.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "sous-files-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

logFilesConformance("real disk", () => ({ files: nodeFiles, folder: folder() }));

test("P.F04: nothing is opened through a symlink", () => {
  const base = folder();
  writeFileSync(join(base, "target"), "");
  symlinkSync(join(base, "target"), join(base, "link"));
  expect(() => nodeFiles.openAppend(join(base, "link"), false)).toThrow("ELOOP");
  expect(() => nodeFiles.openRead(join(base, "link"))).toThrow("ELOOP");
  expect(nodeFiles.look(join(base, "link"))?.kind).toBe("link");
});
