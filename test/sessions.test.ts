// `sous sessions search` and `export` through the built command, on sound and on damaged journals.
import { existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { atifProblems } from "../src/core/atif-test-kit.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { journal, lines, resultIn, world, type World } from "./e2e-kit.ts";

const run = async (w: World, prompt: string): Promise<string> =>
  resultIn((await w.sous(["run", "--mode", "yolo", "-m", "anthropic/x", "-o", "json", prompt])).stdout).session;
type Row = { id: string; path: string; where: string; snippet: string };
const search = async (w: World, ...words: string[]): Promise<Row[]> =>
  JSON.parse((await w.sous(["sessions", "search", ...words, "--json"])).stdout) as Row[];

describe("sous sessions search", () => {
  test("finds what was asked, called, printed and answered, in any case, newest first, and nothing that is no text", async () => {
    const script = [
      calls("Bash", { command: "printf 'Needle \"in\" output\\n'" }),
      says("A needle.\nTwo (a+)+$ lines"),
      says("no such thing"),
    ];
    await using w = await world(script);
    const one = await run(w, "look for the NEEDLE");
    const two = await run(w, "another needle");
    const rows = await search(w, "nEEdle");
    expect(rows.map(({ id }) => id)).toEqual([two, two, one, one, one, one, one]);
    expect(rows.filter(({ id }) => id === one).map(({ where }) => where)).toEqual([
      "title",
      "person",
      "call Bash",
      "result",
      "agent",
    ]);
    expect(rows.every(({ path }) => path === "ROOT")).toBe(true);
    expect((await search(w, 'needle "in" output')).map(({ where }) => where)).toEqual(["call Bash", "result"]);
    expect(await search(w, "(a+)+$")).toMatchObject([{ where: "agent", snippet: "A needle. Two (a+)+$ lines" }]);
    expect(await search(w, "assistant.replied")).toEqual([]);
    const shown = (await w.sous(["sessions", "search", "another", "needle"])).stdout;
    expect(shown).toMatch(
      new RegExp(`^${two}  \\d{4}-.*\n  ROOT title: another needle\n  ROOT person: another needle\n$`),
    );
    expect((await w.sous(["sessions", "search", "haystack"])).stdout).toBe(
      'no session of this project says "haystack" (--all: of any)\n',
    );
  });
});

describe("sous sessions export", () => {
  test("gives Markdown, every event as JSON lines, and a valid ATIF trajectory; into a file of its owner's", async () => {
    await using w = await world([calls("Bash", { command: "echo hi" }), says("It said hi.")]);
    const session = await run(w, "say hi");
    const md = (await w.sous(["sessions", "export", "last", "--format", "md"])).stdout;
    for (const part of ["# say hi", "**Bash** (done)", "echo hi", "It said hi."]) expect(md).toContain(part);
    const jsonl = (await w.sous(["sessions", "export", session, "-f", "jsonl"])).stdout;
    expect(lines(jsonl).map((line) => JSON.parse(line) as unknown)).toEqual(journal(w.stateDir));
    const saved = await w.sous(["sessions", "export", "last", "--format", "atif", "-o", "t.json"]);
    expect(saved).toMatchObject({ code: 0, stdout: "" });
    const trajectory = JSON.parse(readFileSync(w.dir.join("t.json"), "utf8")) as { steps: unknown[] };
    expect(atifProblems(trajectory)).toEqual([]);
    expect(trajectory.steps).toHaveLength(3);
    expect(statSync(w.dir.join("t.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(w.dir.path).filter((name) => name.endsWith(".new"))).toEqual([]);
  });

  test("P.F04: does not write through a link", async () => {
    await using w = await world([says("x")]);
    await run(w, "q");
    symlinkSync(w.dir.join("target"), w.dir.join("out.md"));
    const ran = await w.sous(["sessions", "export", "last", "-o", "out.md"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/out\.md is a symbolic link/);
    expect(existsSync(w.dir.join("target"))).toBe(false);
  });

  test("P.D05: of a damaged journal list, show, search and every export agree, and the damage is told", async () => {
    await using w = await world([
      calls("Bash", { command: "echo first" }),
      calls("Bash", { command: "echo second" }),
      says("last words"),
    ]);
    const session = await run(w, "damaged prompt");
    const file = join(w.stateDir, "trees", session, "journal.jsonl");
    const damaged = readFileSync(file, "utf8").split("\n");
    const at = damaged.findIndex((line) => line.includes('"tool.ended"') && line.includes("first"));
    damaged[at] = `${damaged[at]?.slice(0, 40)}\0\0\0`;
    writeFileSync(file, damaged.join("\n"));
    const shown = await w.sous(["sessions", "show", "last", "--json"]);
    const events = JSON.parse(shown.stdout) as unknown[];
    expect(events).toHaveLength(damaged.length - 2);
    const jsonl = await w.sous(["sessions", "export", "last", "-f", "jsonl"]);
    expect(lines(jsonl.stdout).map((line) => JSON.parse(line) as unknown)).toEqual(events);
    const atif = await w.sous(["sessions", "export", "last", "-f", "atif"]);
    const trajectory = JSON.parse(atif.stdout) as { steps: { observation?: unknown }[] };
    expect(atifProblems(trajectory)).toEqual([]);
    expect(trajectory.steps.map((step) => "observation" in step)).toEqual([false, false, true, false]);
    for (const { stderr } of [shown, jsonl, atif]) expect(stderr).toMatch(/damaged: journal\.jsonl line \d+/);
    expect((await search(w, "first")).map(({ where }) => where)).toEqual(["call Bash"]);
    expect((await search(w, "last words")).length).toBe(1);
    expect(JSON.parse((await w.sous(["sessions", "--json"])).stdout)).toMatchObject([
      { id: session, status: "succeeded" },
    ]);
  });
});

describe("P.D09: a session of a newer version, through the command", () => {
  test("is listed with a mark, shown with one line that says why it is read-only, and never added to", async () => {
    await using w = await world([calls("Bash", { command: "echo hi" }), says("It said hi.")]);
    const session = await run(w, "say hi");
    const file = join(w.stateDir, "trees", session, "journal.jsonl");
    const strange = { ...journal(w.stateDir).at(-1), v: 2, type: "moon.landed", crew: "apollo eleven" };
    const newer = journal(w.stateDir).map((record) => ({ ...record, v: 2 }));
    const all = [...newer, { ...strange, seq: newer.length + 1 }];
    writeFileSync(file, all.map((record) => `${JSON.stringify(record)}\n`).join(""));
    const folder = () => readdirSync(join(w.stateDir, "trees", session), { recursive: true }).toSorted();
    const [names, text] = [folder(), readFileSync(file, "utf8")];

    const list = await w.sous(["sessions", "list"]);
    expect(list.stdout).toMatch(/succeeded \(newer\)/);
    expect(list.stderr).toMatch(/^sous: 1 session was written by a newer version of Sous .*update Sous to go on\n$/);
    const show = await w.sous(["sessions", "show", "last"]);
    expect(show.stdout).toContain("It said hi.");
    expect(show.stderr).toMatch(
      /can only be read here: \d+ of its records were written by a newer version of Sous \(.*format 2\); update/,
    );
    expect(show.stderr).toMatch(/1 record is not understood by this version: moon\.landed \(1\)/);
    expect(JSON.parse((await w.sous(["sessions", "show", "last", "--json"])).stdout)).toEqual(all);
    expect((await w.sous(["sessions", "search", "apollo"])).stdout).toMatch(
      /ROOT record moon\.landed: .*apollo eleven/,
    );
    for (const words of [
      ["resume", "last", "go on"],
      ["send", "last", "go on"],
      ["fork", "last"],
      ["mode", "last", "yolo"],
    ]) {
      const refused = await w.sous(words);
      expect(refused.code, words.join(" ")).not.toBe(0);
      expect(refused.stderr, words.join(" ")).toMatch(/can only be read here: .*update Sous to go on with it\n$/);
    }
    expect(folder()).toEqual(names);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
