import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { FORMAT } from "../../core/events.ts";
import { treeFolder } from "./layout.ts";
import {
  child,
  faultOf,
  journalFile,
  journalText,
  lead,
  mustOpen,
  note,
  owner,
  realPlace,
  seqs,
  texts,
  tryOpen,
} from "./log-test-kit.ts";
import { nodeFiles } from "./node-files.ts";
import { readTree } from "./read-tree.ts";

describe("a tree's journal", () => {
  test("what was appended is there again, numbered without gaps, with its owner's epoch", async () => {
    const place = realPlace();
    const first = await mustOpen(place);
    expect(first.events).toEqual([]);
    const a = first.log.append(lead, note("a"));
    const b = first.log.append(child, note("b"));
    expect([a.seq, b.seq, first.log.seq, first.log.epoch]).toEqual([1, 2, 2, 1]);
    await first.log.close();

    const second = await mustOpen(place);
    expect(second.events).toEqual([a, b]);
    expect([second.damage, second.notices]).toEqual([[], []]);
    const c = second.log.append(lead, note("c"));
    expect([c.seq, c.epoch]).toEqual([3, 2]);
    await second.log.close();
  });

  test("X7: the history of one session can be read back while the tree is written", async () => {
    const place = realPlace();
    const first = await mustOpen(place);
    const a = first.log.append(child, note("a"));
    first.log.append(lead, note("b"));
    await first.log.close();
    const { log } = await mustOpen(place);
    const c = log.append(child, note("c"));
    expect(await log.history(child.session)).toEqual([a, c]);
    await log.close();
  });

  test("a line begins with its envelope, in a fixed order", async () => {
    const place = realPlace();
    const { log } = await mustOpen(place, { now: () => 1000 });
    log.append(child, note("hi"));
    expect(journalText(place)).toBe(
      `{"v":${FORMAT},"seq":1,"time":1000,"epoch":1,"session":"${child.session}","path":"ROOT::S1",` +
        `"parent":"${lead.session}","type":"note.added","kind":"test","text":"hi"}\n`,
    );
    await log.close();
  });

  test("an event is in the file before append returns, whatever its text", async () => {
    const place = realPlace();
    const { log } = await mustOpen(place);
    const nasty = ["\u2028\u0000\n", "😀".repeat(30_000), "\ud800 lone", "x".repeat(300_000), '{"v":1}\n{"v":1}'];
    for (const text of nasty) {
      log.append(lead, note(text));
      expect(journalText(place).endsWith(`${JSON.stringify(text)}}\n`)).toBe(true);
    }
    await log.close();
    expect(texts(await mustOpen(place))).toEqual(nasty);
  });

  test("durable resolves for all who wait, with few syncs, and tells the watermark", async () => {
    const place = realPlace();
    let syncs = 0;
    const files = { ...nodeFiles, sync: (fd: number) => (syncs++, nodeFiles.sync(fd)) };
    const { log } = await mustOpen(place, { files });
    const marks: number[] = [];
    log.onSynced((seq) => marks.push(seq));
    await Promise.all(Array.from({ length: 200 }, (_, i) => log.durable(log.append(lead, note(`${i}`)).seq)));
    expect(marks.at(-1)).toBe(200);
    expect(syncs).toBeLessThanOrEqual(2);
    await log.durable(1);
    await expect(log.durable(201)).rejects.toThrow("nothing has number 201");
    await log.close();
  });

  test("one who asks again in any moment after it was answered does not wait for the timer", async () => {
    const { log } = await mustOpen(realPlace(), { syncWithinMs: 60_000 });
    for (let moments = 0; moments < 12; moments++) {
      await log.durable(log.append(lead, note("a")).seq);
      for (let i = 0; i < moments; i++) await Promise.resolve();
    }
    await log.close();
  });

  test("what nobody waits for is synced within the set time", async () => {
    const { log } = await mustOpen(realPlace(), { syncWithinMs: 50 });
    const synced = new Promise<number>((resolve) => log.onSynced(resolve));
    log.append(lead, note("a"));
    expect(await synced).toBe(1);
    await log.close();
  });

  test("a listener that throws is loud, and the syncing goes on", async () => {
    const loud = new Promise<unknown>((resolve) => {
      const others = process.listeners("uncaughtException");
      process.removeAllListeners("uncaughtException").once("uncaughtException", (error) => {
        for (const other of others) process.on("uncaughtException", other);
        resolve(error);
      });
    });
    const { log } = await mustOpen(realPlace());
    let calls = 0;
    log.onSynced(() => {
      if (++calls === 1) throw new Error("a bug in a listener");
    });
    for (let i = 0; i < 3; i++) await log.durable(log.append(lead, note("a")).seq);
    expect(await loud).toMatchObject({ message: "a bug in a listener" });
    expect(calls).toBe(3);
    await log.close();
  });

  test("after closing nothing can be appended, and closing again does nothing", async () => {
    const { log } = await mustOpen(realPlace());
    log.append(lead, note("a"));
    await Promise.all([log.close(), log.close()]);
    expect(await faultOf(() => log.append(lead, note("b")))).toBe("closed");
    await log.durable(1);
  });

  test("creating a session that exists, or opening one that does not, is refused with a reason", async () => {
    const place = realPlace();
    expect(await tryOpen(place, { mode: "existing" })).toMatchObject({
      is: "refused",
      message: expect.stringMatching(/there is no session/),
    });
    expect(existsSync(place.stateDir)).toBe(false);
    await (await mustOpen(place)).log.close();
    expect(await tryOpen(place, { mode: "create" })).toMatchObject({
      is: "refused",
      message: expect.stringMatching(/exists already/),
    });
    await (await mustOpen(place)).log.close();
  });
});

