// One temporary folder for a whole test run: everything that tests leave behind goes with it at the end.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "sous-"));
  const tmp = join(folder, "tmp");
  mkdirSync(tmp);
  process.env.TMPDIR = tmp;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
