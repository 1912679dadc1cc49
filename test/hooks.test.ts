// Hooks through the built command: what they decide is done, and what goes wrong with them stays with them.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { Recorded } from "../src/core/events.ts";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { byTask } from "./by-task.ts";
import { type World, durableOf, journal, lines, resultIn, sousArgv, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x"];
const spawn = (prompt: string, more: Record<string, string | boolean> = {}) =>
  call("spawn_subagent", { prompt, ...more });
type Hook = { command: string; timeout?: number };
type HooksConfig = Record<string, readonly { matcher?: string; hooks: readonly Hook[] }[]>;
const on = (event: string, matcher: string, ...hooks: Hook[]): HooksConfig => ({ [event]: [{ matcher, hooks }] });

function put(w: World, path: string, text: string): string {
  mkdirSync(dirname(w.dir.join(path)), { recursive: true });
  writeFileSync(w.dir.join(path), text);
  return w.dir.join(path);
}
/** The person's own configuration. */
const own = (w: World, hooks: HooksConfig): string[] => ["--config", put(w, "own.json", JSON.stringify({ hooks }))];
const prints = (w: World, name: string, script: string): string => {
  const path = put(w, name, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
};
const notes = (events: readonly Recorded[]): string[] =>
  events.flatMap((event) => (event.type === "note.added" && event.kind === "hook" ? [event.text] : []));
const ledger = (w: World, name: string): string[] =>
  existsSync(w.dir.join(name)) ? lines(readFileSync(w.dir.join(name), "utf8")) : [];
const lastRequest = (w: World): string => JSON.stringify(w.server.requests.at(-1)?.body);

describe("B15: before a tool", () => {
  test("a hook denies with its reason, and another rewrites the input: the record shows what really ran", async () => {
    const touch = (name: string) => call("Bash", { command: `touch ${name}` });
    await using w = await world(byTask({ "the lead": [callsAll(touch("one")), callsAll(touch("two")), says("ok")] }));
    const deny = prints(w, "deny.sh", `grep -q 'touch one' && { echo 'not one' >&2; exit 2; }; exit 0`);
    const rewrite = prints(
      w,
      "rewrite.sh",
      `grep -q 'touch two' && echo '{"hookSpecificOutput":{"updatedInput":{"command":"touch three"}}}'`,
    );
    const config = own(w, on("PreToolUse", "Bash", { command: deny }, { command: `${rewrite}; true` }));
    const ran = await w.sous([...yolo, ...config, "-o", "jsonl", "the lead"]);
    expect(
      ["one", "two", "three"].map((name) => existsSync(w.dir.join(name))),
      ran.stderr,
    ).toEqual([false, false, true]);
    const events = durableOf(ran.stdout);
    const started = events.flatMap((event) => (event.type === "tool.started" ? [event.input] : []));
    expect(started).toEqual([{ command: "touch three" }]);
    const told = JSON.stringify(events.filter(({ type }) => type === "tool.ended"));
    expect(told).toContain("Not run: a hook refused Bash: not one");
    expect(told).toContain("a hook changed the input to");
    expect(notes(events)).toEqual([]);
  });

  test("one that hangs, one that prints 5 MB of garbage, one that is missing and one that fails: told, and the call runs", async () => {
    await using w = await world(byTask({ "the lead": [calls("Bash", { command: "touch done" }), says("ok")] }));
    const config = own(
      w,
      on(
        "PreToolUse",
        "Bash",
        { command: "trap '' TERM; sleep 9402 & sleep 9402", timeout: 1 },
        { command: "head -c 5000000 /dev/zero | tr '\\0' '{'" },
        { command: "./no-such-hook" },
        { command: "echo oops >&2; exit 3" },
      ),
    );
    const began = performance.now();
    const ran = await w.sous([...yolo, ...config, "-o", "jsonl", "the lead"]);
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(existsSync(w.dir.join("done")), ran.stderr).toBe(true);
    expect(notes(durableOf(ran.stdout)).sort()).toEqual([
      expect.stringMatching(/^hook PreToolUse \(\.\/no-such-hook\): it ended with exit code 127: .*no-such-hook/),
      expect.stringMatching(/\(echo oops.*\): it ended with exit code 3: oops$/),
      expect.stringMatching(/\(head -c.*\): it printed 5000000 bytes, more than a hook may/),
      expect.stringMatching(/\(trap.*\): it took longer than 1 s and was ended$/),
    ]);
    expect(ran.stderr).toBe("");
    expect(durableOf(ran.stdout).at(-1)).toMatchObject({ type: "run.ended", result: { status: "succeeded" } });
  });

  test("allow spares the question and nothing else: a deny rule and an ask rule hold; ask asks, also in yolo", async () => {
    const touch = (name: string) => call("Bash", { command: `touch ${name}` });
    const script = byTask({
      "the lead": [callsAll(touch("free"), touch("denied"), touch("asked")), says("ok")],
    });
    await using w = await world(script);
    const says1 = (word: string) => `echo '{"hookSpecificOutput":{"permissionDecision":"${word}"}}'`;
    const allow = own(w, on("PreToolUse", "Bash", { command: says1("allow") }));
    put(w, ".sous/config.json", JSON.stringify({ permissions: { ask: ["Bash(touch asked)"] } }));
    const confirm = ["run", "--mode", "confirm", "--model", "anthropic/x", "--trust", "--deny", "Bash(touch denied)"];
    const ran = await w.sous([...confirm, ...allow, "-o", "json", "the lead"]);
    expect(
      ["free", "denied", "asked"].map((name) => existsSync(w.dir.join(name))),
      ran.stderr,
    ).toEqual([true, false, false]);
    const ask = own(w, on("PreToolUse", "Bash", { command: says1("ask") }));
    await w.sous([...yolo, ...ask, "the lead"]);
    expect(lastRequest(w)).toContain("a hook asks");
    expect(lastRequest(w)).toContain("nobody is there to ask");
  });
});

test("B15: every other moment of a session is heard, and what its hooks say reaches the model", async () => {
  await using w = await world(
    byTask({
      "the lead": [
        callsAll(
          call("Bash", { command: "echo hi" }),
          call("Bash", { command: "exit 9" }),
          call("Read", { file_path: "none" }),
        ),
        says("first end"),
        says("second end"),
      ],
    }),
  );
  const log = `tee -a '${w.dir.join("ledger")}' >/dev/null`;
  const context = (words: string) => `${log}; echo '{"hookSpecificOutput":{"additionalContext":"${words}"}}'`;
  const once = `[ -e stopped ] || { touch stopped; echo 'check again' >&2; exit 2; }`;
  const config = own(w, {
    ...on("SessionStart", "startup", { command: `${log}; echo mind the start` }),
    ...on("UserPromptSubmit", "", { command: `${log}; echo mind the prompt` }),
    ...on("PostToolUse", "Bash", { command: context("after success") }),
    ...on("PostToolUseFailure", "*", { command: context("after failure") }),
    ...on("Stop", "", { command: `${log}; ${once}` }),
    ...on("SessionEnd", "", { command: log }),
  });
  const ran = await w.sous([...yolo, ...config, "-o", "json", "the lead"]);
  expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "second end" });
  const heard = ledger(w, "ledger").map((line) => JSON.parse(line) as Record<string, unknown>);
  const names = heard.map((one) => one["hook_event_name"]);
  expect(names.filter((name) => !String(name).startsWith("PostTool"))).toEqual([
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
    "Stop",
    "SessionEnd",
  ]);
  expect(names.filter((name) => String(name).startsWith("PostTool")).sort()).toEqual([
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolUseFailure",
  ]);
  expect(heard.filter((one) => one["hook_event_name"] === "Stop").map((one) => one["stop_hook_active"])).toEqual([
    false,
    true,
  ]);
  expect(heard[0]).toMatchObject({
    agent_path: "ROOT",
    cwd: w.dir.path,
    source: "startup",
    permission_mode: "bypassPermissions",
  });
  const last = lastRequest(w);
  for (const words of ["mind the start", "mind the prompt", "after success", "after failure", "check again"])
    expect(last).toContain(words);
});

