import { describe, expect, test } from "vitest";
import { SimulatedDisk } from "../../testing/power-loss/disk.ts";
import { damages } from "../../testing/power-loss/damage.ts";
import { faultyFiles } from "../../testing/power-loss/faulty-files.ts";
import type { FaultPlan, OperationKind } from "../../testing/power-loss/fault-plan.ts";
import { dice } from "../../testing/power-loss/random.ts";
import { child, lead, mustOpen, note, owner, texts, tree } from "./log-test-kit.ts";
import type { TreePlace } from "./layout.ts";

const place: TreePlace = { stateDir: "/home/state", tree };
const soak = process.env["SOAK"] === "1";
const now = (): number => 1_000_000;

/** Texts by number. */
type Texts = Map<number, string>;

/** The reference run: three owners in turn, single and joint waits, events nobody waits for, one sync that fails. */
async function referenceRun(disk: SimulatedDisk, plan: FaultPlan, seed: number, appended: Texts, acknowledged: Texts) {
  const { files } = faultyFiles(disk.files, plan);
  const random = dice(seed);
  for (let pid = 1; pid <= 3; pid++) {
    const { log } = await mustOpen(place, { files, now, owner: owner(pid), mode: pid === 1 ? "create" : "existing" });
    const acknowledge = (upTo: number): void => {
      for (const [seq, text] of appended) if (seq <= upTo) acknowledged.set(seq, text);
    };
    const waits: Promise<void>[] = [];
    for (let i = 0; i < 20; i++) {
      const text = `${pid}.${i} ${"x".repeat(random.int(0, i === 7 ? 9000 : 300))}`;
      const { seq } = log.append(i % 3 === 0 ? child : lead, note(text));
      appended.set(seq, text);
      if (random.next() < 0.4) waits.push(log.durable(seq).then(() => acknowledge(seq)));
      waits.at(-1)?.catch(() => {});
      // Sometimes the sync begins here, and what follows is appended while it is under way.
      if (random.next() < 0.5) await Promise.resolve();
      if (random.next() < 0.3) await Promise.all(waits.splice(0));
    }
    const { seq } = log;
    if (pid === 2) await Promise.allSettled(waits);
    // The second owner is killed: it neither syncs nor releases.
    else await log.close().then(() => acknowledge(seq));
    await Promise.all(waits);
  }
}

async function runUntil(stopAt: number, seed: number, failSyncAt = 0) {
  const disk = new SimulatedDisk(now);
  const [appended, acknowledged]: [Texts, Texts] = [new Map(), new Map()];
  const operations: OperationKind[] = [];
  let syncs = 0;
  const plan: FaultPlan = ({ n, kind }) => {
    operations.push(kind);
    if (n >= stopAt) disk.powerOff();
    return n >= stopAt || (kind === "sync" && ++syncs === failSyncAt) ? { code: "EIO" } : undefined;
  };
  await referenceRun(disk, plan, seed, appended, acknowledged).catch((error: unknown) => {
    if (stopAt > operations.length) throw error;
  });
  return { disk, appended, acknowledged, operations };
}

/** Before an operation that only looks, the disk is as before the next one that changes it. */
const onlyLooks: ReadonlySet<OperationKind> = new Set(["read", "list", "look", "size", "close"]);
function momentsOf(operations: readonly OperationKind[]): readonly number[] {
  const all = [...operations.keys()].map((i) => i + 1);
  return [...(soak ? all : all.filter((n) => !onlyLooks.has(operations[n - 1] ?? "write"))), operations.length + 1];
}

/** Everything expected is there and contiguous, and the journal can be written and read on. */
async function check(disk: SimulatedDisk, expected: Texts, what: string): Promise<void> {
  const mode = disk.files.look(`/home/state/trees/${tree}`) ? "existing" : "create";
  const later = (): number => now() + 60_000;
  const overrides = { files: disk.files, now: later, owner: owner(50, { bootId: "boot-2" }), mode } as const;
  const opened = await mustOpen(place, overrides);
  const found = new Map(opened.events.map((event, i) => [event.seq, texts(opened)[i]]));
  for (const [seq, text] of expected) expect(found.get(seq), `${what}: event ${seq}`).toBe(text);
  const next = opened.log.append(lead, note("after"));
  await opened.log.durable(next.seq);
  await opened.log.close();
  const again = await mustOpen(place, { ...overrides, mode: "existing" });
  expect(again.events.at(-1), what).toEqual(next);
  expect(again.events.slice(0, -1), what).toEqual(opened.events);
  await again.log.close();
}

describe("P.D03: a power loss at every operation of a reference run", () => {
  const seeds = Array.from({ length: soak ? 10 : 1 }, (_, i) => i + 1);
  test.each(seeds)(
    "loses nothing that was acknowledged, whatever becomes of the rest: seed %i",
    async (seed) => {
      const whole = await runUntil(Number.POSITIVE_INFINITY, seed, 6);
      expect(whole.acknowledged.size).toBeGreaterThan(50);
      let runsWithSomethingToLose = 0;
      for (const moment of momentsOf(whole.operations)) {
        const { disk, acknowledged } = await runUntil(moment, seed, 6);
        if (acknowledged.size > 0) runsWithSomethingToLose++;
        for (const kind of damages) {
          const image = disk.afterPowerLoss(kind, seed * 10_000 + moment);
          await check(image, acknowledged, `power lost at operation ${moment}, ${kind}`);
        }
      }
      expect(runsWithSomethingToLose).toBeGreaterThan(60);
    },
    600_000,
  );

  test("and again while the journal is being mended after the first", async () => {
    const random = dice(7);
    for (let round = 0; round < (soak ? 3000 : 150); round++) {
      const first = await runUntil(random.int(40, 260), 3);
      const kind = damages[random.int(0, damages.length)] ?? "torn";
      const image = first.disk.afterPowerLoss(kind, round);
      const mode = image.files.look(`/home/state/trees/${tree}`) ? "existing" : "create";
      const stopAt = random.int(1, 45);
      const { files } = faultyFiles(image.files, ({ n }) => {
        if (n < stopAt) return undefined;
        image.powerOff();
        return { code: "EIO" };
      });
      const acknowledged: Texts = new Map(first.acknowledged);
      const second = async (): Promise<void> => {
        const { log } = await mustOpen(place, { files, now, mode, owner: owner(9, { bootId: "boot-2" }) });
        const { seq } = log.append(lead, note("mended"));
        await log.durable(seq);
        acknowledged.set(seq, "mended");
      };
      await second().catch(() => {});
      const again = image.afterPowerLoss(damages[random.int(0, damages.length)] ?? "torn", round + 1);
      await check(again, acknowledged, `round ${round}, ${kind}`);
    }
  }, 120_000);
});

test("P.D01: a kill at every operation of a reference run loses nothing that was written", async () => {
  const { operations } = await runUntil(Number.POSITIVE_INFINITY, 2);
  for (const moment of momentsOf(operations)) {
    const { disk, appended } = await runUntil(moment, 2);
    await check(disk.afterKill(), appended, `killed at operation ${moment}`);
  }
}, 60_000);
