// The folder that all contestants work in: small files, enough of them that no two reads in a row are alike.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export const fileNames: readonly string[] = Array.from({ length: 20 }, (_, n) => `notes-${n}.txt`);

export async function makeWorkspace(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const name of fileNames) await writeFile(join(folder, name), linesOf(name));
  return folder;
}

const linesOf = (name: string): string =>
  Array.from({ length: 8 }, (_, n) => `Line ${n + 1} of ${name}: it says what the others say.\n`).join("");
