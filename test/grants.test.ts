// "Always" as a person gives it and takes it back: at the terminal, from the inbox, by the library; across processes.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeGrant } from "../src/host/grants.ts";
import { type Approval, type Decision, runAgent } from "../src/index.ts";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { byTask } from "./by-task.ts";
import { journal, resultIn, sousArgv, world, type World } from "./e2e-kit.ts";
import { libraryWorld } from "./library-kit.ts";

const person = { env: { SOUS_RUN: "" } };
const headless = ["run", "-m", "anthropic/x", "-o", "json"];
const bash = (command: string) => calls("Bash", { command });
const both = "touch one && touch two";

/** `again` and `go` both want the same two commands; `there` says which file was made. */
const twice = () =>
  byTask({ go: [bash(both), bash(both), says("Done.")], other: [bash("touch three"), says("Done.")] });
const made = (w: World, ...names: string[]): boolean[] => names.map((name) => existsSync(w.dir.join(name)));
const clean = (w: World): void => ["one", "two", "three"].forEach((name) => rmSync(w.dir.join(name), { force: true }));
const rules = async (w: World, cwd = w.dir.path) =>
  (JSON.parse((await w.sous(["permissions", "--json"], { cwd })).stdout) as { rule: string }[]).map(({ rule }) => rule);

function typing(w: World) {
  const [command = "", ...rest] = sousArgv("--plain", "--model", "anthropic/x", "go");
  const child = spawn(command, rest, { cwd: w.dir.path, env: { ...process.env, ...w.env } });
  let screen = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (screen += text.toString()));
  const closed = new Promise((resolve) => child.on("close", resolve));
  const at = async (shown: string, line: string): Promise<void> => {
    await waitFor(() => screen.includes(shown), 10_000);
    child.stdin.write(`${line}\n`);
  };
  return { child, closed, at, screen: () => screen };
}

test("P.B09, A6: always at the terminal shows its rules first, stores one for each part, asks no more, and outlives kill -9", async () => {
  await using w = await world(twice());
  const terminal = typing(w);
  await waitFor(() => terminal.screen().includes("run it?"), 10_000);
  const shown = terminal.screen().slice(terminal.screen().indexOf("ROOT lead wants"));
  expect(shown).toContain(
    `always = this, and from now on unasked in ${w.dir.path}:\n    Bash(touch one)\n    Bash(touch two)\n`,
  );
  expect(shown).toContain("y = yes, a = always, n = no, or why not");
  await terminal.at("run it?", "a");
  await waitFor(() => terminal.screen().includes("Done."), 10_000);
  terminal.child.kill("SIGKILL");
  await terminal.closed;
  expect(terminal.screen().split("run it?")).toHaveLength(2);
  expect(journal(w.stateDir).filter((event) => event.type === "item.answered")).toMatchObject([
    { answer: { allow: true, granted: { rules: ["Bash(touch one)", "Bash(touch two)"], project: w.dir.path } } },
  ]);
  expect(await rules(w)).toEqual(["Bash(touch one)", "Bash(touch two)"]);

  clean(w);
  const later = await w.sous([...headless, "go"]);
  expect([later.code, ...made(w, "one", "two")], later.stderr).toEqual([0, true, true]);
  const other = await w.sous([...headless, "other"]);
  expect(made(w, "three"), other.stderr).toEqual([false]);

  // Taken back, it asks again, and nobody is there.
  const gone = await w.sous(["permissions", "remove", "Bash(touch two)"], person);
  expect(gone, gone.stderr).toMatchObject({ code: 0, stdout: `Bash(touch two) asks again in ${w.dir.path}\n` });
  expect((await w.sous(["permissions", "remove", "Bash(touch two)"], person)).code).toBe(1);
  clean(w);
  await w.sous([...headless, "go"]);
  expect(made(w, "one", "two")).toEqual([false, false]);
});

test("P.B09: what was granted stays in its project: not in another, in one below, behind a link, nor in one that took its name", async () => {
  await using w = await world(byTask({ go: [bash("touch one"), says("Done.")] }));
  const [a, b] = [w.dir.join("a"), w.dir.join("b")];
  for (const folder of [a, b, join(a, "below")]) mkdirSync(join(folder, ".git"), { recursive: true });
  const runIn = async (cwd: string): Promise<boolean> => {
    rmSync(join(cwd, "one"), { force: true });
    await w.sous([...headless, "go"], { cwd });
    return existsSync(join(cwd, "one"));
  };
  const added = await w.sous(["permissions", "add", "Bash(touch one)"], { cwd: a, ...person });
  expect(added, added.stderr).toMatchObject({ code: 0, stdout: `Bash(touch one) is allowed from now on in ${a}\n` });
  expect(await runIn(a)).toBe(true);
  expect([await runIn(b), await runIn(join(a, "below"))]).toEqual([false, false]);
  symlinkSync(a, w.dir.join("link"));
  expect(await runIn(w.dir.join("link"))).toBe(true);
  renameSync(a, w.dir.join("moved"));
  symlinkSync(b, a);
  expect(await runIn(a)).toBe(false);
  expect((await w.sous(["permissions", "list", "--all"])).stdout).toContain(
    `always allowed in ${a}:\n  Bash(touch one) `,
  );
});

