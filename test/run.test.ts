// `sous run` from outside: forms of output, exit codes, limits, sessions, and what a closed pipe does.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { StreamEvent } from "../src/core/events.ts";
import { call, calls, fails, replies, says, thinks } from "../src/testing/wire-server/script.ts";
import { durableOf, eventsOf, journal, lines, resultIn, sousArgv, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x"];
const echo = (n: number) => calls("Bash", { command: `echo ${n} >> ledger` });

describe("one conversation, four wires", () => {
  /** What a wire names its own way is taken out: ids, times, the provider's name, its proofs. */
  function normal(event: StreamEvent): unknown {
    return JSON.parse(
      JSON.stringify(event, (key, value: unknown) =>
        [
          "session",
          "run",
          "input",
          "call",
          "time",
          "opaque",
          "by",
          "model",
          "models",
          "transcript",
          "durationMs",
          "cwd",
          "reads",
          "title",
          "v",
        ].includes(key) && typeof value !== "object"
          ? undefined
          : ["opaque", "models", "reads"].includes(key)
            ? undefined
            : value,
      ),
    );
  }

  test("gives the same events on Anthropic, OpenAI Responses, OpenAI Chat and Gemini", async () => {
    const script = [
      thinks(
        "First I look.",
        replies({
          says: "Looking at both.",
          calls: [call("Read", { file_path: "a.txt" }), call("Bash", { command: "echo hello" })],
          usage: { inputTokens: 50, outputTokens: 20, cacheReadTokens: 10 },
        }),
      ),
      calls("Read", { file_path: "missing.txt" }),
      says("It says alpha."),
    ];
    const seen: unknown[][] = [];
    for (const model of ["anthropic/x", "openai/x", "openai-chat/x", "google/x"]) {
      await using w = await world(script);
      writeFileSync(w.dir.join("a.txt"), "alpha\n");
      const { stdout, code, stderr } = await w.sous([
        "run",
        "--mode",
        "yolo",
        "--output",
        "jsonl",
        "--model",
        model,
        "look",
      ]);
      expect(code, stderr).toBe(0);
      w.server.finish();
      // A reasoning part without words is a wire's own proof and no part of the conversation.
      const told = durableOf(stdout).map((event) =>
        event.type === "assistant.replied"
          ? { ...event, content: event.content.filter((part) => part.type !== "reasoning" || part.text !== "") }
          : event,
      );
      seen.push(
        told
          .map((event) => normal(event as StreamEvent))
          .map((event) => JSON.stringify(event).replaceAll(w.dir.path, "DIR"))
          // Which file it is and when it was written: each run has its own folder.
          .map((text) => JSON.parse(text.replace(/"stamp":"[\d:]+"/g, '"stamp":"STAMP"')) as unknown),
      );
    }
    expect(seen[0]!.length).toBeGreaterThan(10);
    for (const other of seen.slice(1)) expect(other).toEqual(seen[0]);
  });
});

describe("output", () => {
  test("text is the answer alone; json ends in one result object; jsonl ends in run.ended with the same result", async () => {
    const script = [calls("Bash", { command: "echo hi" }), says("The answer.")];
    await using a = await world(script);
    expect(await a.sous([...yolo, "q"])).toMatchObject({ stdout: "The answer.\n", stderr: "", code: 0 });
    await using b = await world(script);
    const json = await b.sous([...yolo, "--output", "json", "q"]);
    const result = resultIn(json.stdout);
    expect(result).toMatchObject({
      status: "succeeded",
      output: "The answer.",
      agent: "lead",
      turns: 2,
      toolCalls: 1,
      receipt: { toolCalls: { Bash: 1 }, commands: [{ command: "echo hi", exitCode: 0 }] },
      children: [],
    });
    expect(existsSync(result.transcript)).toBe(true);
    await using c = await world(script);
    const { stdout } = await c.sous([...yolo, "--output", "jsonl", "q"]);
    const events = eventsOf(stdout);
    expect(events.at(-1)).toMatchObject({ type: "run.ended", result: { status: "succeeded", output: "The answer." } });
    expect(durableOf(stdout).map((event) => event.seq)).toEqual(durableOf(stdout).map((_, at) => at + 1));
    expect(events.some((event) => event.type === "text.delta" && !("seq" in event))).toBe(true);
    expect(events.some((event) => event.type === "log.synced")).toBe(true);
  });

  test("a reader that leaves after one line loses nothing: the session is whole", async () => {
    await using w = await world([...Array.from({ length: 10 }, (_, n) => echo(n)), says("done")]);
    const argv = sousArgv(...yolo, "--output", "jsonl", "go")
      .map((word) => `'${word}'`)
      .join(" ");
    const piped = spawn("bash", ["-c", `set -o pipefail; ${argv} | head -1`], {
      cwd: w.dir.path,
      env: { ...process.env, ...w.env },
    });
    let stderr = "";
    piped.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    await new Promise((resolve) => piped.on("close", resolve));
    expect(stderr).toBe("");
    const events = journal(w.stateDir);
    expect(events.at(-1)).toMatchObject({ type: "run.ended", result: { status: "succeeded", toolCalls: 10 } });
    w.server.finish();
  });

  test("D5: each session has a file of its own with the journal's records, private to its owner", async () => {
    await using w = await world([calls("Bash", { command: "echo hi" }), says("ok")]);
    const result = resultIn((await w.sous([...yolo, "-o", "json", "q"])).stdout);
    const view = lines(readFileSync(result.transcript, "utf8")).map((line) => JSON.parse(line) as unknown);
    expect(view).toEqual(journal(w.stateDir));
    expect(view[0]).toMatchObject({
      type: "session.opened",
      agent: "lead",
      binding: { isolation: "shared" },
      permissions: { mode: "yolo" },
      trigger: "sous run",
    });
    expect(statSync(result.transcript).mode & 0o777).toBe(0o600);
    expect(statSync(w.stateDir).mode & 0o777).toBe(0o700);
  });
});

describe("exit codes", () => {
  test.each([
    ["succeeded", [says("yes")], [], 0],
    ["failed", [fails("auth")], [], 1],
    ["refused", [says("no", { finish: "refused" })], [], 1],
    ["limit", [calls("Bash", { command: "true" }), says("so far")], ["--max-turns", "1"], 3],
    ["empty", [says(""), says(""), says("")], [], 5],
    ["partial", [says("half", { finish: "length" })], [], 5],
    ["paused", [calls("Bash", { command: "true" }, { usage: { inputTokens: 900 } })], ["--budget-tokens", "500"], 6],
  ] as const)("X2: a run that ends %s says so and exits with its code", async (status, script, flags, code) => {
    await using w = await world(script);
    const ran = await w.sous([...yolo, "--output", "json", ...flags, "go"]);
    expect(resultIn(ran.stdout).status).toBe(status);
    expect(ran.code).toBe(code);
    expect(lines(ran.stderr), ran.stderr).toHaveLength(code === 0 ? 0 : 1);
    w.server.finish();
  });

  test.each([
    [["run"], /needs a prompt/],
    [["run", "--modle", "x", "go"], /no flag --modle; did you mean --model\?/],
    [["run", "--output", "xml", "go"], /--output is one of text, json, jsonl; got "xml"/],
    [["run", "--max-turns", "0", "go"], /--max-turns needs a whole number above 0/],
    [["run", "--model", "anthropc/x", "go"], /did you mean anthropic\//],
    [["run", "--allow", "Bash(", "go"], /--allow takes a tool/],
    [["run", "--cwd", "/no/such/folder", "go"], /does not exist/],
    [["run", "--resume", "agent-0000", "go"], /there is no session/],
    [["run", "--config", "/no/such/file", "go"], /cannot be read/],
    [["run", "--continue", "--resume", "x"], /do not go together/],
    [["rnu"], /did you mean run\?/],
    [["list the TODOs"], /a prompt goes to run: sous run "list the TODOs"/],
    [["sessions", "shwo"], /did you mean show\?/],
  ])("bad input %j gives one line that says what to do, and 2", async (words, message) => {
    await using w = await world([]);
    const ran = await w.sous(words);
    expect(ran.stderr).toMatch(message);
    expect(lines(ran.stderr)).toHaveLength(1);
    expect(ran.stdout).toBe("");
    expect(ran.code).toBe(2);
  });

  test("a budget in money that cannot be counted is refused before anything is spent", async () => {
    await using w = await world([]);
    const ran = await w.sous(["run", "--model", "anthropic/nobody-knows-it", "--budget-usd", "1", "go"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/price of anthropic\/nobody-knows-it is not known.*--budget-tokens/);
    expect(w.server.count).toBe(0);
    expect(journal(w.stateDir)).toEqual([]);
  });
});

describe("going on", () => {
  test("--resume by the start of an id and --continue go on with the whole history, mode and model kept", async () => {
    await using w = await world([says("first"), echo(1), says("second"), says("third")]);
    const first = resultIn((await w.sous([...yolo, "-o", "json", "one"])).stdout);
    const second = resultIn(
      (await w.sous(["run", "--resume", first.session.slice(0, 20), "-o", "json", "two"])).stdout,
    );
    expect(second).toMatchObject({ session: first.session, output: "second", model: "anthropic/x" });
    expect(readFileSync(w.dir.join("ledger"), "utf8")).toBe("1\n");
    const third = resultIn((await w.sous(["run", "--continue", "-o", "json", "three"])).stdout);
    expect(third).toMatchObject({ session: first.session, output: "third" });
    w.server.finish();
    const asked = JSON.stringify(w.server.requests.at(-1)?.body);
    for (const word of ["one", "first", "two", "second", "three"]) expect(asked).toContain(word);
  });

  test("X5: a paused run goes on exactly there when its budget is raised", async () => {
    await using w = await world([
      calls("Bash", { command: "echo 1 >> ledger" }, { usage: { inputTokens: 900 } }),
      says("done"),
    ]);
    const paused = resultIn((await w.sous([...yolo, "--budget-tokens", "500", "-o", "json", "go"])).stdout);
    expect(paused.status).toBe("paused");
    const still = await w.sous(["run", "--resume", paused.session, "-o", "json"]);
    expect(resultIn(still.stdout).status).toBe("paused");
    const ran = await w.sous(["run", "--resume", paused.session, "--budget-tokens", "5000", "-o", "json"]);
    expect(resultIn(ran.stdout)).toMatchObject({ status: "succeeded", output: "done" });
    expect(readFileSync(w.dir.join("ledger"), "utf8")).toBe("1\n");
  });

  test("P.D07: eight processes resume one session at once: one writes, the others are told who", async () => {
    await using w = await world({ byTurn: [says("first"), { ...says("second"), pace: { firstTokenAfterMs: 1_500 } }] });
    const first = resultIn((await w.sous([...yolo, "-o", "json", "one"])).stdout);
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) => w.sous(["run", "--resume", first.session, "-o", "json", `two ${n}`])),
    );
    const won = all.filter((ran) => ran.code === 0);
    expect(won).toHaveLength(1);
    for (const lost of all.filter((ran) => ran.code !== 0)) {
      expect(lost.stderr).toMatch(/is open in process \d+/);
      expect(lines(lost.stderr)).toHaveLength(1);
    }
    const seqs = journal(w.stateDir).map((event) => event.seq);
    expect(new Set(seqs).size).toBe(seqs.length);
  });

  test("P.D12: a session of 20 MB and 10,667 events goes on within a second", async () => {
    await using w = await world({ byTurn: [says("first"), says("second")] });
    const first = resultIn((await w.sous([...yolo, "-o", "json", "one"])).stdout);
    grow(w.stateDir, 10_667, 20_000_000);
    const start = performance.timeOrigin + performance.now();
    const ran = await w.sous(["run", "--resume", first.session, "-o", "json", "two"], { timeoutMs: 30_000 });
    expect(ran.stderr).toBe("");
    expect(ran.code).toBe(0);
    const begun = journal(w.stateDir).findLast((event) => event.type === "run.started")!.time;
    expect(begun - start).toBeLessThan(1_000);
    expect(journal(w.stateDir).length).toBeGreaterThan(10_667);
  });
});

