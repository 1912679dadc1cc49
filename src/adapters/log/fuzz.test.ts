import { expect, test } from "vitest";
import { everyEvent } from "../../core/event-shape-test-kit.ts";
import { foldTree, newTree } from "../../core/tree-state.ts";
import { SimulatedDisk } from "../../testing/power-loss/disk.ts";
import { dice, type Dice } from "../../testing/power-loss/random.ts";
import { segmentName, treeFolder, type TreePlace } from "./layout.ts";
import { child, lead, mustOpen, note, tree, tryOpen } from "./log-test-kit.ts";

const place: TreePlace = { stateDir: "/state", tree };
const folder = treeFolder(place);
const everyKind = Object.values(everyEvent);
const rounds = process.env["SOAK"] === "1" ? 1_000_000 : 1_000;
/** A single seed, to see again what a long run found. */
const only = Number(process.env["FUZZ_SEED"] ?? 0);

/** A sound journal: owners in turn, sometimes a second segment that repeats the tail of the first. */
function soundJournal(random: Dice): string[][] {
  const lines: string[] = [];
  let epoch = 1;
  for (let seq = 1; seq <= random.int(5, 60); seq++) {
    if (random.next() < 0.08) epoch += random.int(1, 3);
    const origin = random.next() < 0.3 ? child : lead;
    const event = random.next() < 0.5 ? everyKind[random.int(0, everyKind.length)]! : undefined;
    const text = random.next() < 0.2 ? 'é😀 {"v":1,"seq":3}\n' : "x".repeat(random.int(0, 200));
    lines.push(
      `${JSON.stringify({ v: 1, seq, time: seq * 10, epoch, ...origin, ...(event ?? note(`${seq} ${text}`)), n: { v: 1 } })}\n`,
    );
  }
  if (random.next() < 0.6) return [lines];
  const cut = random.int(1, lines.length);
  return [lines.slice(0, cut), lines.slice(Math.max(0, cut - random.int(0, 5)))];
}

type Mutant = { readonly bytes: Buffer; readonly intact: readonly string[] };

/** Damages some bytes; `intact` are the lines that no damage touched, not even their newlines. */
function mutate(lines: readonly string[], random: Dice): Mutant {
  const bytes = Buffer.from(lines.join(""));
  const touched = new Set<number>();
  const ends: number[] = [];
  for (const line of lines) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(line));
  const touch = (from: number, to: number): void => {
    for (const [i, end] of ends.entries()) {
      const start = ends[i - 1] ?? 0;
      // The newline before a line is part of what makes it a line.
      if (from < end && to > start - 1) touched.add(i);
    }
  };
  let image = bytes;
  for (let n = random.int(0, 4); n > 0; n--) {
    const at = random.int(0, bytes.length);
    const length = Math.min(bytes.length - at, random.next() < 0.5 ? 1 : random.int(1, 700));
    const kind = random.next();
    touch(at, at + length);
    if (kind < 0.3) image.fill(0, at, at + length);
    else if (kind < 0.7) for (let i = at; i < at + length; i++) image[i] = random.int(0, 256);
    else for (let i = at; i < at + length; i++) image[i] = 0x30 + random.int(0, 10);
  }
  if (random.next() < 0.3) {
    const cut = random.int(0, image.length);
    touch(cut, image.length);
    image = image.subarray(0, cut);
  }
  return { bytes: Buffer.from(image), intact: lines.filter((_, i) => !touched.has(i)) };
}

test(`P.D05: ${rounds} damaged journals open and fold without a crash, every undamaged record is loaded, and the log goes on`, async () => {
  let damaged = 0;
  for (let seed = only || 1; seed <= (only || rounds); seed++) {
    const random = dice(seed);
    const segments = soundJournal(random);
    const mutants = segments.map((lines) => mutate(lines, random));
    const disk = new SimulatedDisk(() => 0);
    for (const path of ["/state", "/state/trees", folder]) disk.files.makeFolder(path);
    for (const [i, { bytes }] of mutants.entries()) {
      const fd = disk.files.openAppend(`${folder}/${segmentName(i + 1)}`, true);
      disk.files.write(fd, bytes, bytes.length);
    }
    const opened = await tryOpen(place, { files: disk.files, mode: "existing" });
    if (opened.is !== "open" && opened.is !== "read-only") throw new Error(`seed ${seed}: ${opened.message}`);
    const { events, damage } = opened;
    const state = newTree();
    for (const event of events) foldTree(state, event);
    if (damage.length > 0) damaged++;
    const loaded = new Set(events.map((event) => `${JSON.stringify(event)}\n`));
    const numbers = events.map((event) => event.seq);
    for (const line of mutants.flatMap(({ intact }) => intact)) {
      // Of a record that stands in two segments, the other copy may be damaged and still look whole.
      const twice = segments.length === 2 && segments.every((lines) => lines.includes(line));
      const { seq } = JSON.parse(line) as { seq: number };
      const there = twice ? numbers.includes(seq) : loaded.has(line);
      if (!there) throw new Error(`seed ${seed}: an undamaged record was not loaded: ${line}`);
    }
    expect(numbers, `seed ${seed}`).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    // A damaged version digit looks like a newer format: then the rest can be read, and nothing is written.
    if (opened.is === "read-only") continue;
    const { log } = opened;
    const next = log.append(lead, note("on"));
    await log.close();
    const again = await mustOpen(place, { files: disk.files, mode: "existing" });
    expect(again.events, `seed ${seed}`).toEqual([...events, next]);
    await again.log.close();
  }
  // One seed alone may be of either kind.
  expect(damaged).toBeGreaterThan(only ? -1 : rounds / 2);
}, 3_600_000);
