// Where the agents of an open tree work: shared with their parents, in copies of their own, or in folders that were made
// for them. A copy is made when its agent first runs, recorded before its first turn, and found again by that record.
import { mkdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import { findRepository } from "../../adapters/worktrees/find-repository.ts";
import { createLocalWorkspace } from "../../adapters/workspaces/local-workspace.ts";
import type { PlaceWish } from "../../core/binding.ts";
import type { Binding, BoundCopy, Origin } from "../../core/events.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { ChildParts, Problem } from "../../engine/runs/spawn-kit.ts";
import type { TreeWriter } from "../../engine/runs/tree-writer.ts";
import type { AgentPath } from "../../core/ids.ts";
import type { Copies } from "../../ports/copies.ts";
import type { Undo } from "../../ports/undo.ts";
import { inTurn } from "../../std/in-turn.ts";
import type { Processes } from "../../ports/processes.ts";
import type { Web } from "../../ports/web.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { Worktrees } from "../../ports/worktrees.ts";
import type { ScriptWatch } from "../script-watch.ts";
import { boundedWeb } from "./bounded-web.ts";
import { copiesOf } from "./copies-of.ts";
import type { CopyTree } from "./copy-actions.ts";
import { copyBranch, copyOwner, copyPlace, makeCopiesFolder } from "./copy-place.ts";
import { type CopyWish, type Decided, decideCopy } from "./decide-copy.ts";
import { leftOutNotice } from "./left-out-notice.ts";
import { openUnaskedGit } from "../unasked-git.ts";
import { ownFolder } from "./own-folder.ts";
import { reportCopy } from "./report-copy.ts";
import {
  type Copied,
  type Grounds,
  confinementOf,
  copiesUnder,
  networkOf,
  readOnlyBecause,
  rootsOf,
  sandboxesOf,
} from "./where-from.ts";

export type WorkspacesOptions = Omit<Grounds, "state"> & {
  readonly writer: TreeWriter;
  /** Real: no part of a project it lies in. */
  readonly stateDir: string;
  readonly worktrees: Worktrees;
  readonly processes: Processes;
  readonly web: Web;
  readonly env: Readonly<Record<string, string>>;
  readonly undo: Undo;
  /** Of trusted hooks and workspace commands. */
  readonly scripts: ScriptWatch;
  /** Whether agents may read a file of the project: no rule denies it. */
  mayRead(path: string): boolean;
  /** Not all of its record could be read. */
  readonly damaged: boolean;
  readonly signal: AbortSignal;
  notice(words: string): void;
};

/** What of a run's parts comes from where it works. */
export type ChildPlace = Pick<ChildParts, "workspace" | "processes" | "web" | "env" | "settle"> & {
  readonly roots: readonly string[];
  readonly readOnly?: string;
  /** What git reads unasked. */
  readonly repository?: { readonly top: string };
  /** Rules for the folder it is a copy of hold in it, too. */
  readonly copyOf?: { readonly root: string; readonly source: string };
  /** Where it works; in a copy, the folder that this was in the end made from. */
  readonly from: string;
};

export type TreeWorkspaces = {
  bind(wish: PlaceWish, parent: SessionState, child: Origin): Promise<Binding | Problem>;
  /** A session's files. */
  seenBy(session: SessionState): { readonly workspace: Workspace } & Pick<ChildPlace, "roots" | "copyOf">;
  /** undefined where it shares all of its lead's. */
  enter(child: SessionState): Promise<ChildPlace | undefined>;
  /** What an agent may do with the copies of those below it. */
  copiesOf(path: AgentPath): Copies;
  /** A person's decision about a copy. */
  decide(owner: SessionState, wish: CopyWish): Promise<Decided>;
};

const never = new AbortController().signal;
const noSandbox = (lacks: string): string => `a sandbox needs ${lacks} (sous doctor tells more)`;

export function createTreeWorkspaces(options: WorkspacesOptions): TreeWorkspaces {
  const { writer, worktrees, processes, folder } = options;
  const grounds: Grounds = { ...options, state: writer.state };
  const tree: CopyTree = {
    ...{ writer, worktrees, folder, undo: options.undo },
    isAtWork: ({ status }) => status === "running" || status === "new",
  };
  const alone = inTurn<"copies">();

  /** What a copy for a child of this one is made from. */
  async function sourceFor(parent: SessionState): Promise<string> {
    const { cwd = "/", isolation } = parent.opened?.binding ?? {};
    const [copy] = copiesUnder(grounds, cwd);
    if (copy) return copy.root;
    return isolation === "custom" ? cwd : ((await findRepository(cwd))?.top ?? cwd);
  }

  async function confinedFor(session: SessionState): Promise<Processes> {
    const confine = await confinementOf(grounds, session);
    if (!confine) return processes;
    const lacks = await processes.lacks(confine);
    if (lacks !== undefined) {
      if (sandboxesOf(grounds, session).length > 0) throw new Error(`${session.path} cannot run: ${noSandbox(lacks)}`);
      options.notice(
        "bubblewrap is not there: commands of agents in copies of their own are not kept from changing the project (see sous doctor)",
      );
      return processes;
    }
    return { ...processes, run: (spec, onOutput, signal) => processes.run({ ...spec, confine }, onOutput, signal) };
  }

  const recordBound = async (child: Origin, copy: BoundCopy): Promise<void> => {
    const { seq } = await writer.record(child, { type: "workspace.bound", ...copy }, never);
    await writer.durable(seq, child, never);
  };

  /** Its copy as it was left, or a new one where it has none. */
  async function ownCopy(child: SessionState): Promise<void> {
    const { session, path, opened } = child;
    const place = copyPlace(folder, session);
    if (child.copy && (await isFolder(child.copy.root))) return;
    const parent = opened?.spawnedBy && writer.state.sessions.get(opened.spawnedBy.session);
    if (!parent) throw new Error(`${path} has no parent to copy the folder of`);
    await makeCopiesFolder(folder);
    if (child.copy) options.notice(`the copy that ${path} worked in is gone; it gets a new one`);
    if (options.damaged && !child.copy && (await isFolder(place)))
      throw new Error(`${place} may hold work of ${path}, whose record is damaged: move it away to go on`);
    // What a process that was killed while making it has left.
    await worktrees.remove({ root: place, store: `${place}.git` });
    const source = await sourceFor(parent);
    const inside = relative(source, options.stateDir);
    const leaveOut = inside !== "" && !inside.startsWith("..") && !isAbsolute(inside) ? [inside] : [];
    const branch = copyBranch(opened.agent, session);
    const { mayRead } = options;
    const made = await worktrees.make({ source, place, branch, leaveOut, mayRead }, options.signal);
    if (!made.ok) throw new Error(`no copy of ${source} could be made for ${path}: ${made.problem}`);
    if (made.leftOut.length > 0) options.notice(leftOutNotice(path, made.leftOut));
    try {
      await mkdir(opened.binding.cwd, { recursive: true });
      await recordBound({ session, path, parent: parent.session }, { ...made.worktree, source });
    } catch (error) {
      await worktrees.remove(made.worktree);
      throw error;
    }
  }

  return {
    async bind(wish, parent, child) {
      const above = parent.opened?.binding;
      if (!above) return { problem: `${parent.path} has no folder to work in` };
      const { isolation, allowWrites, network } = wish;
      if (isolation === "shared") return { ...above, allowWrites };
      if (isolation === "custom") {
        const world = { cwd: above.cwd, roots: rootsOf(grounds, parent), env: options.env };
        const problem = wish.command === undefined ? undefined : options.scripts.problemOf(wish.command, above.cwd);
        if (problem !== undefined) return { problem: `the command for its workspace is not run: ${problem}` };
        const bounded = above.isolation !== "shared" || wish.path !== undefined;
        const found = await ownFolder(
          wish,
          { ...world, bounded, processes: await confinedFor(parent) },
          options.signal,
        );
        return "problem" in found ? found : { cwd: found.folder, isolation, allowWrites };
      }
      const lacks = isolation === "sandbox" ? await processes.lacks({ write: [], protect: [], network }) : undefined;
      if (lacks !== undefined) return { problem: noSandbox(lacks) };
      const source = await sourceFor(parent);
      const cwd = join(copyPlace(folder, child.session), relative(source, above.cwd));
      return { cwd, isolation, allowWrites, ...(isolation === "sandbox" && { network }) };
    },

    copiesOf: (path) => copiesOf(tree, path, (work) => alone("copies", work)),
    decide: (owner, wish) => alone("copies", () => decideCopy(tree, owner, wish)),

    seenBy(session) {
      const { cwd = "/" } = session.opened?.binding ?? {};
      const [copy] = copiesUnder(grounds, cwd);
      return {
        workspace: createLocalWorkspace(cwd),
        roots: rootsOf(grounds, session),
        ...(copy && { copyOf: { root: copy.root, source: copy.source } }),
      };
    },

    async enter(child) {
      const { cwd = "/", isolation = "shared", allowWrites = true } = child.opened?.binding ?? {};
      if (isolation === "shared" && allowWrites) return undefined;
      const owner = copyOwner(folder, cwd);
      if (owner === child.session) await ownCopy(child);
      const copies = copiesUnder(grounds, cwd);
      const [copy] = copies;
      const root = await realpath(cwd).catch(() => undefined);
      if (root === undefined || (owner && !copy)) throw new Error(`the folder ${child.path} works in is gone: ${cwd}`);
      const readOnly = readOnlyBecause(grounds, child);
      const unaskedGit = await openUnaskedGit({
        cwd,
        // A copy shares objects with its store and with what it was made from.
        places: [...rootsOf(grounds, child), ...(await objectPlaces(copies))],
        folder: join(folder, "git"),
        env: options.env,
      });
      return {
        roots: rootsOf(grounds, child),
        from: copies.reduce((at, { root: of, source }) => join(source, relative(of, at)), cwd),
        workspace: createLocalWorkspace(cwd),
        processes: unaskedGit.holding(await confinedFor(child)),
        ...(unaskedGit.repository && { repository: unaskedGit.repository }),
        web: boundedWeb(options.web, networkOf(grounds, child)),
        env: copy ? withoutGit(options.env) : options.env,
        ...(readOnly !== undefined && { readOnly }),
        ...(copy && { copyOf: { root: copy.root, source: copy.source } }),
        ...(owner === child.session && { settle: () => reportCopy(tree, child) }),
      };
    },
  };
}

async function objectPlaces(copies: readonly Copied[]): Promise<string[]> {
  const sources = await Promise.all(copies.map(({ source }) => findRepository(source)));
  return [...copies.map(({ store }) => store), ...sources.flatMap((found) => found?.objects ?? [])];
}

/** What would lead git from a copy to another repository. */
const GIT_PLACES = new Set(
  ["DIR", "WORK_TREE", "INDEX_FILE", "COMMON_DIR", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES", "NAMESPACE"].map(
    (name) => `GIT_${name}`,
  ),
);
const withoutGit = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !GIT_PLACES.has(name)));

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
