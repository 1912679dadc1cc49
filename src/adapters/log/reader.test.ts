import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Recorded } from "../../core/events.ts";
import { damagedFolder, treeFolder } from "./layout.ts";
import {
  journalFile,
  journalText,
  lead,
  lines,
  mustOpen,
  note,
  read,
  record,
  seqs,
  texts,
  written,
} from "./log-test-kit.ts";
import { nodeFiles } from "./node-files.ts";
import { peekTree } from "./peek-tree.ts";

describe("P.D04: a journal whose last line is half a record", () => {
  test("the fragment is set aside, the next record stands on its own line, and the person is told", async () => {
    for (const fragment of [record(3).slice(0, 30), record(3), "\0\0\0", "{", '\n\n{"v'.trimStart()]) {
      const place = written(lines(record(1), record(2)) + fragment);
      const { log, events, notices, damage } = await mustOpen(place);
      expect(seqs({ events })).toEqual([1, 2]);
      expect(damage).toEqual([
        { segment: "journal.jsonl", line: 3, bytes: fragment.length, what: "the last line is unfinished; skipped" },
      ]);
      expect(notices.join()).toMatch(/unfinished record; kept in damaged\/journal\.jsonl\.\d+/);
      expect(log.append(lead, note("after")).seq).toBe(3);
      await log.close();

      const [kept] = readdirSync(damagedFolder(treeFolder(place)));
      expect(readFileSync(join(damagedFolder(treeFolder(place)), kept ?? ""), "utf8")).toBe(fragment);
      const all = journalText(place)
        .trimEnd()
        .split("\n")
        .map((line): Recorded => JSON.parse(line));
      expect(all.map((each) => each.seq)).toEqual([1, 2, 3]);
      const again = await mustOpen(place);
      expect([again.damage, texts(again)]).toEqual([[], ["n1", "n2", "after"]]);
      await again.log.close();
    }
  });

  test("two fragments cut off at the same place are both kept", async () => {
    const place = written(lines(record(1)));
    for (const fragment of ['{"first', '{"second']) {
      appendFileSync(journalFile(place), fragment);
      await (await mustOpen(place)).log.close();
    }
    const folder = damagedFolder(treeFolder(place));
    expect(
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), "utf8"))
        .sort(),
    ).toEqual(['{"first', '{"second']);
  });

  test("reading alone changes nothing", async () => {
    const place = written(`${lines(record(1))}{"half`);
    expect(seqs(await read(place))).toEqual([1]);
    expect(journalText(place)).toBe(`${lines(record(1))}{"half`);
    expect(readdirSync(treeFolder(place))).toEqual(["journal.jsonl"]);
  });
});

describe("P.D05: everything that is not damaged is loaded, and what was skipped is told with its place", () => {
  const glued = record(2).slice(0, 25) + record(3);
  const cases: { name: string; journal: string | Buffer; seqs: number[]; told: RegExp[] }[] = [
    {
      name: "an invalid line in the middle",
      journal: lines(record(1), "{oops", record(3)),
      seqs: [1, 3],
      told: [/line 2: not valid JSON/, /line 3: record 2 is missing/],
    },
    {
      name: "a zero block over a line",
      journal: lines(record(1), "\0".repeat(512), record(3)),
      seqs: [1, 3],
      told: [/line 2: zero bytes/, /record 2 is missing/],
    },
    {
      name: "a zero block that ate a newline",
      journal: lines(record(1), record(2).slice(0, 20) + "\0".repeat(99) + record(3), record(4)),
      seqs: [1, 3, 4],
      told: [/line 2: zero bytes.*record 3 in it was saved/, /record 2 is missing/],
    },
    {
      name: "a record glued to a fragment",
      journal: lines(record(1), glued, record(4)),
      seqs: [1, 3, 4],
      told: [/line 2: .*record 3 in it was saved/, /record 2 is missing/],
    },
    {
      name: "two whole records glued",
      journal: lines(record(1), record(2) + record(3), record(4)),
      seqs: [1, 2, 3, 4],
      told: [/record 2, 3 in it was saved/],
    },
    {
      name: "a record twice",
      journal: lines(record(1), record(2), record(2), record(3)),
      seqs: [1, 2, 3],
      told: [/line 3: record 2 stands twice/],
    },
    {
      name: "two records with one number",
      journal: lines(record(1), record(2), record(2, { text: "other" }), record(3)),
      seqs: [1, 2, 3],
      told: [/line 3: there are two different records 2/],
    },
    {
      name: "missing records",
      journal: lines(record(1), record(5), record(6)),
      seqs: [1, 5, 6],
      told: [/line 2: records 2 to 4 are missing/],
    },
    {
      name: "a number with a damaged digit",
      journal: lines(record(1), record(92), record(3), record(4)),
      seqs: [1, 3, 4],
      told: [/line 2: record 92 does not fit/, /record 2 is missing/],
    },
    {
      name: "an epoch with a damaged digit",
      journal: lines(record(1), record(2, { epoch: 9 }), record(3), record(4)),
      seqs: [1, 2, 3, 4],
      told: [],
    },
    {
      name: "bytes that are not UTF-8",
      journal: Buffer.concat([
        Buffer.from(lines(record(1))),
        Buffer.from('{"v":"\xff"}\n', "latin1"),
        Buffer.from(lines(record(3))),
      ]),
      seqs: [1, 3],
      told: [/line 2: not valid UTF-8/, /missing/],
    },
    {
      name: "valid JSON that is no record",
      journal: lines(record(1), "[]", "7", '{"v":1}', record(2)),
      seqs: [1, 2],
      told: [/line 2: not a record/, /line 3/, /line 4/],
    },
    { name: "empty lines", journal: lines(record(1), "", record(2)), seqs: [1, 2], told: [/line 2/] },
    { name: "an empty journal", journal: "", seqs: [], told: [] },
  ];

  test.each(cases)("$name", async ({ journal, seqs: expected, told }) => {
    const place = written(journal);
    const reading = await read(place);
    expect(seqs(reading)).toEqual(expected);
    const said = reading.damage.map(({ segment, line, what }) => `${segment} line ${line}: ${what}`);
    expect(said).toEqual(told.map((pattern) => expect.stringMatching(pattern)));
    expect(readFileSync(journalFile(place))).toEqual(Buffer.from(journal));

    const { log, events } = await mustOpen(place);
    const next = (expected.at(-1) ?? 0) + 1;
    expect([seqs({ events }), log.append(lead, note("on")).seq]).toEqual([expected, next]);
    await log.close();
    // The damaged original is still there, and a list agrees with the full reading.
    expect(readFileSync(journalFile(place)).subarray(0, Buffer.byteLength(journal))).toEqual(Buffer.from(journal));
    expect((await peekTree(nodeFiles, place)).last?.seq).toBe(next);
  });

  test("a nested object that looks like a record is never taken for one", async () => {
    const forged = JSON.parse(record(2, { text: "forged" }));
    const carrier = record(2, { details: [forged, forged], tail: forged });
    for (const cut of [5, 40, carrier.indexOf("details")]) {
      expect(texts(await read(written(lines(record(1), carrier.slice(cut), record(3)))))).toEqual(["n1", "n3"]);
    }
    const text = record(2, { text: lines(record(2, { text: "forged" })) });
    expect(texts(await read(written(lines(record(1), text.slice(9), record(3)))))).toEqual(["n1", "n3"]);
  });
});