test("P.B09, B8: deny, a hook's rewrite and a child's definition stand against what was granted", async () => {
  const child = [bash("touch one"), says("child done")];
  const spawnThe = (agent: string) => calls("spawn_subagent", { agent, prompt: "the child" });
  await using w = await world(
    byTask({
      go: [bash(both), says("Done.")],
      narrow: [spawnThe("narrow"), says("ok")],
      wide: [spawnThe("wide"), says("ok")],
      "the child": child,
    }),
  );
  await w.sous(["permissions", "add", "Bash(touch one)", "Bash(touch two)"], person);
  const run = async (...words: string[]): Promise<boolean[]> => {
    clean(w);
    await w.sous([...headless, ...words]);
    return made(w, "one", "two", "three");
  };
  expect(await run("go")).toEqual([true, true, false]);
  expect(await run("--deny", "Bash(touch two)", "go")).toEqual([false, false, false]);

  const answer = (said: object): string => `echo '${JSON.stringify({ hookSpecificOutput: said })}'`;
  const config = (said: object): string[] => {
    const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: answer(said) }] }] };
    writeFileSync(w.dir.join("own.json"), JSON.stringify({ hooks }));
    return ["--config", w.dir.join("own.json")];
  };
  expect(await run(...config({ updatedInput: { command: "touch one; touch three" } }), "go")).toEqual([
    false,
    false,
    false,
  ]);
  expect(await run(...config({ permissionDecision: "allow" }), "--deny", "Bash(touch one)", "go")).toEqual([
    false,
    false,
    false,
  ]);
  expect(await run(...config({ permissionDecision: "deny", permissionDecisionReason: "no" }), "go")).toEqual([
    false,
    false,
    false,
  ]);

  const agents = {
    narrow: { description: "d", prompt: "p", tools: ["Read", "Bash(git log:*)"] },
    wide: { description: "d", prompt: "p", tools: ["Read", "Bash"] },
  };
  const rightsOf = async (name: string) =>
    (await w.sous(["agents", "show", name, "--rights", "--agents", JSON.stringify(agents)])).stdout;
  expect(await run("--agents", JSON.stringify(agents), "narrow")).toEqual([false, false, false]);
  expect(await run("--agents", JSON.stringify(agents), "wide")).toEqual([true, false, false]);
  expect(await rightsOf("wide")).toContain(
    "you always allow Bash(touch one) here; you always allow Bash(touch two) here",
  );
  expect(await rightsOf("narrow")).toContain("its definition gives it only Bash(git log:*); you always allow");
});

test("B8, E3: always from the inbox counts for the whole tree: a sibling that waits for the same goes on, and nobody is asked twice", async () => {
  const spawnIt = (n: number) => ({ prompt: `the child ${n}`, background: true });
  await using w = await world(
    byTask({
      "the lead": [
        calls("spawn_subagent", spawnIt(1)),
        calls("spawn_subagent", spawnIt(2)),
        says("waiting"),
        says("all in"),
        says("all in"),
      ],
      "the child": [bash(both), says("made")],
    }),
  );
  const inbox = ["--approvals", "inbox"];
  const parked = await w.sous([...headless, ...inbox, "the lead"]);
  expect(parked.code, parked.stderr).toBe(4);
  const items = resultIn(parked.stdout).items as { id: string }[];
  expect(items).toHaveLength(2);
  expect((await w.sous(["inbox"])).stdout).toContain(
    `unasked in ${w.dir.path}:\n    Bash(touch one)\n    Bash(touch two)\n`,
  );
  const said = await w.sous(["inbox", "answer", items[1]!.id, "always"], person);
  expect(said, said.stderr).toMatchObject({
    code: 0,
    stdout: `answered ${items[1]!.id}: always: Bash(touch one), Bash(touch two)\n`,
  });
  const gone = await w.sous([...headless, ...inbox, "--resume", "last"]);
  expect(gone.code, gone.stderr).toBe(0);
  expect(made(w, "one", "two")).toEqual([true, true]);
  const answers = journal(w.stateDir).filter((event) => event.type === "item.answered");
  expect(answers).toHaveLength(1);
});