test("B15: a prompt that a hook holds back never reaches the model, and the run says why", async () => {
  await using w = await world(byTask({ secret: [says("never")] }));
  const config = own(w, on("UserPromptSubmit", "", { command: "echo 'no secrets here' >&2; exit 2" }));
  const ran = await w.sous([...yolo, ...config, "-o", "json", "the secret plan"]);
  expect(ran.code).toBe(1);
  expect(resultIn(ran.stdout)).toMatchObject({
    status: "refused",
    error: { code: "hook", message: "a hook held the prompt back: no secrets here" },
  });
  expect(w.server.requests).toEqual([]);
});

test("B15: what waits for a person is notified, beside the run", async () => {
  await using w = await world(byTask({ "the lead": [calls("Bash", { command: "touch made" }), says("ok")] }));
  const config = own(w, on("Notification", "permission_prompt", { command: `cat >> ${w.dir.join("ledger")}` }));
  put(
    w,
    "own.json",
    JSON.stringify({ ...JSON.parse(readFileSync(w.dir.join("own.json"), "utf8")), approvals: "inbox" }),
  );
  const ran = await w.sous(["run", "--model", "anthropic/x", ...config, "the lead"]);
  expect(ran.code, ran.stderr).toBe(4);
  expect(ledger(w, "ledger").map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ hook_event_name: "Notification", message: "ROOT asks to use Bash" }),
  ]);
});

