import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemRandom } from "../../adapters/clock/system-clock.ts";
import { createProcesses } from "../../adapters/processes/create-processes.ts";
import { createFileUndo } from "../../adapters/undo/file-undo.ts";
import { gitWorktrees } from "../../adapters/worktrees/git-worktrees.ts";
import type { SessionOpened } from "../../core/events.ts";
import { ROOT, childPath, sessionId } from "../../core/ids.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { openSession } from "../open-session.ts";
import { copiesFolder } from "./copy-place.ts";
import { sweepCopies } from "./sweep-copies.ts";
import { createTreeWorkspaces } from "./tree-workspaces.ts";

const never = new AbortController().signal;

/** An open tree whose lead works in a folder, on a system without bubblewrap. */
async function tree(damaged = false) {
  const dir = await tempDir();
  const top = join(realpathSync(dir.path), "project");
  mkdirSync(top);
  writeFileSync(join(top, "a.txt"), "a");
  const stateDir = join(realpathSync(dir.path), "state");
  const session = await openSession(stateDir, sessionId(systemRandom.uuid()), "create", () => {});
  const { writer, origin, folder } = session;
  const binding = { cwd: top, isolation: "shared" as const, allowWrites: true };
  const opened = {
    type: "session.opened",
    agent: "lead",
    model: "m",
    permissions: { mode: "yolo" },
    binding,
    title: "",
    version: "",
  };
  await writer.record(origin, opened as unknown as SessionOpened, never);
  const notices: string[] = [];
  const workspaces = createTreeWorkspaces({
    ...{
      folder,
      stateDir,
      writer,
      worktrees: gitWorktrees,
      env: {},
      roots: [top],
      artifacts: join(folder, "artifacts"),
    },
    processes: createProcesses({ runMarker: "test", secretNames: [], strategy: "keeper" }),
    web: { fetch: () => Promise.reject(new Error("nothing is fetched here")) },
    undo: createFileUndo(join(folder, "undo")),
    scripts: { paths: [], problemOf: () => undefined },
    mayRead: () => true,
    damaged,
    signal: never,
    notice: (words) => void notices.push(words),
  });
  const lead = writer.state.sessions.get(origin.session)!;
  const child = { session: sessionId(systemRandom.uuid()), path: childPath(ROOT, 1), parent: origin.session };
  const spawn = async (isolation: "worktree" | "sandbox") => {
    const bound = await workspaces.bind({ isolation, allowWrites: true, network: false }, lead, child);
    if ("problem" in bound) return bound.problem;
    const spawnedBy = { session: origin.session, call: "c" };
    await writer.record(child, { ...opened, binding: bound, spawnedBy } as unknown as SessionOpened, never);
    return writer.state.sessions.get(child.session)!;
  };
  const copies = () => (existsSync(copiesFolder(folder)) ? readdirSync(copiesFolder(folder)) : []);
  return {
    ...{ dir, top, session, workspaces, notices, child, spawn, copies },
    async [Symbol.asyncDispose]() {
      await session.log.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test("D3: without bubblewrap a copy is made all the same and the person is told; a sandbox is refused with what to do", async () => {
  await using t = await tree();
  expect(await t.spawn("sandbox")).toMatch(/a sandbox needs bubblewrap.*sous doctor/);
  expect(t.copies()).toEqual([]);
  const child = await t.spawn("worktree");
  if (typeof child === "string") throw new Error(child);
  const place = await t.workspaces.enter(child);
  expect(readFileSync(join(place?.workspace.cwd ?? "", "a.txt"), "utf8")).toBe("a");
  expect(t.notices).toEqual([expect.stringContaining("bubblewrap is not there")]);
});

test("D3, P.Z03: a copy is found again by its record; one that is not on record, or half made, is removed", async () => {
  await using t = await tree();
  const child = await t.spawn("worktree");
  if (typeof child === "string") throw new Error(child);
  const half = copiesFolder(t.session.folder);
  mkdirSync(join(half, `${child.session}.git`), { recursive: true });
  mkdirSync(join(half, sessionId(systemRandom.uuid())));
  mkdirSync(join(half, "not-ours"));
  const first = await t.workspaces.enter(child);
  writeFileSync(join(first?.workspace.cwd ?? "", "work.txt"), "work");
  await sweepCopies({ ...t.session, damaged: true });
  expect(t.copies()).toHaveLength(4);
  await sweepCopies(t.session);
  expect(t.copies()).toEqual([child.session, `${child.session}.git`, "not-ours"]);
  const again = await t.workspaces.enter(child);
  expect(readFileSync(join(again?.workspace.cwd ?? "", "work.txt"), "utf8")).toBe("work");
  rmSync(child.copy?.root ?? "", { recursive: true });
  await t.workspaces.enter(child);
  expect(t.notices).toContain("the copy that ROOT::S1 worked in is gone; it gets a new one");
});

test("P.Z03: a copy that was given up on record, and could not be removed before a crash, is removed by the next start", async () => {
  await using t = await tree();
  const child = await t.spawn("worktree");
  if (typeof child === "string") throw new Error(child);
  await t.workspaces.enter(child);
  await t.session.writer.record(t.child, { type: "workspace.released", how: "discarded" }, never);
  expect(t.copies()).toHaveLength(2);
  await sweepCopies(t.session);
  expect(t.copies()).toEqual([]);
});

test("P.Z02: where the record is damaged, a copy that seems to be nobody's is left as it is", async () => {
  await using t = await tree(true);
  const child = await t.spawn("worktree");
  if (typeof child === "string") throw new Error(child);
  const place = join(copiesFolder(t.session.folder), child.session);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "work.txt"), "work");
  await expect(t.workspaces.enter(child)).rejects.toThrow(/may hold work of ROOT::S1/);
  expect(readdirSync(place)).toEqual(["work.txt"]);
});

test("P.F04: a link in place of the folder of copies leads nowhere: no copy is made, and nothing is touched there", async () => {
  await using t = await tree();
  const elsewhere = t.dir.join("elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "kept.txt"), "kept");
  const child = await t.spawn("worktree");
  if (typeof child === "string") throw new Error(child);
  symlinkSync(elsewhere, copiesFolder(t.session.folder));
  await expect(t.workspaces.enter(child)).rejects.toThrow(/is a link/);
  expect(readdirSync(elsewhere)).toEqual(["kept.txt"]);
});
