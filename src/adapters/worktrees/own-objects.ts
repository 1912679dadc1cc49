// What a copy's own repository holds and nothing else does: commits on any branch or none, stashes, what was only
// staged. Told by its objects, whatever its refs, index or reflogs say, and without obeying what its agent configured.
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Worktree } from "../../ports/worktrees.ts";
import { readBounded, readSmallText } from "../files/read-bounded.ts";
import { type GitCall, runGit } from "./run-git.ts";

export type OwnObject = { readonly id: string; readonly kind: string };

/** What git keeps in its folder besides objects, and which is no work: with anything else a copy is not proved empty. */
const PLAIN =
  /^(HEAD|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|config|description|index|info|objects|refs|logs|branches|packed-refs|gc\.(pid|log))$/;
const MOST_OBJECTS = 200_000;

/** Why its repository is more than what the commits and trees of `saved` reach; undefined: it is proved not to be. */
export async function standsOnlyHere(
  worktree: Worktree,
  saved: () => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const odd = await oddEntries(worktree);
    if (odd !== undefined) return odd;
    const objects = await ownObjects(worktree, saved, signal);
    if (objects.length === 0) return undefined;
    const commits = objects.filter(({ kind }) => kind === "commit").length;
    if (commits === 0) return "its repository holds what was only staged";
    return `its repository holds ${commits === 1 ? "a commit" : `${commits} commits`} that its branch does not have`;
  } catch (error) {
    signal.throwIfAborted();
    return `what its repository holds cannot be told (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** What its git folder has that may be work which no object tells of, as a sentence. */
export async function oddEntries({ root }: Pick<Worktree, "root">): Promise<string | undefined> {
  const names = (await readdir(join(root, ".git")).catch(() => [])).filter((name) => !PLAIN.test(name));
  return names.length === 0 ? undefined : `its repository has ${names.slice(0, 3).join(", ")}`;
}

/** `saved` are commits or trees that are brought elsewhere: what they reach is not told. Rejects where it is in doubt. */
export async function ownObjects(
  worktree: Worktree,
  saved: () => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<readonly OwnObject[]> {
  const made = await objectsIn(worktree, signal);
  if (made.length === 0) return [];
  const own = storeWithCopy(worktree, signal);
  const before = (await parentsOf(own, worktree.base)).map((id) => `^${id}`);
  const wanted = [...(await saved()), worktree.base, ...before].map((id) => `${id}\n`).join("");
  const reached = await runGit({
    ...own,
    args: ["rev-list", "--objects", "--no-object-names", "--stdin"],
    input: wanted,
  });
  const known = new Set(lines(reached));
  const left = made.filter((id) => !known.has(id));
  const elsewhere = await inProject(worktree, left, signal);
  const kinds = await kindsOf(
    own,
    left.filter((id) => !elsewhere.has(id)),
  );
  return kinds.map(([id, kind]) => ({ id, kind }));
}

/** The store reads the copy's objects, and never its configuration. */
export const storeWithCopy = ({ root, store }: Worktree, signal: AbortSignal): Omit<GitCall, "args"> => ({
  ...{ gitDir: store, objects: [join(root, ".git", "objects")], signal },
});

export async function parentsOf(own: Omit<GitCall, "args">, commit: string): Promise<readonly string[]> {
  const [line = ""] = lines(await runGit({ ...own, args: ["rev-list", "--parents", "-n1", commit] }));
  return line.split(" ").slice(1);
}

/** Every object that was written into the copy's own folder of them. */
async function objectsIn({ root, base }: Worktree, signal: AbortSignal): Promise<string[]> {
  const folder = join(root, ".git", "objects");
  if (!(await lstat(join(root, ".git")).catch(() => undefined))) return [];
  for (const path of [join(root, ".git"), folder]) {
    const found = await lstat(path).catch(() => undefined);
    if (!found?.isDirectory()) throw new Error(`${path} is not the folder that git made`);
  }
  const ids: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === "info") continue;
    if (!entry.isDirectory()) throw new Error(`${join(folder, entry.name)} is nothing that git keeps there`);
    const names = await readdir(join(folder, entry.name));
    if (entry.name === "pack") ids.push(...(await packedIn(join(folder, entry.name), names, base, signal)));
    else ids.push(...names.map((name) => `${entry.name}${name}`).filter((id) => id.length === base.length));
    if (ids.length > MOST_OBJECTS) throw new Error("its repository holds more objects than are looked at");
  }
  return ids.filter((id) => /^[0-9a-f]+$/.test(id));
}

const MOST_INDEX_BYTES = 512 * 1024 * 1024;

async function packedIn(
  folder: string,
  names: readonly string[],
  base: string,
  signal: AbortSignal,
): Promise<string[]> {
  const packs = names.filter((name) => name.endsWith(".pack")).map((name) => name.slice(0, -".pack".length));
  const ids: string[] = [];
  for (const pack of packs) {
    const index = await readBounded(join(folder, `${pack}.idx`), { most: MOST_INDEX_BYTES });
    if (!index.ok) throw new Error(`${pack}.idx ${index.reason}`);
    const input = index.bytes;
    const format = `--object-format=${base.length === 64 ? "sha256" : "sha1"}`;
    const listed = await runGit({ args: ["show-index", format], input, signal });
    ids.push(...lines(listed).map((line) => line.split(" ")[1] ?? ""));
  }
  return ids;
}

/** Which of these the project's own repository has. */
async function inProject({ store }: Worktree, ids: readonly string[], signal: AbortSignal): Promise<Set<string>> {
  const alternates = await readSmallText(join(store, "objects", "info", "alternates"), { most: 64 * 1024 });
  if (alternates === undefined) throw new Error("the record of what the copy was made from cannot be read");
  const [objects] = alternates.split("\n").filter(Boolean);
  if (objects === undefined || ids.length === 0) return new Set();
  const found = await kindsOf({ gitDir: store, objectsInto: objects, signal }, ids);
  return new Set(found.filter(([, kind]) => kind !== "missing").map(([id]) => id));
}

async function kindsOf(call: Omit<GitCall, "args">, ids: readonly string[]): Promise<[string, string][]> {
  if (ids.length === 0) return [];
  const input = ids.map((id) => `${id}\n`).join("");
  const told = await runGit({ ...call, args: ["cat-file", "--batch-check", "--buffer"], input });
  return lines(told).map((line) => {
    const [id = "", kind = ""] = line.split(" ");
    return [id, kind];
  });
}

const lines = (bytes: Buffer): string[] => bytes.toString("utf8").split("\n").filter(Boolean);
