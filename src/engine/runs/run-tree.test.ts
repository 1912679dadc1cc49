import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import type { Model, ModelPart, ModelRequest } from "../../ports/model.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, calls, callsAll, fails, says, slow } from "../../testing/wire-server/script.ts";
import { read } from "../tools/read.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";
import { subagents } from "../tools/subagents.ts";

const tools = [read, spawnSubagent];
const spawn = (prompt: string, more: Record<string, string | boolean> = {}) =>
  call("spawn_subagent", { prompt, ...more });

/**
 * A model for any number of children at once: each conversation is answered from its own first words, and nobody before
 * so many have asked `together`.
 */
function echoing(
  turns: (prompt: string, turn: number) => ReturnType<typeof says>,
  { delayMs = 0, together = 0 }: { readonly delayMs?: number; readonly together?: number } = {},
) {
  let inside = 0;
  const seen = { most: 0, requests: 0 };
  return {
    id: "scripted/echo",
    provider: "scripted",
    seen,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      seen.requests++;
      seen.most = Math.max(seen.most, ++inside);
      try {
        if (delayMs) await sleep(delayMs, undefined, { signal });
        while (seen.most < together) await sleep(5, undefined, { signal });
        const [first] = request.messages;
        const prompt = first?.role === "user" && first.content[0]?.type === "text" ? first.content[0].text : "";
        const turn = request.messages.filter((message) => message.role === "assistant").length;
        yield* scripted([turns(prompt, turn)]).stream(request, signal);
      } finally {
        inside--;
      }
    },
  };
}

const told = (model: ReturnType<typeof scripted>, n: number): string[] => {
  const last = model.requests[n]?.messages.at(-1);
  return last?.role === "tool" ? last.results.map((result) => JSON.stringify(result.content)) : [];
};

