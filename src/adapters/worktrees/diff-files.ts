// Two states of some files, line by line, as git writes it; no repository is needed.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runGit } from "./run-git.ts";

export type FileStates = {
  /** Relative, without any `..`. */
  readonly name: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
};
type FileState = { readonly bytes: Uint8Array; readonly mode: number };

export async function diffFiles(files: readonly FileStates[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sous-diff-"));
  try {
    for (const side of ["a", "b"]) await mkdir(join(folder, side));
    for (const { name, before, after } of files) {
      if (before) await place(join(folder, "a", name), before);
      if (after) await place(join(folder, "b", name), after);
    }
    const how = ["--no-index", "--no-prefix", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
    const diff = await runGit({ args: ["diff", ...how, "a", "b"], cwd: folder, mayBeOne: true });
    // Where there is no file on one side, it names the other twice.
    return diff.toString("utf8").replace(/^diff --git ([ab])\/(.*) \1\/\2$/gm, "diff --git a/$2 b/$2");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function place(path: string, { bytes, mode }: FileState): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes, { flag: "wx", mode: (mode & 0o111) === 0 ? 0o600 : 0o700 });
}
