// Results through the built command: with a schema, by the only ways out, capped, and claimed without work.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { call, calls, callsAll, responder, says } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { byTask } from "./by-task.ts";
import { journal, resultIn, type World, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x", "-o", "json"];
const schema = { type: "object", properties: { bugs: { type: "integer" } }, required: ["bugs"] };

function define(w: World, name: string, fields: Record<string, unknown>): void {
  mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
  const definition = { description: "d", prompt: `You are ${name}.`, ...fields };
  writeFileSync(w.dir.join(`.sous/agents/${name}.json`), JSON.stringify({ name, ...definition }));
}

/** One child of the lead that follows its script; how it ended, and what its parent was told. */
async function oneChild(w: World, more: readonly string[] = []) {
  const ran = await w.sous([...yolo, "--trust", ...more, "the lead"]);
  const events = journal(w.stateDir);
  const ended = events.findLast((event) => event.type === "run.ended" && event.path === "ROOT::S1");
  const told = events.findLast((event) => event.type === "tool.ended" && event.path === "ROOT");
  return {
    ran,
    events,
    child: ended?.type === "run.ended" ? ended.result : undefined,
    told: told?.type === "tool.ended" ? JSON.stringify(told.outcome.said) : "",
  };
}
const lead = (input: Record<string, unknown>): Step[] => [
  callsAll(call("spawn_subagent", { prompt: "count bugs", ...input } as never)),
  says("ok"),
];

describe("structured results", () => {
  test("X10: a schema of the definition: the yield takes the value, what does not fit is told, the parent gets JSON", async () => {
    await using w = await world(
      byTask({
        "count bugs": [
          calls("yield_to_parent", { result: { bugs: "many" } }),
          calls("yield_to_parent", { result: { bugs: 3 } }),
        ],
        "the lead": lead({ agent: "counter" }),
      }),
    );
    define(w, "counter", { outputSchema: schema });
    const { child, told, events } = await oneChild(w);
    expect(child).toMatchObject({ status: "succeeded", structured: { bugs: 3 }, output: '{"bugs":3}' });
    expect(told).toContain('{\\"bugs\\":3}');
    const refused = events.find((event) => event.type === "tool.ended" && !event.outcome.ok);
    expect(JSON.stringify(refused)).toContain("bugs must be integer");
    const asked = w.server.requests.find((request) => JSON.stringify(request.body).includes("You are counter."))!;
    const { tools, system } = asked.body as { tools: { name: string; input_schema: object }[]; system: unknown };
    expect(tools.find((tool) => tool.name === "yield_to_parent")?.input_schema).toMatchObject({
      properties: { result: schema },
    });
    expect(JSON.stringify(system)).toContain("hand it in with yield_to_parent");
  });

  test("X10: a schema of the call; words are reminded, JSON among them is taken", async () => {
    await using w = await world(
      byTask({
        "count bugs": [says("There are three bugs."), says('Sorry: ```json\n{"bugs": "3"}\n```'), says('{"bugs": 3}')],
        "the lead": lead({ outputSchema: schema }),
      }),
    );
    const { child, events } = await oneChild(w);
    expect(child).toMatchObject({ status: "succeeded", structured: { bugs: 3 }, turns: 3 });
    const reminders = events.filter((event) => event.type === "input.admitted" && event.reminder);
    expect(reminders.map((event) => JSON.stringify(event))).toEqual([
      expect.stringContaining("it holds no JSON value"),
      expect.stringContaining("bugs must be integer"),
    ]);
  });

  test("X10, C6: after three reminders what is there is partial, never succeeded", async () => {
    await using w = await world(
      byTask({ "count bugs": [says("There are three bugs.")], "the lead": lead({ outputSchema: schema }) }),
    );
    const { child, told } = await oneChild(w);
    expect(child).toMatchObject({ status: "partial", output: "There are three bugs.", turns: 4 });
    expect(child).not.toHaveProperty("structured");
    expect(told).toContain("partial");
    expect(told).toContain("does not fit the schema: it holds no JSON value");
  });

  test("X10: yields that never fit end partial too", async () => {
    await using w = await world(
      byTask({
        "count bugs": [calls("yield_to_parent", { result: { bugs: "3" } })],
        "the lead": lead({ outputSchema: schema }),
      }),
    );
    expect((await oneChild(w)).child).toMatchObject({ status: "partial", output: '{"bugs":"3"}', turns: 4 });
  });

  test("X10: a schema that cannot be used starts no child, whether called or defined", async () => {
    await using w = await world(
      byTask({
        "the lead": [
          callsAll(
            call("spawn_subagent", { prompt: "a", outputSchema: { type: "array", items: { $ref: "#" } } } as never),
            call("spawn_subagent", { prompt: "b", agent: "broken" }),
          ),
          says("ok"),
        ],
      }),
    );
    define(w, "broken", { outputSchema: { type: "strng" } });
    await w.sous([...yolo, "--trust", "the lead"]);
    const events = JSON.stringify(journal(w.stateDir));
    expect(events).toContain("items.$ref leads back to itself");
    expect(events).toContain("its outputSchema cannot be used: type must be one of");
    expect(events).not.toContain('"path":"ROOT::S1"');
  });

  test("X10: sous run --output-schema: the answer is the JSON, also after a resume; a bad schema is a usage error", async () => {
    await using w = await world([says("three"), says('{"bugs":3}'), says("seven"), says('{"bugs":7}')]);
    const file = w.dir.join("schema.json");
    writeFileSync(file, JSON.stringify(schema));
    const text = await w.sous(["run", "--model", "anthropic/x", "--output-schema", file, "count"]);
    expect(text.stdout).toBe('{"bugs":3}\n');
    expect(JSON.stringify(w.server.requests[0]!.body)).toContain("fits this schema");
    const again = await w.sous(["run", "-c", "-o", "json", "once more"]);
    expect(resultIn(again.stdout)).toMatchObject({ status: "succeeded", structured: { bugs: 7 } });
    for (const [given, problem] of [
      ["{}", "says nothing"],
      ["{", "is no JSON object"],
      ["missing.json", "cannot be read (ENOENT)"],
      ['{"type":"string","pattern":"(a)\\\\1"}', "back-reference"],
    ] as const) {
      const refused = await w.sous(["run", "--model", "anthropic/x", "--output-schema", given, "count"]);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(problem);
      expect(refused.stderr.trim().split("\n")).toHaveLength(1);
    }
  });

  test("X10: a child of the bash protocol hands in its value by the final echo", async () => {
    const echo = (value: string) => says(`\`\`\`bash\necho 'MINI_SWE_AGENT_FINAL_OUTPUT\n${value}'\n\`\`\``);
    await using w = await world(
      byTask({ "count bugs": [echo("three"), echo('{"bugs": 3}')], "the lead": lead({ agent: "plain" }) }),
    );
    define(w, "plain", { outputSchema: schema, protocol: "bash" });
    const { child } = await oneChild(w);
    expect(child).toMatchObject({ status: "succeeded", structured: { bugs: 3 }, turns: 2 });
  });
});

describe("how a run may end", () => {
  test("C6: a yield written as text is reminded; a real one follows", async () => {
    await using w = await world(
      byTask({
        "count bugs": [says('yield_to_parent("three")'), calls("yield_to_parent", { result: "three" })],
        "the lead": lead({}),
      }),
    );
    const { child, events } = await oneChild(w);
    expect(child).toMatchObject({ status: "succeeded", output: "three" });
    expect(JSON.stringify(events)).toContain("you wrote a call of yield_to_parent as text");
  });

  test("C6: one that only ever writes it as text ends partial", async () => {
    await using w = await world(
      byTask({ "count bugs": [says("<yield_to_parent>three</yield_to_parent>")], "the lead": lead({}) }),
    );
    const { child } = await oneChild(w);
    expect(child).toMatchObject({ status: "partial", error: { code: "call-as-text" }, turns: 4 });
  });

  test("D11: a definition's exitVia: words do not end it, the call does, with what it said", async () => {
    await using w = await world(
      byTask({
        "count bugs": [says("I am done."), calls("Write", { file_path: "report.md", content: "three" })],
        "the lead": lead({ agent: "writer" }),
      }),
    );
    define(w, "writer", { exitVia: ["Write"] });
    const { child } = await oneChild(w);
    expect(child).toMatchObject({ status: "succeeded", turns: 2, output: "I am done." });
    expect(readFileSync(w.dir.join("report.md"), "utf8")).toBe("three");
  });

  test("D11: a way out that is no tool of the child's starts none", async () => {
    await using w = await world(byTask({ "the lead": lead({ agent: "writer" }) }));
    define(w, "writer", { exitVia: ["submit_work"], tools: "Read" });
    const { events } = await oneChild(w);
    expect(JSON.stringify(events)).toContain('there is no tool \\"submit_work\\" to end by');
    expect(events.some((event) => event.path === "ROOT::S1")).toBe(false);
  });

  test("D11: --exit-via: three reminders, then parked; a message takes it up, and the call ends it", async () => {
    await using w = await world([
      says("done"),
      says("really done"),
      says("yes"),
      says("still done"),
      calls("yield_to_parent", { result: "finished" }),
    ]);
    const parked = await w.sous([...yolo, "--exit-via", "yield_to_parent,Write", "work"]);
    expect(parked.code).toBe(4);
    expect(resultIn(parked.stdout)).toMatchObject({ status: "parked", turns: 4 });
    expect(parked.stderr).toContain("it can end only by calling yield_to_parent or Write");
    expect(journal(w.stateDir).at(-1)?.type).toBe("run.parked");
    const still = await w.sous(["run", "-c", "-o", "json"]);
    expect(still.code).toBe(4);
    const gone = await w.sous(["run", "-c", "-o", "json", "use the tool"]);
    expect(resultIn(gone.stdout)).toMatchObject({ status: "succeeded", output: "finished" });
    expect(gone.code).toBe(0);
    const answers = journal(w.stateDir).filter((event) => event.type === "item.answered");
    expect(answers).toMatchObject([{ answer: { text: "use the tool" } }]);
  });

  test("D11: a child that does not end as it has to parks its parent; the answer in the inbox takes both up", async () => {
    await using w = await world(
      byTask({
        "count bugs": [says("1"), says("2"), says("3"), says("4"), calls("yield_to_parent", { result: "three" })],
        "the lead": lead({ agent: "yielder" }),
      }),
    );
    define(w, "yielder", { exitVia: ["yield_to_parent"] });
    const parked = await w.sous([...yolo, "--trust", "the lead"]);
    expect(parked.code, parked.stderr).toBe(4);
    const [item] = JSON.parse((await w.sous(["inbox", "list", "--json"])).stdout) as { id: string; path: string }[];
    expect(item).toMatchObject({ path: "ROOT::S1", kind: "question" });
    expect((await w.sous(["inbox", "answer", item!.id, "use the tool"])).code).toBe(0);
    const gone = await w.sous(["run", "-c", "--trust", "-o", "json"]);
    expect(resultIn(gone.stdout), gone.stderr).toMatchObject({ status: "succeeded", output: "ok" });
    const told = w.server.requests.map((request) => JSON.stringify(request.body)).find((body) => body.includes('"4"'));
    expect(told).toContain("use the tool");
  });

  test("D11: --exit-via with a tool that is not there is a usage error", async () => {
    await using w = await world([]);
    const refused = await w.sous([...yolo, "--exit-via", "Wriet", "work"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toBe('sous: there is no tool "Wriet" to end by; did you mean Write?\n');
  });
});

describe("what a parent gets", () => {
  test("E5: a long result is told in part, and the parent reads the whole where the report says", async () => {
    const long = Array.from({ length: 5_000 }, (_, n) => `finding ${n}`).join("\n");
    await using w = await world(
      responder((request: WireRequest) => {
        const body = JSON.stringify(request.body);
        if (!body.includes("the lead")) return says(long);
        if (request.turn === 1) return callsAll(call("spawn_subagent", { prompt: "count bugs" }));
        const path = /Read (\S+result-\S+\.txt) for the whole/.exec(body)?.[1];
        return request.turn === 2 && path !== undefined
          ? calls("Read", { file_path: path, offset: 4_990 })
          : says("ok");
      }),
    );
    const { child, told, events, ran } = await oneChild(w, ["--mode", "confirm"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "ok", toolCalls: 2 });
    expect(readFileSync(child!.artifact!.path, "utf8")).toBe(long);
    expect(told).toContain("finding 4999");
    const reports = events.flatMap((event) => (event.type === "tool.ended" && event.path === "ROOT" ? [event] : []));
    expect(JSON.stringify(reports[0]!.outcome.said).length).toBeLessThan(23_000);
  });

  test("X3: a report that claims work without a single call is flagged to its parent", async () => {
    await using w = await world(
      byTask({ "count bugs": [says("I fixed the bug and all tests pass.")], "the lead": lead({}) }),
    );
    const { child, told } = await oneChild(w);
    expect(child?.receipt.flags).toEqual(["claims work, but no tool was called"]);
    expect(told).toContain("[flags: claims work, but no tool was called]");
  });

  test("E6: turns, seconds and temperature of a definition reach the child, and a limit is told as one", async () => {
    await using w = await world(
      byTask({
        "count bugs": [calls("LS"), says("this far")],
        "wait long": [calls("Bash", { command: "sleep 30" }), says("slept too long")],
        "the lead": [
          callsAll(
            call("spawn_subagent", { prompt: "count bugs", agent: "brief" }),
            call("spawn_subagent", { prompt: "wait long", agent: "hasty" }),
          ),
          says("ok"),
        ],
      }),
    );
    define(w, "brief", { maxTurns: 1, temperature: 0.4, model: "claude-haiku-4-5" });
    define(w, "hasty", { timeout: 2 });
    await w.sous([...yolo, "--trust", "the lead"]);
    const ends = journal(w.stateDir).flatMap((event) => (event.type === "run.ended" ? [event.result] : []));
    const of = (path: string) => ends.find((result) => result.path === path);
    expect(of("ROOT::S1")).toMatchObject({ status: "limit", output: "this far" });
    expect(of("ROOT::S2")).toMatchObject({ status: "limit", output: "slept too long" });
    expect(of("ROOT::S2")?.error?.message).toBe("the time limit of 2 s is reached");
    const asked = w.server.requests.find((request) => JSON.stringify(request.body).includes("You are brief."));
    expect(asked?.body).toMatchObject({ temperature: 0.4 });
  });

  test("X4, X10: what a child yields in its last turn counts, with its structure", async () => {
    await using w = await world(
      byTask({
        "count bugs": [calls("LS"), calls("yield_to_parent", { result: { bugs: 3 } })],
        "the lead": lead({ agent: "brief" }),
      }),
    );
    define(w, "brief", { maxTurns: 1, outputSchema: schema });
    const { child } = await oneChild(w);
    expect(child).toMatchObject({ status: "limit", structured: { bugs: 3 } });
  });
});
