import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import { text, textOf } from "../../core/messages.ts";
import { LogFault } from "../../ports/tree-log.ts";
import { scripted } from "../../testing/scripted-model.ts";
import {
  call,
  calls,
  callsAll,
  fails,
  malformedCall,
  replies,
  says,
  stalls,
} from "../../testing/wire-server/script.ts";
import { defineTool } from "../tools/define-tool.ts";

const readA = { file_path: "a.txt" };

/** A tool with an effect that the test can see. */
function effect(done: string[], run?: (signal: AbortSignal) => Promise<void>) {
  return defineTool({
    name: "Effect",
    description: "does something",
    input: Type.Object({ what: Type.String() }),
    reach: (_world, input) => [{ may: "run", command: input.what }],
    run: async ({ signal }, input) => {
      await run?.(signal);
      done.push(input.what);
      return { ok: true, said: [text(`did ${input.what}`)] };
    },
  });
}

describe("the loop", () => {
  test("E2: a prompt, a tool call and an answer give this record, in this order", async () => {
    const model = scripted([calls("Read", readA), says("It says alpha.")]);
    const e = engine({ model });
    const result = await e.ask("what is in a.txt?");
    model.finish();
    expect(result).toMatchObject({ status: "succeeded", output: "It says alpha.", turns: 2, toolCalls: 1 });
    expect(result.receipt).toMatchObject({ toolCalls: { Read: 1 }, reads: [`${e.cwd}/a.txt`], flags: [] });
    expect(e.types()).toEqual([
      "session.opened",
      "input.admitted",
      "run.started",
      "input.promoted",
      "turn.started",
      "assistant.replied",
      "tool.started",
      "tool.ended",
      "turn.started",
      "assistant.replied",
      "run.ended",
    ]);
    expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
  });

  test("when the record of a call cannot be written, the call does not happen until it can", async () => {
    const done: string[] = [];
    const e = engine({
      model: scripted([calls("Effect", { what: "x" }), says("ok")]),
      tools: [effect(done)],
      mode: "yolo",
    });
    await e.send("go");
    const { append } = e.log;
    let broken = true;
    e.log.append = function (origin, event) {
      if (broken && event.type === "tool.started") throw new LogFault("full", "the disk is full");
      return append.call(this, origin, event) as never;
    };
    const handle = await e.start();
    await expect
      .poll(() => e.events.some((event) => event.type === "agent.waiting" && event.for === "disk"))
      .toBe(true);
    expect(done).toEqual([]);
    broken = false;
    expect((await handle.result).status).toBe("succeeded");
    expect(done).toEqual(["x"]);
  });

  test("an effect waits until its start is safe on the disk", async () => {
    const done: string[] = [];
    const e = engine({
      model: scripted([calls("Effect", { what: "x" }), says("ok")]),
      tools: [effect(done)],
      mode: "yolo",
    });
    await e.send("go");
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    e.log.durable = async () => gate;
    const handle = await e.start();
    await expect.poll(() => e.types().at(-1)).toBe("tool.started");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(done).toEqual([]);
    open();
    await handle.result;
    expect(done).toEqual(["x"]);
  });

  test("calls that only read run side by side and every result goes to its own call, in the calls' order", async () => {
    let inside = 0;
    let most = 0;
    const look = defineTool({
      name: "Look",
      description: "",
      input: Type.Object({ n: Type.Integer() }),
      repeatable: true,
      parallel: true,
      reach: () => [],
      run: async (_world, { n }) => {
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 30 - n * 8));
        inside--;
        return { ok: true, said: [text(`saw ${n}`)] };
      },
    });
    const model = scripted([
      callsAll(call("Look", { n: 1 }), call("Look", { n: 2 }), call("Look", { n: 3 })),
      says("done"),
    ]);
    const e = engine({ model, tools: [look] });
    await e.ask("look");
    expect(most).toBe(3);
    const results = model.requests[1]?.messages.at(-1);
    expect(results?.role === "tool" && results.results.map((result) => textOf(result.content))).toEqual([
      "saw 1",
      "saw 2",
      "saw 3",
    ]);
  });

  test("P.L06: unreadable arguments are never run; the model is told, and three such turns end the run with the reason", async () => {
    const done: string[] = [];
    const bad = replies({ calls: [malformedCall("Effect", '{"what": "x"')] });
    const model = scripted([bad, bad, bad]);
    const e = engine({ model, tools: [effect(done)], mode: "yolo" });
    const result = await e.ask("go");
    model.finish();
    expect(done).toEqual([]);
    expect(result).toMatchObject({ status: "failed", error: { code: "malformed-calls" } });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("Not run: the arguments for Effect are");
  });

  test("input that does not fit the tool, and a tool that is not there, are told to the model with what is right", async () => {
    const model = scripted([callsAll(call("Read", { path: "a.txt" }), call("Raed", readA)), says("ok")]);
    const e = engine({ model });
    await e.ask("go");
    const told = JSON.stringify(model.requests[1]?.messages.at(-1));
    expect(told).toContain("file_path");
    expect(told).toContain("Did you mean Read?");
    expect(e.types()).not.toContain("tool.started");
  });

  test("a tool that breaks while it names its reach fails its call, not the run", async () => {
    const broken = defineTool({
      name: "Broken",
      description: "",
      input: Type.Object({}),
      reach: () => {
        throw new Error("no such place");
      },
      run: async () => ({ ok: true, said: [text("never")] }),
    });
    const model = scripted([calls("Broken"), says("went on")]);
    const e = engine({ model, tools: [broken], mode: "yolo" });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "went on", toolCalls: 0 });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("no such place");
  });

  test("a call that needs consent is refused when nobody is there, with the rule that would allow it", async () => {
    const done: string[] = [];
    const model = scripted([calls("Effect", { what: "make it so" }), says("I could not.")]);
    const e = engine({ model, tools: [effect(done)] });
    await e.ask("go");
    expect(done).toEqual([]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("the rule Effect(make it so) would allow it");
  });

  test("X2: an empty reply is reminded, then ends as empty, never as success", async () => {
    const model = scripted([says(""), says(" "), says("")]);
    const result = await engine({ model }).ask("go");
    model.finish();
    expect(result).toMatchObject({ status: "empty", output: "" });
  });

  test("X2: a refusal, a cut reply and a fault each end as what they are", async () => {
    const status = async (step: Parameters<typeof scripted>[0][number]) =>
      (await engine({ model: scripted([step]) }).ask("go")).status;
    expect(await status(says("I will not.", { finish: "refused" }))).toBe("refused");
    expect(await status(says("The first half of", { finish: "length" }))).toBe("partial");
    expect(await status(fails("auth"))).toBe("failed");
  });

  test("P.S04: the same call with the same result, again and again, ends as stalled with the reason", async () => {
    const model = scripted(Array.from({ length: 50 }, () => calls("Read", readA)));
    const result = await engine({ model }).ask("go");
    expect(result).toMatchObject({ status: "stalled", error: { code: "repeats" } });
    expect(model.requests.length).toBeLessThan(50);
  });

  test("X3: a report of work without a tool call is flagged", async () => {
    const result = await engine({ model: scripted([says("I have fixed the bug and all tests pass.")]) }).ask("fix it");
    expect(result.receipt.flags).toEqual(["claims work, but no tool was called"]);
  });
});