describe("folders and files", () => {
  test("P.F04: folders are 0700 and files 0600 whatever the umask", async () => {
    for (const mask of [0o000, 0o022, 0o777]) {
      const place = realPlace();
      const before = process.umask(mask);
      onTestFinished(() => void process.umask(before));
      const { log } = await mustOpen(place);
      log.append(lead, note("a"));
      await log.close();
      process.umask(before);
      const folder = treeFolder(place);
      const modeOf = (path: string): number => statSync(path).mode & 0o777;
      for (const path of [place.stateDir, dirname(folder), folder, join(folder, "sessions")])
        expect(modeOf(path)).toBe(0o700);
      for (const path of ["journal.jsonl", "sessions/ROOT.jsonl", "lock.1"])
        expect(modeOf(join(folder, path))).toBe(0o600);
    }
  });

  test("P.F04: a state folder, tree folder or journal that is a symlink is refused and nothing is written through it", async () => {
    for (const link of ["state", "state/trees", "tree", "tree/sessions", "tree/artifacts"]) {
      const place = realPlace();
      const home = join(dirname(place.stateDir), "home");
      mkdirSync(home);
      const path = link
        .replace("state", place.stateDir)
        .replace("tree/", `${treeFolder(place)}/`)
        .replace(/^tree$/, treeFolder(place));
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(home, path);
      const opened = await tryOpen(place, { mode: "create" });
      expect(opened).toMatchObject({ is: "refused", message: expect.stringMatching(/symbolic link/) });
      expect(await readTree(nodeFiles, place)).toMatchObject({ is: "refused" });
      expect(readdirSync(home)).toEqual([]);
    }
    const place = realPlace();
    mkdirSync(treeFolder(place), { recursive: true });
    const target = join(dirname(place.stateDir), "precious");
    writeFileSync(target, "");
    symlinkSync(target, journalFile(place));
    expect(await faultOf(() => tryOpen(place, { mode: "existing" }))).toBe("io");
    expect(statSync(target).size).toBe(0);
  });

  test("a file where a folder should be is refused with a reason", async () => {
    const place = realPlace();
    writeFileSync(place.stateDir, "");
    expect(await tryOpen(place, { mode: "create" })).toMatchObject({
      is: "refused",
      message: expect.stringMatching(/is not a folder/),
    });
  });
});

describe("how the last owner ended", () => {
  test("a clean end is not mentioned; a killed owner and a lost machine are", async () => {
    const place = realPlace();
    await (await mustOpen(place, { owner: owner(7) })).log.close();
    const clean = await mustOpen(place, { owner: owner(8) });
    expect(clean.notices).toEqual([]);
    clean.log.append(lead, note("a"));
    const killed = await mustOpen(place, { owner: owner(9) });
    expect(killed.notices).toEqual(["process 8 (sous run) ended without closing the session; all it wrote is here"]);
    expect(seqs(killed)).toEqual([1]);
    const rebooted = await mustOpen(place, { owner: owner(9, { bootId: "boot-2" }) });
    expect(rebooted.notices).toEqual([
      expect.stringMatching(/machine went down .* not yet acknowledged .* may be missing/),
    ]);
    await rebooted.log.close();
  });
});

describe("versions", () => {
  const line = (more: object): string =>
    `${JSON.stringify({ v: FORMAT, seq: 2, time: 5, epoch: 1, session: lead.session, path: "ROOT", type: "note.added", ...more })}\n`;

  async function journalOf(...lines: string[]) {
    const place = realPlace();
    const { log } = await mustOpen(place);
    log.append(lead, note("first"));
    await log.close();
    appendFileSync(journalFile(place), lines.join(""));
    return place;
  }

  test("P.D09: a record of an unknown type and unknown fields are kept as they are, and the journal goes on", async () => {
    const newer = { type: "moon.landed", crew: { size: 3 }, kind: "x" };
    const place = await journalOf(line(newer));
    const before = journalText(place);
    const { log, events, damage } = await mustOpen(place);
    expect(events[1]).toMatchObject(newer);
    expect(damage).toEqual([]);
    log.append(lead, note("third"));
    await log.close();
    expect(journalText(place).startsWith(before)).toBe(true);
    expect(seqs(await mustOpen(place))).toEqual([1, 2, 3]);
  });

  test("P.D09: a record of a newer format opens the tree read-only, with a message, and nothing is changed", async () => {
    const place = await journalOf(line({ v: FORMAT + 1, sneq: 2 }), line({ seq: 3, text: "half" }).slice(0, 40));
    const before = journalText(place);
    const opened = await tryOpen(place);
    expect(opened).toMatchObject({
      is: "read-only",
      why: expect.stringMatching(/1 of its records was written by a newer version of Sous \(format 2\)/),
    });
    expect(opened.is === "read-only" && seqs(opened)).toEqual([1]);
    expect(journalText(place)).toBe(before);
    expect(await readTree(nodeFiles, place)).toMatchObject({
      is: "read",
      newer: { format: 2, records: 1 },
    });
    // No lock was taken: a newer version may open it at once.
    expect(await tryOpen(place, { liveness: () => "alive" })).toMatchObject({ is: "read-only" });
  });

  test("P.D09: a record of the format before is loaded and the journal goes on", async () => {
    const place = await journalOf(line({ v: FORMAT - 1, text: "old", kind: "x" }));
    const { log, events } = await mustOpen(place);
    expect(texts({ events })).toEqual(["first", "old"]);
    expect(log.append(lead, note("new")).seq).toBe(3);
    await log.close();
  });
});
