// The inbox through the built command: parked runs, answers from other processes, exactly once.
import { spawn as start } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { call, calls, callsAll, says, slow } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { byTask } from "./by-task.ts";
import { journal, lines, resultIn, sousArgv, world, type World } from "./e2e-kit.ts";

const run = ["run", "--model", "anthropic/x"];
const person = { env: { SOUS_RUN: "" } };
const ask = (question: string) => calls("ask_user", { question });
const touch = (file: string) => call("Bash", { command: `touch ${file}` });
const spawn = (prompt: string, background: boolean) => call("spawn_subagent", { prompt, background });
const types = (w: World) => journal(w.stateDir).map((event) => event.type);
const items = async (w: World, ...flags: string[]) =>
  JSON.parse((await w.sous(["inbox", "--json", ...flags])).stdout) as {
    id: string;
    kind: string;
    tree: string;
    path: string;
  }[];

describe("the inbox", () => {
  test("X12, X2: a question parks the run with exit 4; answered, it goes on exactly there and no request is repeated", async () => {
    await using w = await world([ask("blue or green?"), says("Green it is.")]);
    const parked = await w.sous([...run, "-o", "json", "paint it"]);
    expect(parked.code, parked.stderr).toBe(4);
    const result = resultIn(parked.stdout);
    const [item] = result.items as [{ id: string }];
    expect(result).toMatchObject({
      status: "parked",
      items: [{ kind: "question", path: "ROOT", text: "blue or green?" }],
    });
    expect(lines(parked.stderr)).toHaveLength(1);
    for (const part of [
      item.id,
      "blue or green?",
      `sous inbox answer ${item.id}`,
      `sous run --resume ${result.session}`,
    ])
      expect(parked.stderr).toContain(part);
    expect((await w.sous(["sessions", "list"])).stdout).toContain("parked");

    const unanswered = await w.sous(["run", "--resume", result.session]);
    expect(unanswered.code).toBe(4);
    expect(unanswered.stderr).toContain(item.id);
    expect(w.server.requests).toHaveLength(1);

    const listed = (await w.sous(["inbox"])).stdout;
    for (const part of [item.id, "question", "ROOT lead", "blue or green?", result.session])
      expect(listed).toContain(part);
    expect(listed).toContain(`\n  sous inbox answer ${item.id} "your words"\n`);
    const answered = await w.sous(["inbox", "answer", item.id.slice(0, 10), "green,", "please"], person);
    expect(answered, answered.stderr).toMatchObject({ code: 0, stdout: `answered ${item.id}: green, please\n` });
    const again = await w.sous(["inbox", "answer", item.id, "blue"], person);
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/was answered already: green, please, by sous inbox \(process \d+\) at 20/);

    const gone = await w.sous(["run", "--resume", result.session, "-o", "json"]);
    expect(resultIn(gone.stdout), gone.stderr).toMatchObject({ status: "succeeded", output: "Green it is." });
    w.server.finish();
    expect(JSON.stringify(w.server.requests[1]?.body)).toContain("green, please");
    expect(types(w).filter((type) => type.startsWith("item."))).toEqual(["item.added", "item.answered"]);
    expect((await w.sous(["inbox"])).stdout).toBe("nothing waits for you\n");
  });

  test("X9: killed while it waits, the question is there once and its answer reaches the same call", async () => {
    const script = byTask({
      "long work": [slow({ firstTokenAfterMs: 60_000 }, says("never"))],
      "the lead": [callsAll(spawn("long work", true), call("ask_user", { question: "which?" })), says("that one")],
    });
    await using w = await world(script);
    const killed = await w.sous([...run, "-o", "jsonl", "the lead"], {
      killOn: (line) => line.includes('"item.added"'),
    });
    const [item] = await items(w);
    expect(item).toMatchObject({ kind: "question", path: "ROOT" });
    expect((await w.sous(["inbox", "answer", item!.id, "that one"], person)).code).toBe(0);
    const child = w.start(["run", "--resume", item!.tree, "-o", "json"]);
    const said = (): boolean =>
      JSON.stringify(journal(w.stateDir)).includes('"said":[{"type":"text","text":"that one"}]');
    await waitFor(said, 10_000);
    child.kill("SIGTERM");
    await new Promise((resolve) => child.on("close", resolve));
    expect(killed.stdout).toContain(item!.id);
    expect(types(w).filter((type) => type === "item.added")).toHaveLength(1);
  });

  test("P.D08, B8: eight processes answer a background child's approval at once: one wins, seven are told who", async () => {
    await using w = await world(
      byTask({
        "the child": [callsAll(touch("made")), says("made it")],
        "the lead": [callsAll(spawn("the child", true)), says("waiting"), says("all in")],
      }),
    );
    const parked = await w.sous([...run, "--approvals", "inbox", "-o", "json", "the lead"]);
    expect(parked.code, parked.stderr).toBe(4);
    const result = resultIn(parked.stdout);
    const [item] = result.items as [{ id: string }];
    expect(result.items).toMatchObject([{ kind: "approval", path: "ROOT::S1", text: "Bash touch made" }]);
    expect(existsSync(w.dir.join("made"))).toBe(false);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => w.sous(["inbox", "answer", item.id, "yes"], { ...person, timeoutMs: 60_000 })),
    );
    const won = answers.filter((one) => one.code === 0);
    const lost = answers.filter((one) => one.code === 1);
    expect([won.length, lost.length], answers.map((one) => one.stderr).join("")).toEqual([1, 7]);
    const winner = journal(w.stateDir).filter((event) => event.type === "item.answered");
    expect(winner).toHaveLength(1);
    for (const one of lost) {
      expect(lines(one.stderr)).toHaveLength(1);
      expect(one.stderr).toContain(`was answered already: yes, by ${(winner[0] as unknown as { by: string }).by} at `);
    }
    const gone = await w.sous(["run", "--resume", result.session, "-o", "json"]);
    expect(resultIn(gone.stdout), gone.stderr).toMatchObject({ status: "succeeded", output: "all in" });
    expect(existsSync(w.dir.join("made"))).toBe(true);
    expect(await items(w, "--all")).toMatchObject([{ kind: "result", path: "ROOT::S1" }, { kind: "approval" }]);
  }, 90_000);

  test("D6, P.D08: what a run asks at its terminal can be answered from another, and the question there is withdrawn", async () => {
    await using w = await world([callsAll(touch("made")), says("All done.")]);
    const [command = "", ...rest] = sousArgv("--plain", "--model", "anthropic/x");
    const child = start(command, rest, { cwd: w.dir.path, env: { ...process.env, ...w.env } });
    let screen = "";
    child.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
    const closed = new Promise((resolve) => child.on("close", resolve));
    child.stdin.write("go\n");
    await waitFor(() => screen.includes("run it?"), 10_000);
    const [item] = await items(w);
    const answered = await w.sous(["inbox", "answer", item!.id, "yes"], person);
    expect(answered.code, answered.stderr).toBe(0);
    await waitFor(() => screen.includes("All done."), 10_000);
    expect(screen).toMatch(/answered yes, by sous inbox \(process \d+\)/);
    child.stdin.end("/q\n");
    await closed;
    expect(existsSync(w.dir.join("made"))).toBe(true);
  });

  test("issue 9: inbox --all says of a question that nobody answered how it was closed", async () => {
    await using w = await world([callsAll(touch("made")), says("All done.")]);
    const [command = "", ...rest] = sousArgv("--plain", "--model", "anthropic/x");
    const child = start(command, rest, { cwd: w.dir.path, env: { ...process.env, ...w.env } });
    let screen = "";
    child.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
    const closed = new Promise((resolve) => child.on("close", resolve));
    child.stdin.write("go\n");
    await waitFor(() => screen.includes("run it?"), 10_000);
    child.kill("SIGTERM");
    await closed;
    expect((await w.sous(["inbox", "--all"])).stdout).toMatch(/\n {2}closed without an answer: its (call|run) ended/);
  });

  test("X12: at the terminal a child's question is asked there, and the number of an option answers it", async () => {
    await using w = await world(
      byTask({
        "the child": [calls("ask_user", { question: "which?", options: ["red", "blue"] }), says("child: seen")],
        "the lead": [callsAll(spawn("the child", true)), says("waiting"), says("All in.")],
      }),
    );
    const [command = "", ...rest] = sousArgv("--plain", "--model", "anthropic/x");
    const child = start(command, rest, { cwd: w.dir.path, env: { ...process.env, ...w.env } });
    let screen = "";
    child.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
    const closed = new Promise((resolve) => child.on("close", resolve));
    child.stdin.write("the lead\n");
    await waitFor(() => screen.includes("ROOT::S1 answer:"), 10_000);
    expect(screen).toContain("ROOT::S1 general-purpose asks: which?");
    child.stdin.write("2\n");
    await waitFor(() => screen.includes("All in."), 10_000);
    child.stdin.end("/q\n");
    await closed;
    expect(journal(w.stateDir).find((event) => event.type === "item.answered")).toMatchObject({
      answer: { text: "blue" },
    });
  });

  test("B8: headless, what asks is denied by default; --approvals allow is for children in the background only, and deny holds", async () => {
    const script = byTask({
      "the child": [callsAll(touch("by-child"), touch("denied")), says("done")],
      "the lead": [callsAll(touch("by-lead"), spawn("the child", true)), says("waiting"), says("all in")],
    });
    await using w = await world(script);
    const denied = await w.sous([...run, "the lead"]);
    expect(denied.code, denied.stderr).toBe(0);
    expect(existsSync(w.dir.join("by-child"))).toBe(false);
    expect(types(w)).not.toContain("item.added");
    const allowed = await w.sous([...run, "--approvals", "allow", "--deny", "Bash(touch denied)", "the lead"]);
    expect(allowed.code, allowed.stderr).toBe(0);
    expect(["by-child", "by-lead", "denied"].map((file) => existsSync(w.dir.join(file)))).toEqual([true, false, false]);
  });

  test("P.I04: an agent cannot answer with a command of its own", async () => {
    await using w = await world([ask("may I?"), says("x")]);
    await w.sous([...run, "go"]);
    const [item] = await items(w);
    const refused = await w.sous(["inbox", "answer", item!.id, "yes"], { env: { SOUS_RUN: "agent-1" } });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("only a person can");
    expect(types(w)).not.toContain("item.answered");
  });

  test.each([
    [["inbox", "answer", "item-nowhere", "yes"], "there is no item"],
    [["inbox", "answer"], "needs the id of an item"],
    [["inbox", "lst"], "did you mean list?"],
  ])("%j is told in one line", async (words, told) => {
    await using w = await world([says("x")]);
    const ran = await w.sous(words, person);
    expect(ran.code).toBe(2);
    expect(lines(ran.stderr)).toHaveLength(1);
    expect(ran.stderr).toContain(told);
  });
});