describe("segments", () => {
  test("P.D05: of two copies of a record, one with a damaged format digit does not hide the other", async () => {
    const newer = (seq: number): string => record(seq).replace('"v":1', '"v":4');
    for (const [first, second] of [
      [lines(record(1), record(2), record(3)), lines(newer(2))],
      [lines(record(1), newer(2)), lines(record(2), record(3))],
    ] as const) {
      const place = written(first);
      written(second, "journal.0002.jsonl", place);
      const reading = await read(place);
      expect(texts(reading)).toEqual(["n1", "n2", "n3"]);
      expect(reading.newer).toBeUndefined();
      expect(reading.damage.map(({ what }) => what)).toEqual([
        "there are two records 2; the one of a known format was kept",
      ]);
    }
  });

  test("a number may stand in two segments: the first whole copy counts, and a hole is filled from the second", async () => {
    const place = written(lines(record(1), record(2), "\0\0\0", record(4)) + record(5).slice(0, 20));
    written(lines(record(2), record(3), record(4), record(5), record(6)), "journal.0002.jsonl", place);
    const reading = await read(place);
    expect(texts(reading)).toEqual(["n1", "n2", "n3", "n4", "n5", "n6"]);
    expect(reading.damage.map(({ segment, line }) => [segment, line])).toEqual([
      ["journal.jsonl", 3],
      ["journal.jsonl", 5],
    ]);
    const { log } = await mustOpen(place);
    log.append(lead, note("n7"));
    await log.close();
    expect(journalText(place, "journal.0002.jsonl").endsWith('"text":"n7"}\n')).toBe(true);
    expect(seqs(await read(place))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe("records of an owner that had lost the tree", () => {
  const e2 = { epoch: 2 };
  const stale = { text: "stale" };
  const cases: { name: string; journal: string; texts: string[]; told: number }[] = [
    {
      name: "after its successor's",
      journal: lines(
        record(1),
        record(2, e2),
        record(3, e2),
        record(2, stale),
        record(3, stale),
        record(4, stale),
        record(4, e2),
      ),
      texts: ["n1", "n2", "n3", "n4"],
      told: 3,
    },
    {
      name: "after its successor's only one",
      journal: lines(record(1), record(2, e2), record(2, stale), record(3, stale)),
      texts: ["n1", "n2"],
      told: 2,
    },
    {
      name: "just before its successor's first",
      journal: lines(record(1), record(2, stale), record(3, stale), record(2, e2), record(3, e2)),
      texts: ["n1", "n2", "n3"],
      told: 2,
    },
    {
      name: "around its successor's first",
      journal: lines(record(1), record(2, stale), record(2, e2), record(3, stale), record(3, e2)),
      texts: ["n1", "n2", "n3"],
      told: 2,
    },
    {
      name: "with a number that its successor had not reached",
      journal: lines(record(1), record(2, e2), record(3, e2), record(9, stale)),
      texts: ["n1", "n2", "n3"],
      told: 1,
    },
  ];
  test.each(cases)("$name are ignored and told", async ({ journal, texts: expected, told }) => {
    const reading = await read(written(journal));
    expect(texts(reading)).toEqual(expected);
    expect(reading.damage.filter(({ what }) => what.includes("lost the tree"))).toHaveLength(told);
  });
});
