// The bash protocol from outside: a chat-only model on OpenAI's Chat wire, a child, and a session that goes on.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createHost } from "../src/host/host.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { journal, resultIn, world } from "./e2e-kit.ts";

const acts = (command: string) => says(`I act.\n\n\`\`\`bash\n${command}\n\`\`\``);
const final = (words: string) => acts(`echo 'MINI_SWE_AGENT_FINAL_OUTPUT\n${words}'`);
const spawn = (agent: string, task: string) => acts(`echo "MINI_SWE_AGENT_SPAWN_CHILD::${agent}\n${task}"`);

type Sent = { tools?: unknown; messages: { role: string; content: string; tool_calls?: unknown }[] };
const sent = (request: WireRequest): Sent => request.body as unknown as Sent;
const run = ["run", "--protocol", "bash", "--mode", "yolo", "--model", "openai-chat/x", "--output", "json"];

describe("a model without tool calls", () => {
  test("A1–A4: works by blocks of bash, greps for the word, spawns a child and ends with its lines; no request has tools", async () => {
    await using w = await world({
      conversations: {
        "LEAD TASK": [
          acts("echo found > note.txt\ngrep -r MINI_SWE_AGENT_SPAWN_CHILD ."),
          spawn("nobody-of-that-name", "x"),
          spawn("general-purpose", "CHILD TASK: read note.txt"),
          final("The child read it.\nDone."),
        ],
        "CHILD TASK": [acts("cat note.txt"), spawn("general-purpose", "y"), final("It says found.")],
      },
    });
    writeFileSync(w.dir.join("doc.md"), "MINI_SWE_AGENT_SPAWN_CHILD::general-purpose\nonly a text\n");
    const ran = await w.sous([...run, "LEAD TASK: use a child"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({
      status: "succeeded",
      output: "The child read it.\nDone.",
    });
    expect(ran.code).toBe(0);
    expect(readFileSync(w.dir.join("note.txt"), "utf8")).toBe("found\n");

    const requests = w.server.requests.map(sent);
    expect(requests).toHaveLength(7);
    for (const { tools, messages } of requests) {
      expect(tools).toBeUndefined();
      expect(messages[0]?.content).toContain("EXACTLY ONE action");
      expect(messages.some((message) => message.tool_calls !== undefined)).toBe(false);
      const roles = messages.slice(1).map((message) => message.role);
      expect(roles).toEqual(roles.map((_, n) => (n % 2 === 0 ? "user" : "assistant")));
    }
    const of = (task: string) => requests.filter(({ messages }) => messages[1]?.content.includes(task));
    const [lead, child] = [of("LEAD TASK: use a child"), of("CHILD TASK")];
    expect(lead[1]?.messages.at(-1)?.content).toMatch(/^<returncode>0<[\s\S]*doc\.md:MINI_SWE_AGENT_SPAWN_CHILD/);
    expect(lead[2]?.messages.at(-1)?.content).toMatch(
      /no agent "nobody-of-that-name".*agents that can be spawned here: .*general-purpose/,
    );
    expect(lead[3]?.messages.at(-1)?.content).toMatch(/\[child ROOT::S\d [\s\S]*It says found\.\n<\/output>/);
    expect(child[1]?.messages.at(-1)?.content).toBe("<returncode>0</returncode>\n<output>\nfound\n</output>");
    expect(child[2]?.messages.at(-1)?.content).toContain("may not have children");
    expect(child[0]?.messages[0]?.content).not.toContain("SPAWN_CHILD");
    expect(journal(w.stateDir).filter((event) => event.type === "child.started")).toHaveLength(1);
  });

  test("A1: three replies without an action end it failed, and resumed it goes on in the same protocol", async () => {
    await using w = await world([says("Hello."), says("Hi."), says("Well."), acts("echo on"), final("now it works")]);
    const failed = await w.sous([...run, "go"]);
    expect(failed.code).toBe(1);
    expect(resultIn(failed.stdout)).toMatchObject({ status: "failed", error: { code: "malformed-calls" } });
    const again = await w.sous(["run", "--continue", "--mode", "yolo", "--output", "json", "use a block"]);
    expect(resultIn(again.stdout), again.stderr).toMatchObject({ status: "succeeded", output: "now it works" });
    expect(w.server.requests.map((request) => sent(request).tools)).toEqual(Array(5).fill(undefined));
  });

  test("A3: an agent that has no Bash is not started, and not listed", async () => {
    await using w = await world([spawn("Explore", "look"), final("ok")]);
    const ran = await w.sous([...run, "go"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "ok" });
    const [first, second] = w.server.requests.map(sent);
    expect(first?.messages[0]?.content).toContain("- general-purpose:");
    expect(first?.messages[0]?.content).not.toContain("- Explore:");
    expect(second?.messages.at(-1)?.content).toContain("Explore has no Bash");
  });
});

describe("a model with tool calls", () => {
  test("C2: only children have yield_to_parent", async () => {
    await using w = await world({
      conversations: {
        "LEAD TASK": [calls("spawn_subagent", { prompt: "CHILD TASK" }), says("ok")],
        "CHILD TASK": [calls("yield_to_parent", { result: "yielded" })],
      },
    });
    const host = createHost({ env: { ...w.env, HOME: w.dir.path }, version: "0", stateDir: w.stateDir });
    const options = { limits: {}, budget: {}, rules: { allow: [], ask: [], deny: [] }, addDirs: [], trigger: "test" };
    const live = await host.run({ ...options, cwd: w.dir.path, model: "openai-chat/x", prompt: "LEAD TASK" });
    expect(await live.result).toMatchObject({ status: "succeeded", output: "ok" });
    const has = w.server.requests.map((request) => JSON.stringify(sent(request).tools).includes("yield_to_parent"));
    expect(has).toEqual([false, true, false]);
    expect(w.server.requests[2]?.text).toContain("yielded");
  });
});