describe("B15: whose hooks they are", () => {
  test("of a project they act once it is trusted, from .sous and .claude; before that they do not, and it is said", async () => {
    await using w = await world(byTask({ "the lead": [calls("Bash", { command: "true" }), says("ok")] }));
    const note = (name: string) => on("PreToolUse", "Bash", { command: `echo ran >> ${w.dir.join(name)}` });
    put(w, ".sous/config.json", JSON.stringify({ hooks: note("ours") }));
    put(w, ".claude/settings.json", JSON.stringify({ model: "x", hooks: note("theirs") }));
    put(w, ".claude/settings.local.json", JSON.stringify({ hooks: { ...note("local"), Setup: [] } }));
    const untrusted = await w.sous([...yolo, "the lead"]);
    expect(untrusted.stderr).toMatch(
      /is not trusted, so these are ignored: .sous\/config.json, .claude\/settings.json/,
    );
    expect(["ours", "theirs", "local"].map((name) => ledger(w, name))).toEqual([[], [], []]);
    const trusted = await w.sous([...yolo, "--trust", "the lead"]);
    expect(["ours", "theirs", "local"].map((name) => ledger(w, name))).toEqual([["ran"], ["ran"], ["ran"]]);
    expect(trusted.stderr).toContain('there is no hook event "Setup"');
  });

  test("two definitions side by side: each hears its own subtree and its own end, and nobody else's", async () => {
    const work = (name: string) => calls("Bash", { command: `echo ${name}` });
    const scripts = {
      "inner task": [work("inner"), says("inner done")],
      "red task": [work("red"), callsAll(spawn("inner task", { agent: "inner" })), says("red done")],
      "blue task": [work("blue"), says("blue done")],
      "the lead": [
        callsAll(spawn("red task", { agent: "red" }), spawn("blue task", { agent: "blue" })),
        work("lead"),
        says("ok"),
      ],
    };
    await using w = await world(byTask(scripts));
    const agent = (name: string, more: string) =>
      put(w, `.sous/agents/${name}.md`, `---\nname: ${name}\ndescription: d\n${more}---\nYou are ${name}.\n`);
    const log = (name: string): string => `cat >> ${w.dir.join(name)}`;
    const hooks = (name: string, scope = "") =>
      `hooks:\n${scope}  PreToolUse:\n    - matcher: Bash\n      hooks: [{type: command, command: "${log(name)}"}]\n  Stop:\n    - hooks: [{type: command, command: "${log(name)}"}]\n`;
    agent("inner", "");
    agent("red", `spawns: inner\n${hooks("red.log")}`);
    agent("blue", hooks("blue.log"));
    const ran = await w.sous([...yolo, "--trust", "-o", "json", "the lead"]);
    expect(resultIn(ran.stdout).status, ran.stderr).toBe("succeeded");
    const heard = (name: string) =>
      ledger(w, name).map((line) => {
        const one = JSON.parse(line) as { hook_event_name: string; agent_path: string; agent_type: string };
        return `${one.hook_event_name} ${one.agent_path} ${one.agent_type}`;
      });
    expect(heard("red.log")).toEqual([
      "PreToolUse ROOT::S1 red",
      "PreToolUse ROOT::S1::S1 inner",
      "SubagentStop ROOT::S1::S1 inner",
      "SubagentStop ROOT::S1 red",
    ]);
    expect(heard("blue.log")).toEqual(["PreToolUse ROOT::S2 blue", "SubagentStop ROOT::S2 blue"]);
    // With scope: all they hear the whole tree while their agent runs.
    agent("blue", hooks("all.log", "  scope: all\n"));
    scripts["blue task"] = [work("blue"), work("blue"), work("blue"), says("blue done")];
    await w.sous([...yolo, "--trust", "-o", "json", "the lead"]);
    expect(heard("all.log")).toEqual(
      expect.arrayContaining(["PreToolUse ROOT::S2 blue", "SubagentStop ROOT::S2 blue"]),
    );
    expect(heard("all.log").some((line) => line.startsWith("PreToolUse ROOT::S1"))).toBe(true);
    expect(heard("all.log")).not.toContain("PreToolUse ROOT undefined");
  });

  test("hooks of a definition that cannot be read refuse the spawn in one line", async () => {
    await using w = await world(byTask({ "the lead": [callsAll(spawn("x task", { agent: "odd" })), says("ok")] }));
    put(w, ".sous/agents/odd.md", "---\nname: odd\ndescription: d\nhooks: {PreToolUze: []}\n---\nYou.\n");
    await w.sous([...yolo, "--trust", "the lead"]);
    expect(lastRequest(w)).toContain("did you mean PreToolUse?");
    expect(journal(w.stateDir).filter(({ type }) => type === "session.opened")).toHaveLength(1);
  });
});

