// The library as a program uses it, in this process.
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type AgentEvent, createHost, defineTool, HostError, runAgent } from "../src/index.ts";
import { calls, says, scripted, slow, waitFor } from "../src/testing/index.ts";
import { libraryWorld } from "./library-kit.ts";

const lookUp = defineTool({
  name: "LookUp",
  description: "Looks up a word.",
  input: Type.Object({ word: Type.String() }),
  readOnly: true,
  run: ({ word }) => `${word} means nothing`,
});
const forever = slow({ firstTokenAfterMs: 60_000 });

describe("E7: the result", () => {
  test("E7: has the seed's names and the fields of the result object", async () => {
    const { host, cwd } = await libraryWorld([calls("LookUp", { word: "sous" }), says("It means nothing.")], {
      tools: [lookUp],
    });
    const result = await runAgent(host, { prompt: "what does sous mean?", cwd, innerMessages: true });
    expect(result).toMatchObject({
      success: true,
      status: "succeeded",
      output: "It means nothing.",
      toolCallCount: 1,
      toolCalls: 1,
      iterations: 2,
      turns: 2,
      path: "ROOT",
      children: [],
    });
    expect(result.usage.inputTokens).toBe(result.usage.tree.inputTokens);
    expect(result.usage.own.outputTokens).toBeGreaterThan(0);
    expect(result.innerMessages?.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  test("E7: of a run that did not succeed is a value too, and says so", async () => {
    const { host, cwd } = await libraryWorld([calls("LookUp", { word: "a" }), says("Handed in.")], { tools: [lookUp] });
    const result = await runAgent(host, { prompt: "go", cwd, limits: { maxTurns: 1 } });
    expect(result).toMatchObject({ success: false, status: "limit" });
    expect(result.innerMessages).toBeUndefined();
  });

  test("D7: a run without a host has one of its own, with a model of the program's own", async () => {
    const { cwd, dir } = await libraryWorld([]);
    const model = scripted([says("Hello.")], { id: "mine/one" });
    process.env["SOUS_STATE_DIR"] = dir.join("own");
    try {
      const result = await runAgent({ prompt: "hi", cwd, model });
      expect(result).toMatchObject({ success: true, output: "Hello.", model: "mine/one" });
    } finally {
      delete process.env["SOUS_STATE_DIR"];
    }
    model.finish();
  });
});

describe("X10, D11: how a run has to end", () => {
  test("X10: the answer is data that fits the schema; a schema that is none rejects", async () => {
    const { host, cwd } = await libraryWorld([says("three"), says('{"n": 3}')]);
    const outputSchema = Type.Object({ n: Type.Integer() });
    const result = await runAgent(host, { prompt: "count", cwd, outputSchema });
    expect(result).toMatchObject({ success: true, structured: { n: 3 }, iterations: 2 });
    const error = await runAgent(host, { prompt: "count", cwd, outputSchema: { type: "strng" } }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(HostError);
    expect((error as Error).message).toContain("the output schema cannot be used: type must be one of");
  });

  test("D11: a run ends only by a tool of the program's own", async () => {
    const { host, cwd } = await libraryWorld([says("done"), calls("LookUp", { word: "sous" })], { tools: [lookUp] });
    const result = await runAgent(host, { prompt: "look it up", cwd, exitVia: ["LookUp"] });
    expect(result).toMatchObject({ success: true, iterations: 2, toolCallCount: 1 });
  });
});

describe("what cannot begin", () => {
  test("E7: rejects with a HostError that has a code, in one line", async () => {
    const { host, cwd } = await libraryWorld([]);
    const error = await runAgent(host, { prompt: "hi", cwd, model: "nobody/nothing" }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(HostError);
    expect(error).toMatchObject({ code: "unknown-model", kind: "usage" });
    expect((error as Error).message).not.toContain("\n");
  });

  test("E7: is thrown by the events as well, and then nobody need await the run", async () => {
    const { host } = await libraryWorld([]);
    const run = runAgent(host, { prompt: "hi", cwd: "/there/is/no/such/folder" });
    const reading = (async () => {
      for await (const event of run.events) expect(event).toBeUndefined();
    })();
    await expect(reading).rejects.toBeInstanceOf(HostError);
  });

  test("E7: a wrong configuration is told by the first run", async () => {
    const { cwd, dir } = await libraryWorld([]);
    const host = createHost({ stateDir: dir.join("s"), env: {}, config: { model: 7 } as never });
    await expect(host.run({ prompt: "hi", cwd })).rejects.toThrow(/the configuration given is wrong: .*model/);
    const rules = createHost({ stateDir: dir.join("s"), env: {}, config: {} });
    await expect(rules.run({ prompt: "hi", cwd, permissions: { allow: ["%"] } })).rejects.toThrow(/permissions.allow/);
  });
});

describe("stopping", () => {
  test("E7: an AbortSignal stops the run at once, and the session can be resumed", async () => {
    const { host, cwd, server } = await libraryWorld([forever, says("Went on.")]);
    const stop = new AbortController();
    const run = runAgent(host, { prompt: "go", cwd, signal: stop.signal });
    await waitFor(() => server.count === 1);
    stop.abort(new Error("enough"));
    const result = await run;
    expect(result).toMatchObject({ success: false, status: "cancelled", by: "program", error: { message: "enough" } });
    const again = await runAgent(host, { resume: result.session, prompt: "go on", cwd });
    expect(again).toMatchObject({ success: true, output: "Went on.", session: result.session });
  });

  test("E7: a signal that is aborted already begins nothing", async () => {
    const { host, cwd, server } = await libraryWorld([]);
    const run = runAgent(host, { prompt: "go", cwd, signal: AbortSignal.abort(new Error("too late")) });
    await expect(run).rejects.toThrow("too late");
    expect(server.count).toBe(0);
    expect(await host.sessions.list()).toEqual([]);
  });

  test("E7: leaving the loop over events ends only the loop; closing the host ends the run", async () => {
    const { host, cwd, server } = await libraryWorld([slow({ firstTokenAfterMs: 600 }, says("Done.")), forever]);
    const run = runAgent(host, { prompt: "go", cwd });
    for await (const event of run.events) if (event.type === "turn.started") break;
    expect(await run).toMatchObject({ success: true, output: "Done." });
    for await (const late of run.events) expect(late).toBeUndefined();

    const second = runAgent(host, { prompt: "again", cwd });
    await waitFor(() => server.count === 2);
    await host.close();
    expect(await second).toMatchObject({ status: "cancelled" });
    expect(() => host.run({ prompt: "x", cwd })).toThrow(HostError);
  });
});

describe("events", () => {
  test("E4: a slow reader gets every recorded event and holds up nobody", async () => {
    const { host, cwd } = await libraryWorld([says("word ".repeat(8_000))]);
    const run = runAgent(host, { prompt: "go", cwd });
    const seen: AgentEvent[] = [];
    const reading = (async () => {
      for await (const event of run.events) {
        if (seen.push(event) === 1) await run;
      }
    })();
    await reading;
    const seqs = seen.flatMap((event) => ("seq" in event ? [event.seq] : []));
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    expect(seen.findLast((event) => "seq" in event)?.type).toBe("run.ended");
    expect(seen.length).toBeLessThan(1_200);
  });

  test("E4: a callback that throws is told and called no more; the run goes on", async () => {
    const { host, cwd } = await libraryWorld([says("Done.")]);
    const notices: string[] = [];
    let count = 0;
    const result = await runAgent(host, {
      prompt: "go",
      cwd,
      onEvent: () => {
        count++;
        throw new Error("oops");
      },
      onNotice: (words) => notices.push(words),
    });
    expect(result.success).toBe(true);
    expect(count).toBe(1);
    expect(notices).toEqual(["onEvent is called no more: it threw Error: oops"]);
  });
});

describe("hosts", () => {
  test("E7: two hosts in one process keep to their own state, model and tools", async () => {
    const { dir, cwd } = await libraryWorld([]);
    const hostOf = (name: string) => {
      const model = scripted([calls("Who"), says(`I am ${name}.`)], { id: "own/model" });
      const who = defineTool({
        name: "Who",
        description: "Says who.",
        input: { type: "object", properties: {} },
        readOnly: true,
        run: () => name,
      });
      return { host: createHost({ stateDir: dir.join(name), env: {}, config: {}, model, tools: [who] }), model };
    };
    const [one, two] = [hostOf("one"), hostOf("two")];
    const results = await Promise.all([one.host.run({ prompt: "a", cwd }), two.host.run({ prompt: "b", cwd })]);
    expect(results.map(({ output }) => output)).toEqual(["I am one.", "I am two."]);
    for (const [at, { host, model }] of [one, two].entries()) {
      expect((await host.sessions.list()).map(({ id }) => id)).toEqual([results[at]?.session]);
      expect(JSON.stringify(model.requests[1]?.messages)).toContain(["one", "two"][at]);
    }
    await one.host.close();
    await two.host.close();
  });

  test("E7: a conversation goes on where it was, one run at a time", async () => {
    const { host, cwd, server } = await libraryWorld([says("One."), slow({ firstTokenAfterMs: 400 }, says("Two."))]);
    await using talk = host.open({ cwd });
    expect((await talk.ask("first")).output).toBe("One.");
    const second = talk.ask("second");
    expect(() => talk.ask("third")).toThrow("a run is under way");
    expect(await second).toMatchObject({ output: "Two.", session: talk.session });
    expect(server.requests[1]?.text).toContain("first");
    const events = await host.sessions.events(talk.session ?? "");
    expect(events.filter(({ type }) => type === "run.ended")).toHaveLength(2);
  });

  test("E7: importing and running leave no handlers, no output and nothing that keeps the process", async () => {
    const before = ["SIGINT", "SIGTERM", "exit", "uncaughtException", "unhandledRejection"].map((name) =>
      process.listenerCount(name),
    );
    const { host, cwd } = await libraryWorld([says("Hi.")]);
    const run = runAgent(host, { prompt: "hi", cwd });
    await sleep(0);
    const during = ["SIGINT", "SIGTERM", "exit", "uncaughtException", "unhandledRejection"].map((name) =>
      process.listenerCount(name),
    );
    await run;
    expect(during).toEqual(before);
  });
});

test("E7: types follow the schemas", () => {
  const typed = defineTool({
    name: "Typed",
    description: "Is typed.",
    input: { type: "object", properties: { n: { type: "number" }, s: { type: "string" } }, required: ["n"] },
    run: (input) => {
      expectTypeOf(input.n).toEqualTypeOf<number>();
      expectTypeOf(input.s).toEqualTypeOf<string | undefined>();
    },
  });
  defineTool({
    name: "Boxed",
    description: "Is typed.",
    input: Type.Object({ city: Type.String() }),
    run: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string }>() as never,
  });
  expect(Object.isFrozen(typed)).toBe(true);
});
