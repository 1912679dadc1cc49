// `last` and the lists mean the project a person stands in, unless they say otherwise.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { world, type World } from "./e2e-kit.ts";

const run = ["run", "-m", "anthropic/x", "--mode", "yolo", "--output", "json"];
const sessionIn = async (w: World, cwd: string, ...words: string[]): Promise<string> =>
  (JSON.parse((await w.sous([...run, ...words], { cwd })).stdout) as { session: string }).session;

/** Two projects, one of them a repository with a folder in it and a link to it; the newest session is the other's. */
async function twoProjects() {
  const w = await world({ always: says("done") });
  for (const name of ["mine/deep", "other"]) mkdirSync(w.dir.join(name), { recursive: true });
  execFileSync("git", ["init", "-q", w.dir.join("mine")]);
  symlinkSync(w.dir.join("mine/deep"), w.dir.join("link"));
  const mine = await sessionIn(w, w.dir.join("mine"), "my task");
  const other = await sessionIn(w, w.dir.join("other"), "their task");
  return { w, mine, other, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

describe("issue 9: the project a person stands in", () => {
  test("last, --continue and the lists mean it, from any folder of it and through a link", async () => {
    await using projects = await twoProjects();
    const { w, mine, other } = projects;
    for (const place of ["mine", "mine/deep", "link"]) {
      const cwd = w.dir.join(place);
      const sous = (...words: string[]) => w.sous(words, { cwd });
      expect((await sous("sessions", "show", "last")).stdout, place).toContain(mine);
      expect((await sous("output", "last", "--json")).stdout, place).toContain(mine);
      expect((await sous("sessions", "tree", "last/ROOT")).stdout, place).toContain(mine);
      const listed = (await sous("sessions")).stdout;
      expect(listed).toContain(mine);
      expect(listed).not.toContain(other);
      expect(listed).toContain("(1 session of other projects: sous sessions --all)");
      expect((await sous("sessions", "--all")).stdout).toContain(other);
      expect((await sous("sessions", "show", "last", "--all")).stdout).toContain(other);
      expect((await sous("sessions", "search", "task")).stdout).not.toContain(other);
      expect((await sous("sessions", "search", "task", "--all")).stdout).toContain(other);
      expect(await sessionIn(w, cwd, "--continue", "on")).toBe(mine);
      expect(await sessionIn(w, cwd, "--resume", "last", "on")).toBe(mine);
    }
    expect(await sessionIn(w, w.dir.path, "--cwd", w.dir.join("mine/deep"), "--resume", "last", "on")).toBe(mine);
    expect(await sessionIn(w, w.dir.join("mine"), "--resume", other, "an id means it anywhere")).toBe(other);
  }, 60_000);

  test("where no session was begun in it, one line says so and names --all", async () => {
    await using projects = await twoProjects();
    const { w } = projects;
    mkdirSync(w.dir.join("empty"));
    const cwd = w.dir.join("empty");
    const none = `sous: no session was begun in the project ${cwd}: sous sessions --all lists those of other projects\n`;
    for (const words of [
      ["run", "--resume", "last", "on"],
      ["run", "--continue", "on"],
      ["sessions", "show", "last"],
      ["sessions", "rm", "last"],
      ["changes", "revert", "last"],
      ["changes", "show", "last/S1"],
      ["mode", "last", "yolo"],
      ["stop", "last"],
    ])
      expect(await w.sous(words, { cwd }), words.join(" ")).toMatchObject({ code: 2, stdout: "", stderr: none });
    expect((await w.sous(["sessions"], { cwd })).stdout).toContain(`no sessions yet in ${cwd}\n(2 sessions of other`);
  }, 60_000);

  test("sous changes lists and takes back only what was changed in it", async () => {
    await using w = await world([
      calls("Write", { file_path: "a.txt", content: "mine" }),
      says("ok"),
      calls("Write", { file_path: "b.txt", content: "theirs" }),
      says("ok"),
    ]);
    for (const name of ["mine", "other"]) mkdirSync(w.dir.join(name));
    const mine = await sessionIn(w, w.dir.join("mine"), "go");
    const other = await sessionIn(w, w.dir.join("other"), "go");
    const cwd = w.dir.join("mine");
    const listed = (await w.sous(["changes"], { cwd })).stdout;
    expect(listed).toContain(`${mine}  1 file +1 -0`);
    expect(listed).not.toContain(other);
    expect((await w.sous(["changes", "--all"], { cwd })).stdout).toContain(other);
    writeFileSync(w.dir.join("mine/c.txt"), "");
    expect((await w.sous(["changes", "show", "last"], { cwd })).stdout).toContain("a.txt");
    expect(readFileSync(w.dir.join("other/b.txt"), "utf8")).toBe("theirs");
  });
});

test("issue 9: sous help COMMAND is sous COMMAND --help, for every command", async () => {
  await using w = await world([]);
  const { stdout } = await w.sous(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(([, name = ""]) => name);
  expect(names).toEqual(expect.arrayContaining(["run", "sessions", "ps", "mode", "changes", "inbox"]));
  for (const name of names.filter((one) => one !== "help"))
    expect(await w.sous(["help", name]), name).toEqual(await w.sous([name, "--help"]));
  expect(await w.sous(["help", "rnu"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("did you mean run?"),
  });
}, 60_000);
