// kill -9 of a tree whose children in the background are done, failing, in the middle of a command, waiting for a child
// of their own or for a person's approval, and queued: after the restart each has one end, and each end has come to its
// parent once.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Recorded } from "../src/core/events.ts";
import { call, calls, callsAll, fails, responder, says, slow } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { type World, durableOf, journal, resultIn, world } from "./e2e-kit.ts";

const soak = process.env["SOAK"] === "1";
const POINTS = soak ? 100 : 10;
const AT_ONCE = 4;
/** About as many records as a whole run makes. */
const RECORDS = 145;

const behind = (prompt: string, more: Record<string, string> = {}) =>
  call("spawn_subagent", { prompt, background: true, ...more });
const effect = (name: string, seconds = "0") => calls("Bash", { command: `sleep ${seconds}; echo ${name} >> ledger` });

const config = {
  limits: { maxConcurrent: 2, retries: 0 },
  approvals: "inbox",
  permissions: { ask: ["Bash(tee *)"] },
};

/** What each does is said by its task and by how far it has come: the same after any restart. */
const scripts: Record<string, readonly Step[]> = {
  "task quick": [says("quick is done")],
  "task failing": [effect("failing-1"), fails(400)],
  "task busy": [effect("busy-1", "0.3"), effect("busy-2", "0.3"), says("busy is done")],
  "task asking": [calls("Bash", { command: "echo asked-1 | tee -a ledger" }), says("asking is done")],
  "task inner": [effect("inner-1", "0.2"), says("inner is done")],
  "task boss": [callsAll(call("spawn_subagent", { prompt: "task inner" })), says("boss is done")],
  "task queued-one": [effect("queued-1"), says("queued-one is done")],
  "task queued-two": [slow({ firstTokenAfterMs: 50 }, says("queued-two is done"))],
  "the lead": [
    callsAll(
      behind("task quick"),
      behind("task failing"),
      behind("task busy"),
      behind("task asking"),
      behind("task boss", { agent: "boss" }),
      behind("task queued-one"),
      behind("task queued-two"),
    ),
    says("reports are in"),
  ],
};
const ends: Record<string, string> = { "task failing": "failed" };
const children = Object.keys(scripts).filter((task) => task !== "the lead");

const script = responder((request: WireRequest) => {
  const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
  const steps = scripts[Object.keys(scripts).find((task) => first.includes(task)) ?? ""];
  return steps?.[Math.min(request.turn, steps.length) - 1];
});

async function killAndResume(point: number): Promise<void> {
  await using w = await world(script, { record: false });
  const flags = prepare(w);
  let seen = 0;
  const killed = await w.sous([...flags, "--mode", "yolo", "-m", "anthropic/x", "-o", "jsonl", "the lead"], {
    killOn: (line) => !line.includes('"live":true') && ++seen >= point,
    timeoutMs: 60_000,
  });
  const told = durableOf(killed.stdout);
  const before = journal(w.stateDir);
  expect(before.slice(0, told.length), `point ${point}: everything told is in the journal`).toEqual(told);
  const ended = before.findLast((event) => event.path === "ROOT")?.type === "run.ended";
  const said = before.some((event) => event.type === "input.admitted" && event.path === "ROOT");
  const parked = before.findLast((event) => event.path === "ROOT")?.type === "run.parked";
  if (parked) await approve(w);
  const words = ended ? ["again"] : said ? [] : ["the lead"];
  const goOn = (...more: string[]) =>
    w.sous([...flags, "--resume", told[0]!.session, "-o", "json", ...more], { timeoutMs: 60_000 });
  let resumed = await goOn(...words);
  // Only when nothing but the approval is left to wait for: the run is parked, and the item is still there, once.
  if (resumed.code === 4) {
    await approve(w);
    resumed = await goOn();
  }
  expect(resultIn(resumed.stdout), `point ${point}: ${resumed.stderr}`).toMatchObject({ status: "succeeded" });
  const events = journal(w.stateDir);
  check(events, `point ${point}`);
  const asked = events.flatMap((event) => (event.type.startsWith("item.") ? [event.type] : []));
  expect(asked, `point ${point}`).toEqual(["item.added", "item.answered"]);
  const ledger = existsSync(w.dir.join("ledger")) ? readFileSync(w.dir.join("ledger"), "utf8").trim().split("\n") : [];
  expect(new Set(ledger).size, `point ${point}: ${ledger.join(" ")}`).toBe(ledger.length);
}

/** A person says yes to the one call that asks. */
async function approve(w: World): Promise<void> {
  const listed = await w.sous(["inbox", "--json"], { timeoutMs: 60_000 });
  const open = JSON.parse(listed.stdout) as { id: string; kind: string; open: boolean }[];
  const [item, ...more] = open.filter(({ kind, open: isOpen }) => kind === "approval" && isOpen);
  expect([item?.kind, ...more], listed.stderr).toEqual(["approval"]);
  const answered = await w.sous(["inbox", "answer", item!.id, "yes"], { env: { SOUS_RUN: "" }, timeoutMs: 60_000 });
  expect(answered.code, answered.stderr).toBe(0);
}

function prepare(w: World): string[] {
  mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
  writeFileSync(w.dir.join(".sous/agents/boss.md"), '---\nname: boss\ndescription: d\nspawns: "*"\n---\nYou lead.\n');
  writeFileSync(w.dir.join("config.json"), JSON.stringify(config));
  return ["run", "--config", w.dir.join("config.json"), "--trust"];
}

function check(events: readonly Recorded[], where: string): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
  const opened = events.flatMap((event) => (event.type === "session.opened" && event.spawnedBy ? [event] : []));
  expect(opened.map((child) => child.title).sort(), where).toEqual(children.toSorted());
  for (const { session, title, child, parent } of opened) {
    const of = `${where}: ${title}`;
    const runEnds = events.flatMap((event) => (event.type === "run.ended" && event.session === session ? [event] : []));
    expect(
      runEnds.map(({ result }) => result.status),
      of,
    ).toEqual([ends[title] ?? "succeeded"]);
    const told = events.filter((event) => event.type === "child.ended" && event.child === session);
    expect(
      told.map((event) => event.session),
      of,
    ).toEqual([parent]);
    const reports = events.filter(
      (event) => event.type === "input.admitted" && event.from === "child" && event.input.includes(session),
    );
    expect(reports, of).toHaveLength(child?.background ? 1 : 0);
  }
}

test(
  `P.D01, P.D11, X1, X9: kill -9 at ${POINTS} seeded points of a tree with children done, failing, in a command, waiting, asking for approval and queued`,
  async () => {
    const random = seededRandom(41);
    const points = Array.from({ length: POINTS }, () => 1 + Math.floor(random.next() * RECORDS));
    const lane = async (from: number): Promise<void> => {
      for (let at = from; at < points.length; at += AT_ONCE) await killAndResume(points[at]!);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, from) => lane(from)));
  },
  soak ? 3_600_000 : 200_000,
);