/** Makes a real journal long: notes of a size, in the journal's own form. */
function grow(stateDir: string, events: number, bytes: number): void {
  const trees = join(stateDir, "trees");
  const file = join(trees, readdirSync(trees)[0]!, "journal.jsonl");
  const records = lines(readFileSync(file, "utf8"));
  const { v, epoch, session, path, time } = JSON.parse(records.at(-1)!) as Record<string, unknown>;
  const text = "x".repeat(Math.floor(bytes / events) - 160);
  for (let seq = records.length + 1; seq <= events; seq++)
    records.push(JSON.stringify({ v, seq, time, epoch, session, path, type: "note.added", kind: "test", text }));
  writeFileSync(file, `${records.join("\n")}\n`);
}

describe("sous sessions", () => {
  test("list, show, tree and rm, for people and programs", async () => {
    await using w = await world([calls("Bash", { command: "echo hi" }), says("The \u001b[31manswer."), says("other")]);
    const one = resultIn((await w.sous([...yolo, "-o", "json", "first question"])).stdout);
    const two = resultIn((await w.sous([...yolo, "-o", "json", "second question"])).stdout);
    const list = JSON.parse((await w.sous(["sessions", "list", "--json"])).stdout) as Record<string, unknown>[];
    expect(list.map((row) => row["id"])).toEqual([two.session, one.session]);
    expect(list[1]).toMatchObject({
      path: "ROOT",
      agent: "lead",
      status: "succeeded",
      title: "first question",
      cwd: w.dir.path,
      children: 0,
    });
    expect(list[1]).toHaveProperty("endedAt");
    const shown = (await w.sous(["sessions", "show", one.session])).stdout;
    for (const word of ["first question", "Bash", "hi", "answer."]) expect(shown).toContain(word);
    expect(shown).not.toContain("\u001b");
    expect((await w.sous(["sessions", "tree", "last"])).stdout).toMatch(/^ROOT lead succeeded/);
    expect((await w.sous(["sessions", "rm", one.session])).code).toBe(0);
    expect((await w.sous(["sessions"])).stdout).not.toContain(one.session);
    expect(readdirSync(join(w.stateDir, "trees"))).toEqual([two.session]);
  });

  test("X9: a session whose process died is listed as interrupted", async () => {
    await using w = await world([calls("Bash", { command: "sleep 30" })]);
    await w.sous([...yolo, "-o", "jsonl", "go"], { killOn: (line) => line.includes('"tool.started"') });
    const [row] = JSON.parse((await w.sous(["sessions", "--json"])).stdout) as { status: string }[];
    expect(row?.status).toBe("interrupted");
    expect((await w.sous(["sessions", "tree", "last"])).stdout).toMatch(/^ROOT lead interrupted/);
  });
});
