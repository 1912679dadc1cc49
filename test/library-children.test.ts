// Children, tools and agents of an embedding program.
import { Type } from "typebox";
import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type AgentEvent,
  type Approval,
  defineAgent,
  defineTool,
  HostError,
  runAgent,
  type SubAgentEnd,
  type SubAgentProgress,
  type SubAgentStart,
} from "../src/index.ts";
import { call, calls, callsAll, says, slow } from "../src/testing/index.ts";
import { libraryWorld } from "./library-kit.ts";

type SubEvent = SubAgentStart | SubAgentProgress | SubAgentEnd;
const isSub = (event: AgentEvent): event is SubEvent => event.type.startsWith("sub_agent_");

async function collect(run: { readonly events: AsyncIterable<AgentEvent> }): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = [];
  for await (const event of run.events) seen.push(event);
  return seen;
}

const scout = defineAgent({ name: "scout", description: "Looks.", prompt: "You look.", tools: ["Read"] });

describe("E4: children on their parent's stream", () => {
  test("E4: two runs of one agent at once are told apart, each start before its progress before its end", async () => {
    const { host, cwd } = await libraryWorld(
      {
        conversations: {
          go: [
            callsAll(
              call("spawn_subagent", { agent: "scout", prompt: "left" }),
              call("spawn_subagent", { agent: "scout", prompt: "right" }),
            ),
            says("Both."),
          ],
          left: [slow({ firstTokenAfterMs: 100 }, says("Left done."))],
          right: [slow({ firstTokenAfterMs: 100 }, says("Right done."))],
        },
      },
      { agents: [scout] },
    );
    const run = runAgent(host, { prompt: "go", cwd });
    const events = await collect(run);
    expect(await run).toMatchObject({ success: true, output: "Both." });
    const subs = events.filter(isSub);
    const byAgent = Map.groupBy(subs, ({ agentId }) => agentId);
    expect(byAgent.size).toBe(2);
    expect(new Set(subs.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    expect(new Set(subs.map(({ path }) => path))).toEqual(new Set(["ROOT::S1", "ROOT::S2"]));
    const outputs: unknown[] = [];
    for (const own of byAgent.values()) {
      const [start, ...rest] = own;
      const end = rest.pop();
      expect(start).toMatchObject({ type: "sub_agent_start", subAgentName: "scout", input: { agent: "scout" } });
      expect(rest.length).toBeGreaterThan(3);
      expect(rest.every(({ type }) => type === "sub_agent_progress")).toBe(true);
      const prompt = (start as SubAgentStart).input["prompt"];
      expect(end).toMatchObject({
        type: "sub_agent_end",
        result: { success: true, output: prompt === "left" ? "Left done." : "Right done.", agent: "scout" },
      });
      outputs.push(prompt);
    }
    expect(outputs.toSorted()).toEqual(["left", "right"]);
    // They overlapped: the second began before the first ended.
    const order = subs.flatMap(({ type }) => (type === "sub_agent_progress" ? [] : [type]));
    expect(order).toEqual(["sub_agent_start", "sub_agent_start", "sub_agent_end", "sub_agent_end"]);
  });

  test("E4: a child's own children are told within its progress, and nothing is stored twice", async () => {
    const boss = defineAgent({ name: "boss", description: "Delegates.", prompt: "You delegate.", spawns: [scout] });
    const { host, cwd } = await libraryWorld(
      {
        conversations: {
          go: [calls("spawn_subagent", { agent: "boss", prompt: "manage" }), says("All done.")],
          manage: [calls("spawn_subagent", { agent: "scout", prompt: "deep" }), says("Managed.")],
          deep: [says("Deep.")],
        },
      },
      { agents: [boss] },
    );
    const run = runAgent(host, { prompt: "go", cwd });
    const events = await collect(run);
    const result = await run;
    const inner = events.flatMap((event) => (event.type === "sub_agent_progress" ? [event.event] : []));
    expect(events.filter(isSub).every(({ path }) => path === "ROOT::S1")).toBe(true);
    expect(inner.filter(isSub).map(({ type, path }) => `${type} ${path}`)).toEqual(
      expect.arrayContaining(["sub_agent_start ROOT::S1::S1", "sub_agent_end ROOT::S1::S1"]),
    );
    const recorded = await host.sessions.events(result.session);
    expect(recorded.some(({ type }) => type.startsWith("sub_agent"))).toBe(false);
    expect(recorded.filter(({ type }) => type === "session.opened")).toHaveLength(3);
  });
});

describe("steering children", () => {
  test("D7: a child is stopped by its id while its parent goes on; who is not there is told", async () => {
    const { host, cwd } = await libraryWorld(
      {
        conversations: {
          go: [calls("spawn_subagent", { agent: "scout", prompt: "long" }), says("Without it.")],
          long: [slow({ firstTokenAfterMs: 60_000 })],
        },
      },
      { agents: [scout] },
    );
    const run = runAgent(host, { prompt: "go", cwd });
    const ends: SubAgentEnd[] = [];
    for await (const event of run.events) {
      if (event.type === "sub_agent_progress" && event.event.type === "turn.started")
        await run.child(event.agentId).stop();
      if (event.type === "sub_agent_end") ends.push(event);
    }
    expect(ends).toMatchObject([{ result: { status: "cancelled", by: "person" } }]);
    expect(await run).toMatchObject({ success: true, output: "Without it." });
    await expect(run.child("agent-nobody").stop()).rejects.toBeInstanceOf(HostError);
  });
});

describe("tools of the program", () => {
  const ship = (log: string[] = []) =>
    defineTool({
      name: "Ship",
      description: "Ships it.",
      input: Type.Object({ to: Type.String() }),
      run: ({ to }, { path, cwd, call: id, progress }) => {
        progress("packing");
        log.push(`${path} ${cwd} ${id === "" ? "no call" : "a call"}`);
        return `shipped to ${to}`;
      },
    });
  const script = () => [calls("Ship", { to: "Rome" }), says("Told.")];

  test("E7: one that is not read-only asks; with nobody there it is refused, and the rule is named", async () => {
    const log: string[] = [];
    const { host, cwd, server } = await libraryWorld(script(), { tools: [ship(log)] });
    await runAgent(host, { prompt: "go", cwd });
    expect(log).toEqual([]);
    expect(server.requests[1]?.text).toContain("the rule Ship would allow it");
  });

  test("E7: the person's callback is asked with the exact call, and its answer holds", async () => {
    for (const answer of [true, false, { allow: false, reason: "not on Fridays" } as const]) {
      const log: string[] = [];
      const asked: Approval[] = [];
      const { host, cwd, server } = await libraryWorld(script(), {
        tools: [ship(log)],
        person: { approve: (approval) => (asked.push(approval), answer) },
      });
      await runAgent(host, { prompt: "go", cwd });
      expect(asked).toMatchObject([{ tool: "Ship", input: { to: "Rome" }, path: "ROOT", allowWith: "Ship" }]);
      expect(log).toEqual(answer === true ? [`ROOT ${cwd} a call`] : []);
      const told = answer === true ? "shipped to Rome" : answer === false ? "said no" : "not on Fridays";
      expect(server.requests[1]?.text).toContain(told);
    }
  });

  test("E7: rules by its name allow and deny it, also in yolo", async () => {
    const allowed: string[] = [];
    const one = await libraryWorld(script(), { tools: [ship(allowed)] });
    await runAgent(one.host, { prompt: "go", cwd: one.cwd, permissions: { allow: ["Ship"] } });
    const denied: string[] = [];
    const two = await libraryWorld(script(), { tools: [ship(denied)] });
    await runAgent(two.host, { prompt: "go", cwd: two.cwd, mode: "yolo", permissions: { deny: ["Ship"] } });
    expect([allowed.length, denied.length]).toEqual([1, 0]);
  });

  test("E7: input that does not fit never reaches it; what it throws is told; long output is cut", async () => {
    const run = (input: { n: number }) => {
      if (input.n === 1) throw new Error("one is too few");
      return "x".repeat(200_000);
    };
    const count = defineTool({
      name: "Count",
      description: "Counts.",
      input: Type.Object({ n: Type.Number() }),
      readOnly: true,
      run,
    });
    const { host, cwd, server } = await libraryWorld(
      [calls("Count", { n: "many" }), calls("Count", { n: 1 }), calls("Count", { n: 2 }), says("Counted.")],
      { tools: [count] },
    );
    expect((await runAgent(host, { prompt: "go", cwd })).success).toBe(true);
    expect(server.requests[1]?.text).toContain("Not run: Count: n must be number");
    expect(server.requests[2]?.text).toContain("Count failed: one is too few");
    expect(server.requests[3]?.text.length).toBeLessThan(100_000);
  });

  test("E7: a tool in an agent's own list is that agent's alone", async () => {
    const log: string[] = [];
    const shipper = defineAgent({
      name: "shipper",
      description: "Ships.",
      prompt: "You ship.",
      tools: [ship(log), "Read"],
    });
    const { host, cwd, server } = await libraryWorld(
      {
        conversations: {
          go: [calls("spawn_subagent", { agent: "shipper", prompt: "ship it" }), says("Ok.")],
          "ship it": [calls("Ship", { to: "Oslo" }), says("Shipped.")],
        },
      },
      { agents: [shipper] },
    );
    await runAgent(host, { prompt: "go", cwd, mode: "yolo" });
    expect(log).toEqual([`ROOT::S1 ${cwd} a call`]);
    const toolsOf = (at: number) =>
      (server.requests[at]?.body as { tools: { name: string }[] } | undefined)?.tools ?? [];
    expect(toolsOf(0).map(({ name }) => name)).not.toContain("Ship");
    const names = toolsOf(1).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["Read", "Ship"]));
    expect(names).not.toContain("Write");
  });

  test("E7: a name that a tool has already is refused before anything runs", async () => {
    const bash = defineTool({ ...ship(), name: "Bash" });
    const { host, cwd, server } = await libraryWorld([], { tools: [bash] });
    const error = await runAgent(host, { prompt: "go", cwd }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "invalid-tool", message: expect.stringContaining("two tools called Bash") });
    expect(server.count).toBe(0);
  });

  test.each([
    [{ name: "has space" }, /no name for a tool/],
    [{ description: " " }, /needs a description/],
    [{ input: { type: "string" } }, /no schema of an object/],
    [{ timeoutMs: 0 }, /above 0/],
  ])("E7: defineTool refuses %j", (wrong, message) => {
    expect(() => defineTool({ ...ship(), ...wrong } as never)).toThrow(message);
  });
});

