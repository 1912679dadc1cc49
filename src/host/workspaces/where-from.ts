// What a session works with because of where it works: its folders, what its copy was made from, and what its commands
// may do. Taken from its record and those above it.
import { type Network, bothAllow } from "../../core/domains.ts";
import type { BoundCopy } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { TreeState } from "../../core/tree-state.ts";
import { findRepository } from "../../adapters/worktrees/find-repository.ts";
import type { Confinement } from "../../ports/processes.ts";
import { copiesFolder, copyOwner, copyPlace } from "./copy-place.ts";

export type Grounds = {
  readonly folder: string;
  readonly state: TreeState;
  /** The lead's folders: what is shared is shared with it. */
  readonly roots: readonly string[];
  readonly artifacts: string;
};

export function rootsOf({ folder, roots, artifacts }: Grounds, { opened }: SessionState): readonly string[] {
  const { isolation = "shared", cwd = "/" } = opened?.binding ?? {};
  if (isolation === "custom") return [cwd, artifacts];
  const owner = copyOwner(folder, cwd);
  return owner ? [copyPlace(folder, owner), artifacts] : roots;
}

/** Whose workspace must not be written to, when it is not this one's to say; undefined where writing is allowed. */
export function readOnlyBecause(grounds: Grounds, session: SessionState): string | undefined {
  const held = upwards(grounds, session).filter(({ opened }) => opened?.binding.allowWrites === false);
  const first = held.at(-1);
  return first && `${first.path}'s workspace is read-only`;
}

export type Copied = BoundCopy & { readonly owner: SessionId };

/** The copy it works in, the one that was made from, and so on. */
export function copiesUnder({ folder, state }: Grounds, cwd: string): Copied[] {
  const owner = copyOwner(folder, cwd);
  const copy = owner && state.sessions.get(owner)?.copy;
  return owner && copy ? [{ ...copy, owner }, ...copiesUnder({ folder, state } as Grounds, copy.source)] : [];
}

/** undefined where its commands may do what the person may. */
export async function confinementOf(grounds: Grounds, session: SessionState): Promise<Confinement | undefined> {
  const binding = session.opened?.binding;
  if (!binding) return undefined;
  const copies = copiesUnder(grounds, binding.cwd);
  const [own] = copies;
  const sandboxes = sandboxesOf(grounds, session);
  const readOnly = readOnlyBecause(grounds, session) !== undefined;
  if (!own && !readOnly && sandboxes.length === 0) return undefined;
  const sources = await Promise.all(copies.map(({ source }) => withGitFolders(source)));
  const protect = own ? [...sources.flat(), copiesFolder(grounds.folder)] : readOnly ? grounds.roots : [];
  const write = readOnly ? [] : sandboxes.length > 0 ? [own?.root ?? binding.cwd] : undefined;
  return {
    protect: [...new Set(protect)],
    ...(write ? { write } : own && { except: [own.root] }),
    network: networkOf(grounds, session),
  };
}

/** What an agent and all above it in sandboxes may reach. */
export const networkOf = (grounds: Grounds, session: SessionState): Network =>
  sandboxesOf(grounds, session)
    .map(({ opened }): Network => opened?.binding.network ?? false)
    .reduce(bothAllow, true);

/** Itself or those above it that work in a sandbox: whoever has one is never run without. */
export const sandboxesOf = (grounds: Grounds, session: SessionState): SessionState[] =>
  upwards(grounds, session).filter(({ opened }) => opened?.binding.isolation === "sandbox");

/** A work tree, and its git folders where they stand elsewhere. */
async function withGitFolders(source: string): Promise<string[]> {
  const found = await findRepository(source);
  return found?.top === source ? [source, found.gitDir, found.common] : [source];
}

/** A session and all above it. */
function upwards({ state }: Grounds, session: SessionState): SessionState[] {
  const above = session.opened?.spawnedBy && state.sessions.get(session.opened.spawnedBy.session);
  return above ? [session, ...upwards({ state } as Grounds, above)] : [session];
}