describe("watching", () => {
  test("a watcher that breaks does not change the run", async () => {
    const e = engine({ model: scripted([says("fine")]) });
    e.writer.subscribe(() => {
      throw new Error("a broken screen");
    });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "fine" });
  });
});

describe("limits", () => {
  test("P.S05: a paused run goes on under its limit of turns, it does not begin anew", async () => {
    const usage = { inputTokens: 600, outputTokens: 0 };
    const model = scripted([
      calls("Read", readA, { usage }),
      calls("Read", { file_path: "a.txt", offset: 2 }, { usage }),
      says("handed in"),
    ]);
    const first = engine({ model, limits: { maxTurns: 2 }, budget: { tokens: 500 } });
    expect((await first.ask("go")).status).toBe("paused");
    const again = engine({ model, lines: first.lines, limits: { maxTurns: 2 } });
    await again.writer.record(
      { session: again.state().session, path: again.state().path },
      { type: "budget.changed", budget: {} },
      new AbortController().signal,
    );
    expect(await (await again.start()).result).toMatchObject({ status: "limit", output: "handed in" });
  });

  test("X5: one turn without a known price does not switch the budget off", async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    const model = scripted([
      calls("Read", readA, { usage }),
      calls("Read", { file_path: "a.txt", offset: 2 }, { usage }),
      says("never asked"),
    ]);
    const e = engine({
      model,
      budget: { usd: 1 },
      window: 10_000_000,
      priceOf: () => (model.requests.length < 2 ? undefined : { input: 2, output: 2 }),
    });
    expect((await e.ask("go")).status).toBe("paused");
    expect(model.requests).toHaveLength(2);
  });

  test("a crash in the last turn of a run that was to end does not end it when it is resumed", async () => {
    const base = engine({ model: scripted([calls("Read", readA), says("so far")]), limits: { maxTurns: 1 } });
    await base.ask("go");
    const cut = base.types().lastIndexOf("assistant.replied");
    const model = scripted([says("the whole")]);
    const e = engine({ model, lines: base.lines.slice(0, cut) });
    expect((await (await e.start()).result).output).toBe("the whole");
    expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain("no longer holds");
  });

  test("E6: at the limit of turns the agent gets one turn to hand in, and its calls are not run", async () => {
    const model = scripted([calls("Read", readA), replies({ says: "So far: alpha.", calls: [call("Read", readA)] })]);
    const e = engine({ model, limits: { maxTurns: 1 } });
    const result = await e.ask("go");
    model.finish();
    expect(result).toMatchObject({ status: "limit", output: "So far: alpha.", toolCalls: 1 });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain("the limit of 1 turn is reached");
  });

  test("E6: at the time limit what runs is interrupted and the agent hands in", async () => {
    const waits = effect(
      [],
      (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    );
    const model = scripted([calls("Effect", { what: "wait" }), says("Nothing came of it.")]);
    const e = engine({ model, tools: [waits], mode: "yolo", limits: { timeoutMs: 60 } });
    const result = await e.ask("go");
    expect(result).toMatchObject({ status: "limit", output: "Nothing came of it." });
  });

  test("a person's request to hand in ends as cancelled, with what the agent had", async () => {
    const model = scripted([calls("Read", readA), stalls({ afterDeltas: 1 }), says("I had read a.txt.")]);
    const e = engine({ model });
    await e.send("go");
    const handle = await e.start();
    await expect.poll(() => model.requests.length).toBe(2);
    handle.handIn({ status: "cancelled", by: "person", because: "the person asked to hand in" });
    expect(await handle.result).toMatchObject({ status: "cancelled", by: "person", output: "I had read a.txt." });
  });

  test("a stop ends also a tool that does not listen, and open calls are ended in the record", async () => {
    const waits = effect([], () => new Promise(() => {}));
    const model = scripted([calls("Effect", { what: "for ever" })]);
    const e = engine({ model, tools: [waits], mode: "yolo" });
    await e.send("go");
    const handle = await e.start();
    await expect.poll(() => e.types().at(-1)).toBe("tool.started");
    const before = performance.now();
    handle.stop({ status: "cancelled", by: "person", because: "stopped by the person" });
    expect(await handle.result).toMatchObject({ status: "cancelled", by: "person" });
    expect(performance.now() - before).toBeLessThan(3_500);
    expect(e.types().slice(-2)).toEqual(["tool.ended", "run.ended"]);
  });

  test("X5: at the budget the run pauses before the next request and goes on when it is raised", async () => {
    const model = scripted([calls("Read", readA, { usage: { inputTokens: 900, outputTokens: 200 } }), says("done")]);
    const first = engine({ model, budget: { tokens: 1_000 } });
    expect(await first.ask("go")).toMatchObject({ status: "paused", error: { code: "budget" } });
    expect(first.types().at(-1)).toBe("run.paused");
    expect(model.requests).toHaveLength(1);

    const again = engine({ model, lines: first.lines });
    await again.writer.record(
      { session: again.state().session, path: again.state().path },
      { type: "budget.changed", budget: { tokens: 5_000 } },
      new AbortController().signal,
    );
    expect(await (await again.start()).result).toMatchObject({ status: "succeeded", output: "done" });
  });
});

describe("the mailbox", () => {
  test("a steering message enters before the next turn, a follow-up when the agent would end", async () => {
    const model = scripted([calls("Read", readA), says("first answer"), says("second answer")]);
    const e = engine({ model });
    await e.send("go");
    await e.send("and then this", "follow-up");
    const handle = await e.start();
    const unsubscribe = e.writer.subscribe((event) => {
      if (event.type === "tool.started") void e.send("hurry", "steer");
    });
    const result = await handle.result;
    unsubscribe();
    model.finish();
    expect(result.output).toBe("second answer");
    const last = (n: number) => JSON.stringify(model.requests[n]?.messages.at(-1));
    expect(last(1)).toContain("hurry");
    expect(last(2)).toContain("and then this");
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain("and then this");
  });
});