test("P.B10: always is refused with the reason where no rule says just this call; yes and no still answer", async () => {
  await using w = await world([bash("FOO=1 touch one"), says("Done.")]);
  await w.sous([...headless, "--approvals", "inbox", "go"]);
  const listed = (await w.sous(["inbox"])).stdout;
  const why = "it sets FOO, and a variable can change what a program does";
  expect(listed).toContain(`(always is not offered: ${why})`);
  const id = /item-[0-9a-f]+/.exec(listed)![0];
  const refused = await w.sous(["inbox", "answer", id, "always"], person);
  expect([refused.code, refused.stderr]).toEqual([
    2,
    `sous: ${id}: always is not offered here: ${why}; answer yes for this once, or no and a reason\n`,
  ]);
  expect((await w.sous(["inbox", "answer", id, "yes"], person)).code).toBe(0);
  expect(await rules(w)).toEqual([]);
});

test("P.F04: twelve processes add at once with umask 000: all are there, for their owner only; a damaged one counts for nothing", async () => {
  await using w = await world(byTask({ go: [bash("touch one"), says("Done.")] }));
  const all = Array.from({ length: 12 }, (_, n) => `Bash(make t${n})`);
  const add = (rule: string) =>
    runProcess(["sh", "-c", 'umask 000; exec "$@"', "sh", ...sousArgv("permissions", "add", rule)], {
      cwd: w.dir.path,
      env: { ...w.env, SOUS_RUN: "" },
      timeoutMs: 60_000,
    });
  const codes = (await Promise.all(all.map(add))).map(({ code }) => code);
  expect(codes).toEqual(all.map(() => 0));
  expect((await rules(w)).sort()).toEqual(all.toSorted());
  const names = readdirSync(w.stateDir, { recursive: true, encoding: "utf8" });
  expect(names.filter((name) => (statSync(join(w.stateDir, name)).mode & 0o077) !== 0)).toEqual([]);
  const files = names.filter((name) => name.startsWith("grants/") && name.endsWith(".json"));
  // Another rule under the name of this one, and no JSON at all.
  writeFileSync(
    join(w.stateDir, files[0]!),
    JSON.stringify({ rule: "Bash(touch one)", project: w.dir.path, since: "", by: "" }),
  );
  writeFileSync(join(w.stateDir, files[1]!), "{");
  await w.sous([...headless, "go"]);
  expect(made(w, "one")).toEqual([false]);
  const listed = await w.sous(["permissions", "--json"]);
  expect(JSON.parse(listed.stdout)).toHaveLength(10);
  expect(listed.stderr.match(/is damaged and counts for nothing: remove it\n/g)).toHaveLength(2);
  const unsure = await w.sous(["permissions", "clear"], person);
  expect(unsure).toMatchObject({
    code: 2,
    stderr: `sous: sous permissions clear would remove 10 rules of ${w.dir.path}: say --yes (sous permissions shows them)\n`,
  });
  expect(await rules(w)).toHaveLength(10);
  const cleared = await w.sous(["permissions", "clear", "--yes"], person);
  expect(cleared.stdout.match(/asks again in/g)).toHaveLength(10);
  expect(await rules(w)).toEqual([]);
});