describe("B5: SubagentStart and SubagentStop", () => {
  const both = (w: World): HooksConfig => {
    const log = `cat >> ${w.dir.join("ledger")}`;
    return { ...on("SubagentStart", "", { command: log }), ...on("SubagentStop", "", { command: log }) };
  };
  const heard = (w: World) => ledger(w, "ledger").map((line) => JSON.parse(line) as Record<string, unknown>);

  test("tell who it is, from whom, what was asked for, how it ended and where its transcript is", async () => {
    await using w = await world(
      byTask({
        "a task": [says("report")],
        "the lead": [callsAll(spawn("a task", { model: "claude-haiku-4-5" })), says("ok")],
      }),
    );
    const ran = await w.sous([...yolo, ...own(w, both(w)), "-o", "json", "the lead"]);
    const { session } = resultIn(ran.stdout);
    const [start, stop] = heard(w);
    const who = { session_id: session, parent_id: session, agent_type: "general-purpose", agent_path: "ROOT::S1" };
    expect(start, ran.stderr).toMatchObject({ ...who, hook_event_name: "SubagentStart", model: "claude-haiku-4-5" });
    expect(stop).toMatchObject({
      ...who,
      hook_event_name: "SubagentStop",
      agent_id: start?.["agent_id"],
      status: "succeeded",
      last_assistant_message: "report",
    });
    expect(readFileSync(String(stop?.["agent_transcript_path"]), "utf8")).toContain('"run.ended"');
  });

  test("a child that is stopped with its tree has its stop too, and a hook that hangs then does not hold up the end", async () => {
    await using w = await world(
      byTask({
        "a task": [calls("Bash", { command: "touch at-work; sleep 9403" })],
        "the lead": [callsAll(spawn("a task")), says("ok")],
      }),
    );
    const hooks = both(w);
    const hang = { hooks: [{ command: "sleep 9403" }] };
    const config = own(w, { ...hooks, SubagentStop: [...(hooks["SubagentStop"] ?? []), hang] });
    const child = w.start([...yolo, ...config, "-o", "json", "the lead"]);
    const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
    await waitFor(() => existsSync(w.dir.join("at-work")), 15_000);
    const began = performance.now();
    child.kill("SIGTERM");
    expect(await closed).toBe(143);
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(heard(w).map((one) => [one["hook_event_name"], one["status"]])).toEqual([
      ["SubagentStart", undefined],
      ["SubagentStop", "cancelled"],
    ]);
  });

  test.each([
    ["while the child works", (event: Recorded) => event.type === "tool.started" && event.path !== "ROOT"],
    ["after its end", (event: Recorded) => event.type === "run.ended" && event.path !== "ROOT"],
    ["right after its start was recorded", (event: Recorded) => event.type === "hook.fired"],
  ])("fire once each per child, with kill -9 %s and resume", async (_, isThen) => {
    await using w = await world(
      byTask({
        "a task": [calls("Bash", { command: "sleep 0.3" }), says("report")],
        "the lead": [callsAll(spawn("a task")), says("ok")],
      }),
    );
    // A stop is recorded after it was fired: this one takes long enough for the kill to come while it runs.
    const hooks = both(w);
    const stop = hooks["SubagentStop"]?.[0]?.hooks[0]?.command ?? "";
    const config = own(w, { ...hooks, ...on("SubagentStop", "", { command: `sleep 1; ${stop}` }) });
    await w.sous([...yolo, ...config, "-o", "jsonl", "the lead"], {
      killOn: (line) => {
        const event = JSON.parse(line) as Recorded;
        return !("live" in event) && isThen(event);
      },
    });
    const ran = await w.sous([...yolo.slice(0, 1), ...config, "--continue", "-o", "json"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded" });
    const byAgent = new Map<unknown, string[]>();
    for (const one of heard(w))
      byAgent.set(one["agent_id"], [...(byAgent.get(one["agent_id"]) ?? []), String(one["hook_event_name"])]);
    const stops = [...byAgent.values()].map((events) => events.filter((event) => event === "SubagentStop").length);
    const starts = [...byAgent.values()].map((events) => events.filter((event) => event === "SubagentStart").length);
    expect(
      stops.every((count) => count === 1),
      JSON.stringify([...byAgent]),
    ).toBe(true);
    expect(Math.max(...starts)).toBe(1);
    const fired = journal(w.stateDir).flatMap((event) =>
      event.type === "hook.fired" ? [`${event.child} ${event.event}`] : [],
    );
    expect(new Set(fired).size).toBe(fired.length);
    expect(fired.length % 2).toBe(0);
  });
});

test("B15: an agent's own hooks hold when its session is resumed, whatever became of its file", async () => {
  await using w = await world(
    byTask({
      "a task": [calls("Bash", { command: "sleep 0.3" }), calls("Bash", { command: "true" }), says("report")],
      "the lead": [callsAll(spawn("a task", { agent: "red" })), says("ok")],
    }),
  );
  const log = `{type: command, command: "cat >> ${w.dir.join("ledger")}"}`;
  const head = `name: red\ndescription: d\nhooks:\n  PreToolUse: [{matcher: Bash, hooks: [${log}]}]\n  Stop: [{hooks: [${log}]}]`;
  const file = put(w, ".sous/agents/red.md", `---\n${head}\n---\nYou are red.\n`);
  await w.sous([...yolo, "--trust", "-o", "jsonl", "the lead"], {
    killOn: (line) => line.includes('"tool.started"') && line.includes("sleep 0.3"),
  });
  rmSync(file);
  const ran = await w.sous(["run", "--continue", "-o", "json"]);
  expect(resultIn(ran.stdout).status, ran.stderr).toBe("succeeded");
  expect(ledger(w, "ledger").map((line) => (JSON.parse(line) as { hook_event_name: string }).hook_event_name)).toEqual([
    "PreToolUse",
    "PreToolUse",
    "SubagentStop",
  ]);
});

test("B15: the example of docs/hooks.md does what the page says, run as it is written", async () => {
  const force = calls("Bash", { command: "git push --force" });
  await using w = await world(byTask({ "push this branch": [force, says("I leave it.")] }));
  const page = readFileSync(new URL("../docs/hooks.md", import.meta.url), "utf8");
  const example = /```\n(.*?)```/s.exec(page)?.[1] ?? "";
  const [command = "", ...words] = sousArgv();
  const script = `sous() { '${command}' ${words.map((word) => `'${word}'`).join(" ")} "$@"; }\n${example}`;
  const env = { ...w.env, SOUS_MODEL: "anthropic/x", SOUS_MODE: "yolo" };
  const ran = await runProcess(["bash", "-c", script], { cwd: w.dir.path, env });
  expect(ran.stdout, ran.stderr).toBe("I leave it.\n");
  expect(lastRequest(w)).toContain("Not run: a hook refused Bash: Force pushes are not done here");
});
