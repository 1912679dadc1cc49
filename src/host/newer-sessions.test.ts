import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { sendAtRest } from "./control/at-rest.ts";
import { forkAtRest } from "./control/fork-at-rest.ts";
import { everyEvent } from "../core/event-shape-test-kit.ts";
import { ROOT, childPath, sessionId } from "../core/ids.ts";
import { createMask } from "../core/mask.ts";
import { tempDir } from "../testing/memory/temp-dir.ts";
import { dice, type Dice } from "../testing/power-loss/random.ts";
import { exportSession } from "./export.ts";
import { openSession } from "./open-session.ts";
import { searchSessions } from "./session-search.ts";
import { listSessions, readState } from "./session-store.ts";
import { removeOld } from "./retention.ts";

const tree = sessionId("00000000-0000-7000-8000-000000000001");
const child = sessionId("00000000-0000-7000-8000-000000000002");
const rest = (stateDir: string) => ({ stateDir, mask: createMask() });
type Line = Record<string, unknown>;

/** A journal of every kind of record, as this version writes it. */
const ours = (): Line[] =>
  Object.values(everyEvent).map((event, at) => ({
    v: 1,
    seq: at + 1,
    time: 1_000 + at,
    epoch: 1,
    ...(at > 0 && event.type.startsWith("turn.")
      ? { session: child, path: childPath(ROOT, 1), parent: tree }
      : { session: tree, path: ROOT }),
    ...event,
  }));

async function stored(lines: readonly Line[]) {
  const dir = await tempDir();
  onTestFinished(() => dir[Symbol.asyncDispose]());
  const folder = dir.join("trees", tree);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "journal.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return { stateDir: dir.path, folder };
}

/** Every name, size and byte of the tree's folder. */
function imageOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const path = join(folder, name);
    hash.update(name).update(statSync(path).isFile() ? readFileSync(path) : "folder");
  }
  return hash.digest("hex");
}

async function found(stateDir: string, wanted: string): Promise<number> {
  let hits = 0;
  for await (const one of searchSessions(stateDir, wanted)) hits += one.hits.length + one.more;
  return hits;
}

const open = (stateDir: string) => openSession(stateDir, tree, "existing", () => {});

describe("P.D09: a session in which a newer version wrote", () => {
  const cases: readonly (readonly [string, (lines: Line[]) => Line[]])[] = [
    ["everything", (lines) => lines.map((line) => ({ ...line, v: 2 }))],
    ["its first record", ([first, ...more]) => [{ ...first, v: 3 }, ...more]],
    ["its last record", (lines) => [...lines.slice(0, -1), { ...lines.at(-1), v: 2 }]],
    ["a first record with other fields", ([first, ...more]) => [{ ...first, v: 2, binding: 7, title: 3 }, ...more]],
    [
      "a record in the middle with other fields",
      (lines) => lines.map((line, at) => (at === 9 ? { ...line, v: 2, turn: "x" } : line)),
    ],
    [
      "a type of its own",
      (lines) => [...lines, { ...lines[0], v: 2, seq: lines.length + 1, type: "moon.landed", by: "apollo eleven" }],
    ],
    [
      "another envelope",
      (lines) => [...lines, { v: 2, seq: String(lines.length + 1), at: "now", type: "moon.landed", by: "apollo" }],
    ],
  ];

  test.each(cases)(
    "is listed, shown, searched and exported where it wrote %s, and no byte changes",
    async (_, change) => {
      const lines = change(ours());
      const { stateDir, folder } = await stored(lines);
      const before = imageOf(folder);
      const format = Math.max(...lines.map(({ v }) => v as number));
      // A list looks at both ends: no version adds to what it does not understand, so that the newest stands there.
      const atAnEnd = [lines[0], lines.at(-1)].some((line) => line?.["v"] !== 1);
      expect(await listSessions(stateDir)).toMatchObject([{ id: tree, ...(atAnEnd && { newerFormat: format }) }]);
      const { notices, events } = await readState(stateDir, tree);
      expect(notices.join("\n")).toMatch(
        new RegExp(`can only be read here: .*newer version of Sous .*format ${format}.*update Sous`),
      );
      const whole = lines.filter((line) => typeof line["seq"] === "number");
      expect(events).toEqual(whole);
      const { text } = await exportSession(stateDir, tree, "jsonl");
      expect(text).toBe(whole.map((line) => `${JSON.stringify(line)}\n`).join(""));
      for (const form of ["md", "atif"] as const)
        expect((await exportSession(stateDir, tree, form)).text).toContain(tree);
      await expect(open(stateDir)).rejects.toThrow(/can only be read here: .*update Sous to go on with it/);
      const to = { tree, session: tree, path: ROOT };
      await expect(sendAtRest(rest(stateDir), to, "go on", "steer")).rejects.toThrow(/can only be read/);
      await expect(forkAtRest(rest(stateDir), to, {})).rejects.toThrow(/can only be read/);
      expect(await removeOld(stateDir, { days: 1, sessions: 0 }, Date.now())).toBe(0);
      expect(imageOf(folder)).toBe(before);
    },
  );

  test("what is not understood is named where it is left out, and found by a search", async () => {
    const [first, ...more] = ours();
    const strange = { ...first, type: "moon.landed", crew: [{ name: "apollo eleven" }] };
    for (const v of [1, 2]) {
      const lines = [first, { ...strange, v, seq: 2 }, ...more.map((line, at) => ({ ...line, seq: at + 3 }))] as Line[];
      const { stateDir } = await stored(lines);
      const { notices } = await readState(stateDir, tree);
      expect(notices.at(-1)).toMatch(/^1 record is not understood by this version: moon\.landed \(1\)/);
      expect((await exportSession(stateDir, tree, "md")).text).toContain(
        "A record of the type moon.landed stands here",
      );
      expect(await found(stateDir, "apollo eleven")).toBe(1);
    }
  });
});

