// Runs with agents in copies of their own, killed at any moment: nothing of their work is lost, nothing else is left.
import { existsSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import type { Recorded } from "../src/core/events.ts";
import { calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { type World, journal } from "./e2e-kit.ts";
import { copies, project, spawn, yolo } from "./workspace-kit.ts";

const KILLS = process.env["SOAK"] === "1" ? 200 : 20;
const KILLS_A_TREE = 5;
const worktree = { isolation: "worktree" };

test("P.Z03, P.Z02: killed at random, a tree that goes on has the copies on record, whole, and nothing else", async () => {
  const random = seededRandom(41);
  for (let kills = 0; kills < KILLS;) {
    await using w = await project({
      "edit it": [
        calls("Bash", { command: "echo one >> a.txt" }),
        calls("Bash", { command: "echo e > e.txt" }),
        says("e"),
      ],
      "look at it": [calls("Bash", { command: "cat b.txt" }), says("l")],
      "write it": [calls("Write", { file_path: "w.txt", content: "w" }), says("w")],
      "the lead": [
        callsAll(spawn("edit it", worktree), spawn("look at it", worktree), spawn("write it", worktree)),
        says("ok"),
      ],
    });
    const before = w.git("for-each-ref");
    for (let left = Math.min(KILLS_A_TREE, KILLS - kills); left > 0; left--, kills++)
      await killedAt(w, 1 + Math.floor(random.next() * 40), random.next() * 150);
    leaveHalf(w);
    const last = await w.sous(goOn(w), { timeoutMs: 60_000 });
    expect(last.code, last.stderr).toBe(0);
    check(w);
    expect([w.git("for-each-ref"), w.git("status", "--short")]).toEqual([before, "?? state/"]);
  }
}, 3_600_000);

/** Goes on with what there is; an ended session is asked again. */
function goOn(w: World): string[] {
  const flags = yolo.map((word) => (word === "json" ? "jsonl" : word));
  const opened = journal(w.stateDir).some(({ type }) => type === "input.admitted");
  const ended = journal(w.stateDir).some(({ type, path }) => type === "run.ended" && path === "ROOT");
  return opened ? [...flags, "--resume", "last", ...(ended ? ["again"] : [])] : [...flags, "the lead"];
}

async function killedAt(w: World, line: number, ms: number): Promise<void> {
  const child = w.start(goOn(w));
  const ended = new Promise((resolve) => child.on("close", resolve));
  let seen = 0;
  createInterface({ input: child.stdout! }).on("line", () => {
    if (++seen === line) setTimeout(() => child.kill("SIGKILL"), ms);
  });
  child.stderr?.resume();
  await ended;
}

/** What a kill in the middle of making a copy leaves, in case that no kill came just then. */
function leaveHalf({ stateDir }: World): void {
  for (const tree of readdirSync(join(stateDir, "trees")))
    for (const end of ["", ".git"])
      mkdirSync(join(stateDir, "trees", tree, "worktrees", `agent-00000000-0000-7000-8000-000000000000${end}`), {
        recursive: true,
        mode: 0o700,
      });
}

function check(w: World): void {
  const events = journal(w.stateDir);
  const open = new Map<string, string>();
  for (const event of events) {
    if (event.type === "workspace.bound") open.set(event.session, event.root);
    if (event.type === "workspace.released") open.delete(event.session);
  }
  expect(copies(w)).toEqual([...open.keys()].flatMap((id) => [id, `${id}.git`]).sort());
  for (const root of open.values())
    expect(readdirSync(`${root}.git`).filter((name) => /^index-|\.lock$/.test(name))).toEqual([]);
  // A command that was killed may have had no effect: what is told as done must be there.
  for (const { session, file } of events.flatMap(writtenBy)) {
    const root = open.get(session) ?? "no copy";
    const held = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "nothing";
    expect(held, `${file} in ${root}`).toMatch(file === "a.txt" ? /one/ : /^[ew]\n?$/);
  }
  const looked = events.find((event) => event.type === "session.opened" && event.title === "look at it");
  expect(open.has(looked?.session ?? "")).toBe(false);
}

const FILES: Readonly<Record<string, string>> = { "echo one": "a.txt", "echo e": "e.txt" };

function writtenBy(event: Recorded): { session: string; file: string }[] {
  if (event.type !== "tool.ended" || !event.outcome.ok) return [];
  const { facts } = event.outcome;
  const command = Object.keys(FILES).find((start) => facts?.command?.text.startsWith(start));
  const file = command === undefined ? facts?.files?.[0]?.path.split("/").at(-1) : FILES[command];
  return file === undefined ? [] : [{ session: event.session, file }];
}