test("sous permissions refuses what it cannot keep, what it does not know and whoever is no person, each in one line", async () => {
  await using w = await world([]);
  const refused = async (words: readonly string[], env: Record<string, string> = { SOUS_RUN: "" }) => {
    const { code, stderr } = await w.sous(["permissions", ...words], { env });
    return `${code} ${stderr}`;
  };
  expect(await refused(["add", "Bash(a; b)"])).toMatch(/^2 sous: a grant for commands has plain words[^\n]*\n$/);
  expect(await refused(["add"])).toMatch(/^2 sous: sous permissions add needs a rule[^\n]*\n$/);
  expect(await refused(["remov", "Bash"])).toMatch(
    /^2 sous: sous permissions has no "remov"; did you mean remove\?[^\n]*\n$/,
  );
  expect(await refused(["add", "Bash"], { SOUS_RUN: "agent-1" })).toMatch(
    /^2 sous: an agent's command cannot change[^\n]*\n$/,
  );
  expect((await w.sous(["permissions"])).stdout).toBe(`nothing is allowed for good in ${w.dir.path}\n`);
  const trusting = await w.sous(["trust", "--yes"], { env: { SOUS_RUN: "agent-1" } });
  expect(trusting.stderr).toMatch(/^sous: an agent's command cannot change what is trusted[^\n]*\n$/);
  expect((await w.sous(["trust", "--list", "--json"], { env: { SOUS_RUN: "agent-1" } })).stdout).toBe("[]\n");
  expect((await w.sous(["permissions", "--help"])).stdout).toContain("sous permissions remove 'Bash(npm test)'");
  expect((await w.sous(["completions", "bash"])).stdout).toContain("list add remove clear");
});

test("sous permissions add refuses a tool that there is not and what would allow nothing, and says what a grant covers", async () => {
  await using w = await world([]);
  const add = async (...words: string[]) => {
    const { code, stdout, stderr } = await w.sous(["permissions", "add", ...words], person);
    expect((stdout + stderr).trim().split("\n")).toHaveLength(1);
    return `${code} ${stdout}${stderr}`;
  };
  expect(await add("Foo(bar)")).toMatch(
    /^2 sous: the allow rule Foo\(bar\) holds nothing: there is no tool "Foo" \(tools: /,
  );
  expect(await add("Bahs")).toMatch(/there is no tool "Bahs"; did you mean Bash\?/);
  for (const nothing of [
    "Bash(python3 x.py)",
    "Bash(sous run x)",
    "Bash(bash -c ls)",
    "Bash(cd src)",
    "WebFetch(a.com)",
  ])
    expect(await add(nothing)).toContain(`2 sous: ${nothing} would allow nothing: `);
  expect(await add("deploy(now)", "--yes")).toContain("would allow nothing");
  expect(await rules(w)).toEqual([]);

  const covered = "Bash (only commands that Sous can read whole; not what runs code that it is given";
  expect(await add("Bash")).toContain(`0 ${covered}`);
  expect((await w.sous(["permissions"])).stdout).toContain(covered);
  for (const fine of ["CodeSearch", "Agent(Explore)", "WebFetch(domain:a.com)", "Edit(src/**)", "mcp__files__read"])
    expect(await add(fine)).toMatch(/^0 .* is allowed from now on in /);
  expect(await add("deploy", "--yes")).toMatch(/^0 deploy is allowed/);
}, 60_000);

test("E7: always from the library's person: what was offered is stored, and the next call is not asked", async () => {
  const asked: unknown[] = [];
  const w = await libraryWorld([bash("touch one"), bash("touch one"), bash("touch one && touch two"), says("ok")]);
  const result = await runAgent(w.host, {
    prompt: "go",
    cwd: w.cwd,
    model: "anthropic/x",
    person: { approve: ({ always }) => (asked.push(always), { allow: true, always: true }) },
  });
  expect(result.status).toBe("succeeded");
  expect(asked).toEqual([
    { rules: ["Bash(touch one)"], project: w.cwd },
    { rules: ["Bash(touch two)"], project: w.cwd },
  ]);
});

test("A6, B8: always for one child's call answers at once the sibling that waits for the same; taken back, the next call asks", async () => {
  const asked: string[] = [];
  const w = await libraryWorld(
    byTask({
      "the lead": [
        callsAll(call("spawn_subagent", { prompt: "child a" }), call("spawn_subagent", { prompt: "child b" })),
        bash("touch three"),
        bash(both),
        says("ok"),
      ],
      child: [bash(both), says("made")],
    }),
  );
  const siblings = Promise.withResolvers<void>();
  const approve = async ({ path, input }: Approval, signal: AbortSignal): Promise<Decision> => {
    asked.push(`${path === "ROOT" ? "lead" : "child"} ${String(input["command"])}`);
    if (input["command"] === "touch three") {
      removeGrant(w.dir.join("state"), w.cwd, "Bash(touch two)");
      return { allow: true };
    }
    if (path === "ROOT") return { allow: false, reason: "not again" };
    if (asked.length === 2) siblings.resolve();
    await siblings.promise;
    if (path.endsWith("S1")) return { allow: true, always: true };
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const result = await runAgent(w.host, { prompt: "the lead", cwd: w.cwd, model: "anthropic/x", person: { approve } });
  expect(result.status).toBe("succeeded");
  expect(asked).toEqual([`child ${both}`, `child ${both}`, "lead touch three", `lead ${both}`]);
  const by = journal(w.dir.join("state")).flatMap((event) => (event.type === "item.answered" ? [event.by] : []));
  expect(by.slice(0, 2)).toEqual([expect.stringContaining("library (process"), "what you always allow"]);
});

test("always that cannot be stored lets the call run this once, and says so on record", async () => {
  const w = await libraryWorld([bash("touch one"), says("ok")]);
  mkdirSync(w.dir.join("state"), { mode: 0o700 });
  writeFileSync(join(w.dir.join("state"), "grants"), "in the way");
  const always = { approve: () => ({ allow: true, always: true }) as const };
  const result = await runAgent(w.host, { prompt: "go", cwd: w.cwd, model: "anthropic/x", person: always });
  expect([result.status, existsSync(w.dir.join("one"))]).toEqual(["succeeded", true]);
  expect(journal(w.dir.join("state")).find((event) => event.type === "item.answered")).toMatchObject({
    answer: { allow: true, notKept: expect.stringContaining("cannot be written") },
  });
});