const rounds = process.env["SOAK"] === "1" ? 20_000 : 150;

test(`P.D09: ${rounds} journals of unknown types, versions and fields are all listed, read and kept, or refused untouched`, async () => {
  for (let seed = 1; seed <= rounds; seed++) {
    const lines = mutated(ours(), dice(seed));
    const { stateDir, folder } = await stored(lines);
    const before = imageOf(folder);
    const isNewer = lines.some(({ v }) => (v as number) > 1);
    const rows = await listSessions(stateDir);
    expect(rows, `seed ${seed}`).toHaveLength(1);
    const atAnEnd = [lines[0], lines.at(-1)].some((line) => line?.["v"] !== 1);
    const marked = rows[0]?.newerFormat !== undefined;
    expect(marked ? isNewer : !atAnEnd, `seed ${seed}`).toBe(true);
    const record = await readState(stateDir, tree);
    const numbers = new Set(record.events.map(({ seq }) => seq));
    const unseen = lines.filter(({ seq }) => !numbers.has(seq as number));
    // What is left out of everything is damage of our own format, and told.
    expect(record.notices.filter((notice) => notice.startsWith("damaged")).length, `seed ${seed}`).toBe(unseen.length);
    expect(
      unseen.every(({ v }) => v === 1),
      `seed ${seed}`,
    ).toBe(true);
    for (const form of ["md", "jsonl", "atif"] as const) await exportSession(stateDir, tree, form);
    await found(stateDir, "needle");
    expect(imageOf(folder), `seed ${seed}`).toBe(before);
    expect(await addedTo(stateDir, folder), `seed ${seed}`).toEqual({ refused: isNewer, same: isNewer, kept: true });
  }
});

/** What opening it for work and adding a record does to its files. */
async function addedTo(stateDir: string, folder: string) {
  const file = join(folder, "journal.jsonl");
  const [before, journal] = [imageOf(folder), readFileSync(file, "utf8")];
  const opened = await open(stateDir).catch((error: Error) => error);
  const refused = opened instanceof Error;
  if (!refused) {
    opened.log.append(opened.origin, everyEvent["note.added"]);
    await opened.log.close();
  }
  return { refused, same: imageOf(folder) === before, kept: readFileSync(file, "utf8").startsWith(journal) };
}

/** As a version to come might write it. */
function mutated(lines: Line[], random: Dice): Line[] {
  const newer = random.next() < 0.7;
  return lines.map((line, at) => {
    const out: Line = { ...line };
    if (newer && random.next() < 0.3) out["v"] = random.int(2, 5);
    const strange = out["v"] !== 1;
    if (at > 0 && random.next() < 0.1)
      out["type"] = ["moon.landed", "__proto__", "toString", "run.pondered"][random.int(0, 4)];
    if (random.next() < 0.3) out[`extra${random.int(0, 9)}`] = [{ deep: "needle" }, null, 7][random.int(0, 3)];
    if (strange && random.next() < 0.5) {
      const names = Object.keys(everyEvent[line["type"] as "note.added"] ?? {}).filter((name) => name !== "type");
      const name = names[random.int(0, names.length)];
      if (name !== undefined) out[name] = [undefined, 7, "needle", [], {}, null][random.int(0, 6)];
    }
    return out;
  });
}
