import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { LogFault } from "../../ports/tree-log.ts";
import type { Fault, OperationKind } from "../../testing/power-loss/fault-plan.ts";
import { faultyFiles } from "../../testing/power-loss/faulty-files.ts";
import { logFault } from "./log-faults.ts";
import { treeFolder, type TreePlace } from "./layout.ts";
import { faultOf, journalText, lead, mustOpen, note, realPlace, seqs, texts } from "./log-test-kit.ts";
import { nodeFiles } from "./node-files.ts";

type Trouble = Partial<Record<OperationKind, Fault>>;

/** A journal on the real disk whose operations on the journal's own files and folder fail while `trouble` says so. */
async function troubled(place: TreePlace = realPlace()) {
  const trouble: Trouble = {};
  const { files, operations } = faultyFiles(nodeFiles, ({ kind, path }) =>
    path.includes("journal") || kind === "syncFolder" ? trouble[kind] : undefined,
  );
  const faults: LogFault[] = [];
  const opened = await mustOpen(place, { files, onFault: (fault) => faults.push(fault) });
  return { place, trouble, operations, faults, ...opened };
}

const segmentsOf = (place: TreePlace): string[] =>
  readdirSync(treeFolder(place)).filter((name) => name.startsWith("journal"));

/** The length of the line that fails below, without its newline. */
const wholeLine = JSON.stringify({ v: 1, seq: 2, time: Date.now(), epoch: 1, ...lead, ...note("failed") }).length;

describe("P.D10: an append that fails is told at once, numbers nothing, and succeeds when the fault is gone", () => {
  const table: { name: string; trouble: Trouble; code: LogFault["code"]; segments: number }[] = [
    { name: "a full disk", trouble: { write: { code: "ENOSPC" } }, code: "full", segments: 1 },
    { name: "a quota", trouble: { write: { code: "EDQUOT" } }, code: "full", segments: 1 },
    { name: "a failing write", trouble: { write: { code: "EIO" } }, code: "io", segments: 1 },
    {
      name: "a failing write of which a part arrived",
      trouble: { write: { code: "EIO", after: 20 } },
      code: "io",
      segments: 1,
    },
    {
      name: "half a line that cannot be cut off",
      trouble: { write: { code: "EIO", after: 20 }, truncate: { code: "EIO" } },
      code: "io",
      segments: 2,
    },
    {
      name: "a whole line but its newline that cannot be cut off",
      trouble: { write: { code: "EIO", after: wholeLine }, truncate: { code: "EIO" } },
      code: "io",
      segments: 2,
    },
    {
      name: "half a line whose size cannot be told",
      trouble: { write: { code: "EIO", after: 20 }, size: { code: "EIO" } },
      code: "io",
      segments: 2,
    },
  ];
  test.each(table)("$name", async ({ trouble: wanted, code, segments }) => {
    const { place, trouble, log } = await troubled();
    log.append(lead, note("before"));
    Object.assign(trouble, wanted);
    for (let i = 0; i < 3; i++) expect(await faultOf(() => log.append(lead, note("failed")))).toBe(code);
    expect(log.seq).toBe(1);
    for (const kind of Object.keys(wanted)) delete trouble[kind as OperationKind];
    expect(log.append(lead, note("after")).seq).toBe(2);
    await log.durable(2);
    await log.close();
    expect(segmentsOf(place)).toHaveLength(segments);
    const again = await mustOpen(place);
    expect(texts(again)).toEqual(["before", "after"]);
    expect(again.damage).toHaveLength(segments - 1);
    await again.log.close();
  });

  test("a disk that fills up in the middle of a line", async () => {
    const { place, trouble, log, operations } = await troubled();
    log.append(lead, note("before"));
    // The first write is short, the next one refused: as a real disk does it.
    let first = true;
    Object.defineProperty(trouble, "write", {
      get: (): Fault => (first ? ((first = false), { code: "ENOSPC", after: 33 }) : { code: "ENOSPC" }),
      configurable: true,
    });
    expect(await faultOf(() => log.append(lead, note("failed")))).toBe("full");
    expect(operations.some(({ kind }) => kind === "truncate")).toBe(true);
    expect(journalText(place).endsWith('"before"}\n')).toBe(true);
    delete trouble.write;
    log.append(lead, note("after"));
    await log.close();
    const again = await mustOpen(place);
    expect([texts(again), again.damage]).toEqual([["before", "after"], []]);
    await again.log.close();
  });
});

