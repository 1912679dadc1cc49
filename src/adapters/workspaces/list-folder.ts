// Lists a folder, however many names are in it: a bounded number of them, in a bounded time.
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { globMatches } from "../../core/rules.ts";
import type { Entry, Listing } from "../../ports/workspace.ts";
import { fileProblem } from "./file-problem.ts";
import { inFolder } from "./held-folder.ts";

const MOST_ENTRIES = 10_000;
const MOST_MS = 1_500;
/** Names are taken in batches this large; between two, others get their turn. */
const BATCH = 64;

export async function listFolder(path: string, ignore: readonly string[], signal: AbortSignal): Promise<Listing> {
  const end = performance.now() + MOST_MS;
  const entries: Entry[] = [];
  try {
    return await inFolder(path, async ({ at }) => {
      for await (const entry of await opendir(at, { bufferSize: BATCH })) {
        signal.throwIfAborted();
        if (entries.length >= MOST_ENTRIES || performance.now() > end)
          return { ok: true, entries: sorted(entries), more: true };
        if (!ignore.some((pattern) => globMatches(pattern, entry.name)))
          entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      return { ok: true, entries: sorted(entries), more: false };
    });
  } catch (error) {
    signal.throwIfAborted();
    const notFolder = (error as NodeJS.ErrnoException).code === "ENOTDIR";
    return { ok: false, problem: notFolder ? "is not a folder" : fileProblem(error) };
  }
}

function kindOf(entry: Dirent): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

const sorted = (entries: readonly Entry[]): Entry[] =>
  [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