describe("agents of the program", () => {
  test("E1: one with an input schema is a tool of the lead, and goes before a built-in of its name", async () => {
    const search = defineAgent({
      name: "CodeSearch",
      description: "Searches my way.",
      prompt: "You search my way.",
      tools: ["Read"],
      inputSchema: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
    });
    const { host, cwd, server } = await libraryWorld(
      {
        conversations: {
          go: [calls("CodeSearch", { query: "x" }), calls("CodeSearch", { what: "parser" }), says("Found.")],
          "what: parser": [says("Here.")],
        },
      },
      { agents: [search] },
    );
    expect((await runAgent(host, { prompt: "go", cwd })).success).toBe(true);
    expect(server.requests[1]?.text).toContain("Not run: CodeSearch");
    expect(server.requests[2]?.text).toContain("You search my way.");
  });

  test("D7, E1: one is run by itself, with its own prompt, tools and limits, on a prompt or on checked input", async () => {
    const tool = defineTool({
      name: "Count",
      description: "Counts.",
      input: { type: "object", properties: {} },
      readOnly: true,
      run: () => "three",
    });
    const counter = defineAgent({
      name: "counter",
      description: "Counts.",
      prompt: "You count and nothing else.",
      tools: [tool],
      inputSchema: { type: "object", properties: { what: { type: "string" } }, required: ["what"] },
      outputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    });
    const { host, cwd, server } = await libraryWorld([calls("Count"), says('{"n": 3}')]);
    const result = await runAgent(host, { agent: counter, input: { what: "eggs" }, cwd });
    expect(result).toMatchObject({ success: true, agent: "counter", path: "ROOT", structured: { n: 3 } });
    expectTypeOf(result.structured).toEqualTypeOf<{ n: number } | undefined>();
    const body = server.requests[0]?.body as { system: unknown; tools: { name: string }[] } | undefined;
    expect(JSON.stringify(body?.system)).toContain("You count and nothing else.");
    expect(body?.tools.map(({ name }) => name)).toEqual(["Count"]);
    expect(server.requests[0]?.text).toContain("what: eggs");
    const misfit = runAgent(host, { agent: counter, input: { what: 7 } as never, cwd });
    await expect(misfit).rejects.toMatchObject({ code: "invalid-input", message: /what must be string/ });
    const lead = runAgent(host, { input: { what: "x" }, cwd });
    await expect(lead).rejects.toMatchObject({ code: "invalid-input" });
    expect(() => runAgent(host, { agent: counter, prompt: "x", input: { what: "x" }, cwd })).toThrow(HostError);
    expect(await host.sessions.list()).toHaveLength(1);
  });

  test("D7: a built-in is run by its name; one that is not there is told with the nearest", async () => {
    const { host, cwd, server } = await libraryWorld([says("Nothing here.")]);
    expect(await runAgent(host, { agent: "Explore", prompt: "look", cwd })).toMatchObject({ agent: "Explore" });
    expect(server.requests[0]?.text).not.toContain("spawn_subagent");
    const error = await runAgent(host, { agent: "explorer", prompt: "look", cwd }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unknown-agent", message: expect.stringContaining("did you mean Explore?") });
  });

  test.each([
    [{ name: "a", description: "b", prompt: "" }, /needs a prompt/],
    [{ name: "a", description: "b", prompt: "c", maxTurns: -1 }, /maxTurns is left out/],
    [{ name: "a", description: "b", prompt: "c", tools: [7] }, /tools/],
    [{ name: "a", description: "b", prompt: "c", tolls: ["Read"] }, /did you mean tools/],
  ])("E1: defineAgent refuses %j and says why", (wrong, message) => {
    const define = (): unknown => defineAgent(wrong as never);
    expect(define).toThrow(HostError);
    expect(define).toThrow(message);
  });
});