describe("P.D10: a sync that fails", () => {
  test("once: is told, the unsynced tail is written again to a new segment, and those who wait are served", async () => {
    for (const kind of ["sync", "syncFolder"] as const) {
      const { place, trouble, faults, log, operations } = await troubled();
      const before = operations.length;
      log.append(lead, note("a"));
      const wait = log.durable(1);
      trouble[kind] = { code: "EIO" };
      log.append(lead, note("b"));
      while (!operations.slice(before).some((operation) => operation.kind === kind)) await new Promise(setImmediate);
      delete trouble[kind];
      await wait;
      expect(faults.map(({ code, message }) => [code, message])).toEqual([
        ["io", expect.stringMatching(/could not be synced .* EIO/)],
      ]);
      expect(segmentsOf(place)).toEqual(["journal.0002.jsonl", "journal.jsonl"]);
      expect(journalText(place, "journal.0002.jsonl")).toBe(journalText(place));
      log.append(lead, note("c"));
      await log.close();
      const again = await mustOpen(place);
      expect([texts(again), again.damage]).toEqual([["a", "b", "c"], []]);
      await again.log.close();
    }
  });

  test("for long: those who wait are told, appending goes on, nothing piles up, and all is durable once it works", async () => {
    const { place, trouble, faults, log } = await troubled();
    await log.durable(log.append(lead, note("safe")).seq);
    trouble.sync = { code: "EIO" };
    for (let i = 0; i < 5; i++) {
      const { seq } = log.append(lead, note(`n${i}`));
      expect(await faultOf(() => log.durable(seq))).toBe("io");
    }
    expect(faults.length).toBeGreaterThanOrEqual(5);
    delete trouble.sync;
    await log.durable(log.seq);
    // Segments that never had a good sync are gone again.
    expect(segmentsOf(place)).toHaveLength(2);
    await log.close();
    expect(texts(await mustOpen(place))).toEqual(["safe", "n0", "n1", "n2", "n3", "n4"]);
  });

  test("is tried again without anybody asking", async () => {
    const { trouble, log } = await troubled();
    trouble.sync = { code: "ENOSPC" };
    log.append(lead, note("a"));
    expect(await faultOf(() => log.durable(1))).toBe("full");
    const synced = new Promise<number>((resolve) => log.onSynced(resolve));
    // Long enough that no sync that was due anyway is left.
    await new Promise((resolve) => setTimeout(resolve, 150));
    delete trouble.sync;
    expect(await synced).toBe(1);
    await log.close();
  });

  test("when no new segment can be made either, the tail waits in memory and comes out when it can", async () => {
    const { place, trouble, log } = await troubled();
    Object.assign(trouble, { sync: { code: "EIO" }, open: { code: "ENOSPC" } } satisfies Trouble);
    log.append(lead, note("a"));
    expect(await faultOf(() => log.durable(1))).toBe("full");
    log.append(lead, note("b"));
    delete trouble.sync;
    delete trouble.open;
    await log.durable(2);
    await log.close();
    expect(texts(await mustOpen(place))).toEqual(["a", "b"]);
  });

  test("while closing: the fault is told, the lock is given back, and nothing that was written is lost", async () => {
    const { place, trouble, log } = await troubled();
    trouble.sync = { code: "EIO" };
    log.append(lead, note("a"));
    expect(await faultOf(() => log.close())).toBe("io");
    const again = await mustOpen(place, { liveness: () => "alive" });
    expect(texts(again)).toEqual(["a"]);
    await again.log.close();
  });

  test("while opening: what was read is written again to a new segment", async () => {
    const place = realPlace();
    const first = await mustOpen(place);
    first.log.append(lead, note("a"));
    let failures = 1;
    const faults: LogFault[] = [];
    const { files } = faultyFiles(nodeFiles, ({ kind }) =>
      kind === "sync" && failures-- > 0 ? { code: "EIO" } : undefined,
    );
    const second = await mustOpen(place, { files, onFault: (fault) => faults.push(fault) });
    expect(faults).toHaveLength(1);
    await second.log.close();
    expect(journalText(place, "journal.0002.jsonl")).toBe(journalText(place));
    failures = 9;
    expect(await faultOf(() => mustOpen(place, { files }))).toBe("io");
    const third = await mustOpen(place, { liveness: () => "alive" });
    expect([seqs(third), third.damage]).toEqual([[1], []]);
    await third.log.close();
  });
});

test("P.D10: a full disk while opening is told, and the tree opens when there is space", async () => {
  const place = realPlace();
  let full = true;
  const { files } = faultyFiles(nodeFiles, ({ kind }) => (full && kind === "write" ? { code: "ENOSPC" } : undefined));
  expect(await faultOf(() => mustOpen(place, { files }))).toBe("full");
  full = false;
  await (await mustOpen(place, { files, mode: "existing", liveness: () => "alive" })).log.close();
});

test("P.D10: a full disk while closing still gives the tree back", async () => {
  const place = realPlace();
  let full = false;
  const { files } = faultyFiles(nodeFiles, ({ kind, path }) =>
    full && (kind === "write" || kind === "open") && path.includes("lock-new") ? { code: "ENOSPC" } : undefined,
  );
  const { log } = await mustOpen(place, { files });
  log.append(lead, note("a"));
  full = true;
  await log.close();
  full = false;
  const again = await mustOpen(place, { files, liveness: () => "alive" });
  expect(again.log.epoch).toBe(2);
  again.log.append(lead, note("b"));
  await again.log.close();
  expect(texts(await mustOpen(place))).toEqual(["a", "b"]);
});

test("a folder that may not be written is named, with what to do", () => {
  const error = Object.assign(new Error("EACCES"), { code: "EACCES", path: "/state/trees" });
  expect(logFault(error, "the session could not be opened").message).toBe(
    "the session could not be opened: EACCES (/state/trees); mend its permissions, or set SOUS_STATE_DIR",
  );
});
