import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { liveness, thisProcess } from "../processes/process-identity.ts";
import { lockName, treeFolder, type TreePlace } from "./layout.ts";
import type { OwnerIdentity } from "./lock-file.ts";
import { faultOf, lead, mustOpen, note, owner, realPlace, seqs, texts, tryOpen } from "./log-test-kit.ts";
import { nodeFiles } from "./node-files.ts";
import { readTree } from "./read-tree.ts";

const rounds = process.env["SOAK"] === "1" ? 1000 : 20;

const locksOf = (place: TreePlace): string[] =>
  readdirSync(treeFolder(place)).filter((name) => name.startsWith("lock"));

function writeLock(place: TreePlace, epoch: number, content: object | string): string {
  mkdirSync(treeFolder(place), { recursive: true });
  const path = join(treeFolder(place), lockName(epoch));
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const lockOf = (who: OwnerIdentity) => ({ ...who, command: "sous run", since: 0, released: false });

describe("P.D07: one owner per tree", () => {
  test("who comes second is told who has it, since when, and what to do; reading is still possible", async () => {
    const place = realPlace();
    const now = (): number => new Date(2026, 1, 3, 12, 1).getTime();
    const { log } = await mustOpen(place, { owner: owner(1234), now });
    log.append(lead, note("a"));
    const second = await tryOpen(place, { owner: owner(2), liveness: () => "alive", now });
    expect(second).toMatchObject({
      is: "held",
      by: { pid: 1234, command: "sous run" },
      message: `session ${place.tree} is open in process 1234 (sous run) since 12:01; stop it or wait`,
    });
    expect(await readTree(nodeFiles, place)).toMatchObject({ is: "read", events: [{ seq: 1 }] });
    await log.close();
    const third = await mustOpen(place, { owner: owner(2), liveness: () => "alive" });
    await third.log.close();
  });

  test("a lock whose owner died, was rebooted away, or whose number now belongs to another program does not block", async () => {
    const me = thisProcess();
    const reused = { ...me, startTime: "1" };
    const dead = { ...me, pid: 4_000_000 };
    const rebooted = { ...me, bootId: "another boot" };
    for (const stale of [reused, dead, rebooted]) {
      const place = realPlace();
      writeLock(place, 1, lockOf(stale));
      const { log } = await mustOpen(place, { owner: me, liveness });
      expect(log.epoch).toBe(2);
      expect(await tryOpen(place, { owner: me, liveness })).toMatchObject({ is: "held", by: { pid: me.pid } });
      await log.close();
    }
  });

  test("a lock that the power loss left without its content does not block", async () => {
    for (const content of ["", "\0\0\0\0", '{"pid":1']) {
      const place = realPlace();
      writeLock(place, 4, content);
      const { log } = await mustOpen(place, { liveness: () => "alive" });
      expect(log.epoch).toBe(5);
      await log.close();
    }
  });

  test("an owner that cannot be judged from here counts as alive while it touches its lock", async () => {
    for (const content of [lockOf(owner(7, { pidNamespace: "pid:[2]" })), { some: "other version" }]) {
      const place = realPlace();
      const path = writeLock(place, 1, content);
      const ago = (seconds: number): void => utimesSync(path, new Date(), new Date(Date.now() - seconds * 1000));
      ago(20);
      expect(await tryOpen(place, { liveness: () => "unknown", mode: "existing" })).toMatchObject({ is: "held" });
      ago(40);
      await (await mustOpen(place, { liveness: () => "unknown" })).log.close();
    }
  });

  test("only the last two locks are kept, whole and readable, and nothing else is left behind", async () => {
    const place = realPlace();
    for (let i = 1; i <= 5; i++) {
      const { log } = await mustOpen(place, { liveness: () => "alive" });
      expect(log.epoch).toBe(i);
      await log.close();
    }
    expect(locksOf(place)).toEqual(["lock.4", "lock.5"]);
    expect(JSON.parse(readFileSync(join(treeFolder(place), "lock.5"), "utf8"))).toMatchObject({
      pid: 1,
      released: true,
    });
  });

  test("with all lock files removed by hand the epoch still rises above the records'", async () => {
    const place = realPlace();
    for (const text of ["a", "b", "c"]) {
      const { log } = await mustOpen(place);
      log.append(lead, note(text));
      await log.close();
    }
    for (const name of locksOf(place)) unlinkSync(join(treeFolder(place), name));
    const { log } = await mustOpen(place);
    expect(log.epoch).toBe(4);
    log.append(lead, note("d"));
    await log.close();
    const again = await mustOpen(place);
    expect([texts(again), again.damage]).toEqual([["a", "b", "c", "d"], []]);
    await again.log.close();
  });
});

describe("a stale owner cannot write", () => {
  test("it acknowledges nothing after it was overtaken, and its successor's records stand", async () => {
    const place = realPlace();
    const old = await mustOpen(place, { owner: owner(1) });
    await old.log.durable(old.log.append(lead, note("a")).seq);
    const next = await mustOpen(place, { owner: owner(2) });
    // The old owner has not looked yet: it writes, but is not believed.
    old.log.append(lead, note("stale"));
    next.log.append(lead, note("b"));
    next.log.append(lead, note("c"));
    expect(await faultOf(() => old.log.durable(2))).toBe("fenced");
    await next.log.durable(3);
    expect(await faultOf(() => old.log.close())).toBe("fenced");
    await next.log.close();
    const again = await mustOpen(place);
    expect(texts(again)).toEqual(["a", "b", "c"]);
    expect(again.damage.map(({ what }) => what)).toEqual([
      expect.stringMatching(/record 2 was written by an owner that had lost/),
    ]);
    await again.log.close();
  });

  test("one that was suspended looks before it writes, even when many owners came and went since", async () => {
    const place = realPlace();
    let time = Date.now();
    const old = await mustOpen(place, { now: () => time });
    for (let i = 0; i < 4; i++) await (await mustOpen(place, { owner: owner(9) })).log.close();
    expect(existsSync(join(treeFolder(place), "lock.2"))).toBe(false);
    time += 5000;
    expect(await faultOf(() => old.log.append(lead, note("stale")))).toBe("fenced");
    expect(await faultOf(() => old.log.close())).toBe("none");
    expect(seqs(await mustOpen(place))).toEqual([]);
  });

  test("it does not cut off what its successor wrote", async () => {
    const place = realPlace();
    let fail = false;
    const files = {
      ...nodeFiles,
      write: (fd: number, bytes: Uint8Array, length: number): number => {
        if (!fail) return nodeFiles.write(fd, bytes, length);
        nodeFiles.write(fd, bytes, 10);
        throw Object.assign(new Error("EIO"), { code: "EIO" });
      },
    };
    const old = await mustOpen(place, { files });
    old.log.append(lead, note("a"));
    // No sync of its own is left to come and find that it was overtaken.
    await old.log.durable(1);
    const next = await mustOpen(place, { owner: owner(2) });
    next.log.append(lead, note("b"));
    await next.log.durable(2);
    fail = true;
    expect(await faultOf(() => old.log.append(lead, note("stale")))).toBe("io");
    next.log.append(lead, note("c"));
    await next.log.close();
    expect(texts(await mustOpen(place))).toEqual(["a", "b", "c"]);
  });
});

type Said = { is: string; by?: number; message?: string };

/** A process that can be asked to race; gone after the test. */
function racer(place: TreePlace): (order?: string) => Promise<Said> {
  const program = join(import.meta.dirname, "fixtures/race-process.ts");
  const child = spawn(process.execPath, [program, place.stateDir, place.tree], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (order) => {
    if (order !== undefined) child.stdin.write(`${order}\n`);
    return JSON.parse((await lines.next()).value ?? '{"is":"died"}') as Said;
  };
}

test(`P.D07: ${rounds} times 8 processes open one tree at the same instant, and each time exactly one gets it`, async () => {
  const place = realPlace();
  await (await mustOpen(place)).log.close();
  const racers = Array.from({ length: 8 }, () => racer(place));
  for (const ask of racers) expect((await ask()).is).toBe("ready");
  // Every other time the lock is one whose number now belongs to another living program.
  const reused = { ...thisProcess(), startTime: "1" };
  for (let round = 1; round <= rounds; round++) {
    if (round % 2 === 0) writeLock(place, Number(locksOf(place).at(-1)?.slice(5)), lockOf(reused));
    const instant = Date.now() + 15;
    const said = await Promise.all(racers.map((ask) => ask(`open ${instant}`)));
    const winners = said.filter(({ is }) => is === "open");
    expect(winners, JSON.stringify(said)).toHaveLength(1);
    for (const loser of said.filter(({ is }) => is !== "open")) {
      expect(loser).toMatchObject({ is: "held", message: expect.stringContaining(`process ${winners[0]?.by} (race)`) });
    }
    await Promise.all(racers.map((ask) => ask("close")));
  }
  const { events, damage, log } = await mustOpen(place, { owner: thisProcess(), liveness });
  expect(seqs({ events })).toEqual(Array.from({ length: rounds * 5 }, (_, i) => i + 1));
  expect(damage).toEqual([]);
  expect(new Set(events.map(({ epoch }) => epoch)).size).toBe(rounds);
  await log.close();
}, 3_600_000);