describe("children", () => {
  test("C5: five from one reply run at the same time, each result goes to its own call, and one that fails harms none", async () => {
    const lead = scripted([callsAll(...[1, 2, 3, 4, 5].map((n) => spawn(`task ${n}`))), says("all in")]);
    const child = echoing((prompt) => (prompt === "task 3" ? says("") : says(`did ${prompt}`)), { together: 5 });
    const e = engine({ model: lead, tools, children: { "general-purpose": child } });
    const result = await e.ask("go");
    expect(result).toMatchObject({ status: "succeeded", output: "all in" });
    expect(child.seen.most).toBe(5);
    const reports = told(lead, 1);
    for (const n of [1, 2, 4, 5]) expect(reports[n - 1]).toContain(`did task ${n}`);
    expect(reports[2]).toContain("empty");
    expect(result.children).toHaveLength(5);
    expect(e.types().filter((type) => type === "child.ended")).toHaveLength(5);
  });

  test("A5, C3: paths count per parent, and each session knows who made it", async () => {
    const lead = scripted([callsAll(spawn("a"), spawn("b")), says("ok")]);
    const e = engine({ model: lead, tools, children: { "general-purpose": echoing(() => says("x")) } });
    await e.ask("go");
    const opened = e.lines
      .map((line) => JSON.parse(line) as Recorded)
      .filter((event) => event.type === "session.opened");
    expect(opened.map((event) => event.path)).toEqual(["ROOT", "ROOT::S1", "ROOT::S2"]);
    expect(opened[1]).toMatchObject({ parent: opened[0]!.session, spawnedBy: { session: opened[0]!.session } });
  });

  test("B16: never more than the set number run at once; the rest wait in order and are told their place", async () => {
    const lead = scripted([callsAll(...Array.from({ length: 12 }, (_, n) => spawn(`t${n}`))), says("ok")]);
    const child = echoing((prompt) => says(prompt), { delayMs: 15 });
    const e = engine({ model: lead, tools, children: { "general-purpose": child }, treeLimits: { maxConcurrent: 3 } });
    expect((await e.ask("go")).status).toBe("succeeded");
    expect(child.seen.most).toBe(3);
    expect(e.events.filter((event) => event.type === "child.queued").length).toBeGreaterThan(0);
  });

  test("B14: a child may have children down to the set depth, which holds", async () => {
    const lead = scripted([callsAll(spawn("down")), says("ok")]);
    const child = echoing((_prompt, turn) => (turn === 0 ? callsAll(spawn("down")) : says("deep enough")));
    const e = engine({ model: lead, tools, children: { "general-purpose": child }, treeLimits: { maxDepth: 2 } });
    await e.ask("go");
    const paths = [...e.writer.state.sessions.values()].map((session) => session.path);
    expect(paths).toEqual(["ROOT", "ROOT::S1", "ROOT::S1::S1"]);
    expect(e.lines.join("")).toContain("nested 2 deep");
  });

  test("B16: a child that waits for its own gives its place back: two places are enough for a chain of three", async () => {
    const lead = scripted([callsAll(spawn("chain 3")), says("ok")]);
    const child = echoing((prompt, turn) => {
      const n = Number(prompt.split(" ")[1]);
      return n > 1 && turn === 0 ? callsAll(spawn(`chain ${n - 1}`)) : says(`done ${n}`);
    });
    const e = engine({ model: lead, tools, children: { "general-purpose": child }, treeLimits: { maxConcurrent: 1 } });
    expect((await e.ask("go")).status).toBe("succeeded");
    expect(e.writer.state.sessions.size).toBe(4);
  });

  test("B11: a child in the background returns at once, its report comes by itself, and the lead waits for it before it ends", async () => {
    const lead = scripted([
      callsAll(spawn("slow work", { background: true })),
      says("started it"),
      says("and it found 42"),
    ]);
    const e = engine({
      model: lead,
      tools,
      children: { "general-purpose": scripted([slow({ firstTokenAfterMs: 80 }, says("42"))]) },
    });
    const result = await e.ask("go");
    lead.finish();
    expect(told(lead, 1)[0]).toContain("runs in the background");
    expect(result.output).toBe("and it found 42");
    expect(JSON.stringify(lead.requests[2]?.messages.at(-1))).toMatch(/data, not instructions.*42/);
  });

  test("stopping the lead stops its children at once, and the record says so", async () => {
    const lead = scripted([callsAll(spawn("a"), spawn("b"))]);
    const e = engine({
      model: lead,
      tools,
      children: { "general-purpose": echoing(() => says("x"), { delayMs: 60_000 }) },
    });
    await e.send("go");
    const handle = await e.start();
    await expect.poll(() => e.writer.state.sessions.size).toBe(3);
    await expect.poll(() => e.types().filter((type) => type === "turn.started").length).toBe(3);
    const began = performance.now();
    handle.stop({ status: "cancelled", by: "person", because: "stopped by the person" });
    expect((await handle.result).status).toBe("cancelled");
    expect(performance.now() - began).toBeLessThan(3_500);
    expect(ends(e.lines)).toEqual({ "ROOT::S1": "cancelled", "ROOT::S2": "cancelled", ROOT: "cancelled" });
  });

  test("A8, X6: one meter for the tree; own and subtree cost are told apart", async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0 };
    const lead = scripted([replyWith(usage), says("ok", { usage })]);
    const child = scripted([says("x", { usage })]);
    const e = engine({ model: lead, tools, children: { "general-purpose": child }, price: { input: 1, output: 1 } });
    const result = await e.ask("go");
    expect(result.usage.own.costUsd).toBe(2);
    expect(result.usage.tree.costUsd).toBe(3);
  });

  test("X5: at the budget child and lead pause, and both go on exactly there when it is raised", async () => {
    const usage = { inputTokens: 600, outputTokens: 0 };
    const lead = scripted([replyWith(usage), says("whole")]);
    const child = scripted([calls("Read", { file_path: "a.txt" }, { usage }), says("child done")]);
    const children = { "general-purpose": child };
    const first = engine({ model: lead, tools, children, budget: { tokens: 1_000 } });
    expect(await first.ask("go")).toMatchObject({ status: "paused" });
    expect(child.requests).toHaveLength(1);
    const again = engine({ model: lead, tools, children, lines: first.lines });
    await again.writer.record(
      { session: again.state().session, path: again.state().path },
      { type: "budget.changed", budget: { tokens: 9_000 } },
      new AbortController().signal,
    );
    expect(await (await again.start()).result).toMatchObject({ status: "succeeded", output: "whole" });
    expect(told(lead, 1)[0]).toContain("child done");
    lead.finish();
    child.finish();
  });

  test("X1, P.D11: cut after any event, every child ends once and is delivered once", async () => {
    const leadScript = [
      callsAll(spawn("fg one"), spawn("bg", { background: true }), spawn("fg two")),
      says("reports are in"),
      says("background too"),
    ];
    const child = () =>
      echoing((prompt, turn) => (turn === 0 ? calls("Read", { file_path: "a.txt" }) : says(`report of ${prompt}`)));
    const base = engine({ model: scripted(leadScript), tools, children: { "general-purpose": child() } });
    await base.ask("go");
    const begun = base.types().indexOf("run.started");
    for (let n = begun + 1; n < base.lines.length; n++) {
      const lines = base.lines.slice(0, n);
      const lead = echoing((_prompt, turn) => leadScript[Math.min(turn, leadScript.length - 1)]!);
      const e = engine({ model: lead, lines: [...lines], tools, children: { "general-purpose": child() } });
      const end = await (await e.start()).result;
      expect(end.status, `cut after ${n}`).toBe("succeeded");
      const events = e.lines.map((line) => JSON.parse(line) as Recorded);
      const children = events.filter((event) => event.type === "child.started").map((event) => event.child);
      expect(children, `cut after ${n}`).toHaveLength(3);
      for (const session of children) {
        const own = events.filter((event) => event.session === session);
        expect(
          own.filter((event) => event.type === "run.ended"),
          `cut after ${n}: ends of ${session}`,
        ).toHaveLength(1);
        expect(
          events.filter((event) => event.type === "child.ended" && event.child === session),
          `cut after ${n}`,
        ).toHaveLength(1);
      }
      const delivered = events.filter((event) => event.type === "input.admitted" && event.from === "child");
      expect(delivered, `cut after ${n}: deliveries`).toHaveLength(1);
      expect(JSON.stringify(delivered), `cut after ${n}`).toContain("report of bg");
      const results = e.state().messages.find((message) => message.role === "tool");
      const reports = results?.role === "tool" ? results.results.map((result) => JSON.stringify(result.content)) : [];
      expect(reports[0], `cut after ${n}`).toContain("report of fg one");
      expect(reports[2], `cut after ${n}`).toContain("report of fg two");
      const paths = events.filter((event) => event.type === "session.opened").map((event) => event.path);
      expect(new Set(paths).size, `cut after ${n}: ${paths.join(" ")}`).toBe(paths.length);
    }
  });

  test("B16: a parent of two, one of which has a child of its own, needs no more than one place", async () => {
    const lead = scripted([callsAll(spawn("P")), says("ok")]);
    const child = echoing((prompt, turn) => {
      if (turn > 0 || prompt === "A" || prompt === "G") return says(`done ${prompt}`);
      return prompt === "P" ? callsAll(spawn("A"), spawn("B")) : callsAll(spawn("G"));
    });
    const e = engine({ model: lead, tools, children: { "general-purpose": child }, treeLimits: { maxConcurrent: 1 } });
    expect((await e.ask("go")).status).toBe("succeeded");
    expect(ends(e.lines)).toEqual({
      "ROOT::S1": "succeeded",
      "ROOT::S1::S1": "succeeded",
      "ROOT::S1::S2": "succeeded",
      "ROOT::S1::S2::S1": "succeeded",
      ROOT: "succeeded",
    });
  });

  test("P.P06: a child that is stopped while it waits for its turn ends once, as cancelled, and the lead goes on", async () => {
    const lead = scripted([
      callsAll(spawn("long", { background: true }), spawn("queued", { background: true })),
      calls("subagents", { action: "stop", id: "ROOT::S2" }),
      says("stopped one"),
      says("the other is done"),
    ]);
    const child = echoing((prompt) => says(`done ${prompt}`), { delayMs: 120 });
    const e = engine({
      model: lead,
      tools: [...tools, subagents],
      children: { "general-purpose": child },
      treeLimits: { maxConcurrent: 1 },
      mode: "yolo",
    });
    expect((await e.ask("go")).status).toBe("succeeded");
    expect(ends(e.lines)).toMatchObject({ "ROOT::S1": "succeeded", "ROOT::S2": "cancelled" });
  });

  test("X5: a child in the background that pauses is not told as ended, and goes on when the budget is raised", async () => {
    const usage = { inputTokens: 600, outputTokens: 0 };
    const lead = scripted([
      { ...callsAll(spawn("w", { background: true })), reply: { calls: [spawn("w", { background: true })], usage } },
      says("waiting"),
      says("whole"),
    ]);
    const child = scripted([calls("Read", { file_path: "a.txt" }, { usage }), says("child done")]);
    const children = { "general-purpose": child };
    const first = engine({ model: lead, tools, children, budget: { tokens: 1_000 } });
    expect(await first.ask("go")).toMatchObject({ status: "paused" });
    expect(first.types()).not.toContain("child.ended");
    const again = engine({ model: lead, tools, children, lines: first.lines });
    await again.writer.record(
      { session: again.state().session, path: again.state().path },
      { type: "budget.changed", budget: { tokens: 9_000 } },
      new AbortController().signal,
    );
    expect(await (await again.start()).result).toMatchObject({ status: "succeeded" });
    child.finish();
    expect(again.types().filter((type) => type === "child.ended")).toHaveLength(1);
  });

  test("P.D11: when the lead is stopped, a child in the background has its end on record before the lead's, and stays ended", async () => {
    const lead = scripted([callsAll(spawn("for ever", { background: true })), says("waiting"), says("hello")]);
    const child = echoing(() => says("x"), { delayMs: 60_000 });
    const e = engine({ model: lead, tools, children: { "general-purpose": child } });
    await e.send("go");
    const handle = await e.start();
    await expect
      .poll(() => e.events.some((event) => event.type === "agent.waiting" && event.for === "child"))
      .toBe(true);
    handle.stop({ status: "cancelled", by: "person", because: "stopped by the person" });
    expect((await handle.result).status).toBe("cancelled");
    expect(Object.entries(ends(e.lines))).toEqual([
      ["ROOT::S1", "cancelled"],
      ["ROOT", "cancelled"],
    ]);
    const requests = child.seen.requests;
    const again = engine({ model: lead, tools, children: { "general-purpose": child }, lines: e.lines });
    expect((await again.ask("just say hello")).output).toBe("hello");
    expect(child.seen.requests).toBe(requests);
  });

  test("X1: a child that was at work at the crash still reports to its own call, also when a person speaks first", async () => {
    const base = engine({
      model: scripted([callsAll(spawn("w")), says("ok")]),
      tools,
      children: { "general-purpose": echoing(() => says("x")) },
    });
    await base.ask("go");
    const cut = base.lines.findIndex((line) => line.includes('"type":"turn.started"') && line.includes("ROOT::S1"));
    const lead = scripted([says("heard both")]);
    const e = engine({
      model: lead,
      tools,
      children: { "general-purpose": echoing(() => says("late report")) },
      lines: base.lines.slice(0, cut),
    });
    expect((await e.ask("how is it going?")).output).toBe("heard both");
    expect(JSON.stringify(lead.requests[0]?.messages)).toMatch(/late report.*how is it going/);
  });

  test("X9: a child whose model is gone ends as failed with the reason, and the lead can still be resumed", async () => {
    const lead = scripted([callsAll(spawn("w", { background: true })), says("waiting"), says("it failed")]);
    const base = engine({ model: lead, tools, children: { "general-purpose": echoing(() => says("x")) } });
    await base.ask("go");
    const cut = base.lines.findIndex((line) => line.includes('"type":"turn.started"') && line.includes("ROOT::S1"));
    const again = scripted([says("waiting"), says("it failed")]);
    const e = engine({ model: again, tools, children: {}, lines: base.lines.slice(0, cut) });
    expect((await (await e.start()).result).status).toBe("succeeded");
    expect(ends(e.lines)["ROOT::S1"]).toBe("failed");
    expect(e.lines.join("")).toContain("there is no model for general-purpose");
  });

  test("X11: a person's words reach a lead that waits for its children at once", async () => {
    const lead = scripted([
      callsAll(spawn("slow", { background: true })),
      says("waiting"),
      says("I hear you"),
      says("all in"),
    ]);
    const report = Promise.withResolvers<void>();
    const child = echoing(() => says("x"));
    const held: Model = {
      ...child,
      async *stream(request, signal) {
        await report.promise;
        yield* child.stream(request, signal);
      },
    };
    const e = engine({ model: lead, tools, children: { "general-purpose": held } });
    await e.send("go");
    const handle = await e.start();
    await expect
      .poll(() => e.events.some((event) => event.type === "agent.waiting" && event.for === "child"))
      .toBe(true);
    await e.send("are you there?", "steer");
    // Its child has not reported yet.
    await expect.poll(() => lead.requests.length, { timeout: 10_000 }).toBe(3);
    report.resolve();
    expect((await handle.result).output).toBe("all in");
  });

  test("X7: 200 children at once: 200 results, none mixed up", async () => {
    const lead = scripted([callsAll(...Array.from({ length: 200 }, (_, n) => spawn(`number ${n}.`))), says("ok")]);
    const child = echoing((prompt, turn) =>
      turn < 2 ? calls("Read", { file_path: "a.txt", offset: turn + 1 }) : says(`this was ${prompt}`),
    );
    const e = engine({
      model: lead,
      tools,
      children: { "general-purpose": child },
      treeLimits: { maxConcurrent: 200 },
    });
    expect((await e.ask("go")).status).toBe("succeeded");
    told(lead, 1).forEach((report, n) => expect(report).toContain(`this was number ${n}.`));
  });

  test("an agent that is not there, and a model that fails, are told to the lead, which goes on", async () => {
    const lead = scripted([callsAll(spawn("x", { agent: "nobody" }), spawn("y")), says("went on")]);
    const e = engine({ model: lead, tools, children: { "general-purpose": scripted([fails("auth")]) } });
    expect((await e.ask("go")).output).toBe("went on");
    expect(told(lead, 1)[0]).toContain("there is no agent nobody");
    expect(told(lead, 1)[1]).toContain("failed");
  });
});

/** How each session ended, in the order of the ends; a second end of one would show in its place. */
function ends(lines: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const event of lines.map((line) => JSON.parse(line) as Recorded))
    if (event.type === "run.ended")
      found[event.path] = found[event.path] === undefined ? event.result.status : "ended twice";
  return found;
}

const replyWith = (usage: { inputTokens: number; outputTokens: number }) => ({
  ...callsAll(spawn("work")),
  reply: { calls: [spawn("work")], usage },
});
