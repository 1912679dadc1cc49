// Removes a folder, also one in which somebody took away the right to do so.
import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export async function removeFolder(path: string): Promise<void> {
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch {
    await unlock(path);
    await remove();
  }
}

/** Only folders: what is in them then goes with them. Links are not followed. */
async function unlock(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isDirectory()) return;
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true }))
    if (entry.isDirectory()) await unlock(join(path, entry.name));
}
