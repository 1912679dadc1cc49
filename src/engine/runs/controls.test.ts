import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Setup, engine } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import { textOf } from "../../core/messages.ts";
import type { Model, ModelPart, ModelRequest } from "../../ports/model.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, calls, callsAll, says } from "../../testing/wire-server/script.ts";
import type { Step } from "../../testing/wire-server/step.ts";
import { defineTool } from "../tools/define-tool.ts";
import { read } from "../tools/read.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";
import { subagents } from "../tools/subagents.ts";
import { Type } from "typebox";

const spawn = (prompt: string, more: Record<string, string | boolean> = {}) =>
  call("spawn_subagent", { prompt, ...more });

/** Says what it was told last; words with "wait" in them take for ever. */
const parrot = (): Model & { requests: ModelRequest[] } => {
  const requests: ModelRequest[] = [];
  return {
    id: "scripted/parrot",
    provider: "scripted",
    requests,
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      requests.push({ ...request, messages: [...request.messages] });
      const last = request.messages.findLast((message) => message.role === "user");
      const words = last?.role === "user" ? textOf(last.content) : "";
      if (words.includes("wait")) await sleep(60_000, undefined, { signal });
      if (words.includes("use") && request.messages.at(-1)?.role === "user")
        return yield* scripted([calls("Long", {})]).stream(request, signal);
      yield* scripted([says(`heard ${words}`)]).stream(request, signal);
    },
  };
};

/** Works until it is told to stop, and has an effect. */
const long = defineTool({
  name: "Long",
  description: "",
  input: Type.Object({}),
  reach: () => [],
  run: async ({ signal }) => (await sleep(60_000, undefined, { signal })) ?? "left open",
});

function tree(script: readonly Step[], more: Partial<Setup> = {}) {
  const lead = scripted([...script]);
  const child = parrot();
  const tools = [read, spawnSubagent, subagents, long];
  return {
    lead,
    child,
    ...engine({ model: lead, tools, children: { "general-purpose": child }, mode: "yolo", ...more }),
  };
}

const records = (lines: readonly string[]): Recorded[] => lines.map((line) => JSON.parse(line) as Recorded);
const runEnds = (lines: readonly string[], path: string): string[] =>
  records(lines).flatMap((event) => (event.type === "run.ended" && event.path === path ? [event.result.status] : []));
const deliveries = (lines: readonly string[]): string[] =>
  records(lines).flatMap((event) =>
    event.type === "input.admitted" && event.from === "child" ? [textOf(event.content)] : [],
  );
const isWaitingFor = (e: ReturnType<typeof tree>, path: string, what: string): boolean =>
  e.events.some((event) => event.type === "agent.waiting" && event.path === path && event.for === what);
const begun = async (e: ReturnType<typeof tree>, path: string): Promise<void> =>
  await expect.poll(() => isWaitingFor(e, path, "model")).toBe(true);

describe("X11: steering", () => {
  test("B13: a person stops one child: only it ends, as cancelled by the person, and the lead goes on", async () => {
    const e = tree([callsAll(spawn("wait"), spawn("quick")), says("one was stopped")]);
    await e.send("go");
    const handle = await e.start();
    await begun(e, "ROOT::S1");
    expect(await e.controls().stop(e.at("ROOT::S1").session, "person")).toEqual({ ok: true });
    expect((await handle.result).output).toBe("one was stopped");
    expect(e.at("ROOT::S1").result).toMatchObject({ status: "cancelled", by: "person" });
    expect(e.at("ROOT::S2").result).toMatchObject({ status: "succeeded" });
    expect(await e.controls().stop(e.at("ROOT::S2").session, "person")).toEqual({
      ok: false,
      problem: "ROOT::S2 has ended already (succeeded)",
    });
  });

  test("C7: a child that a person stopped goes on only by a person, and with its whole history", async () => {
    const e = tree([
      callsAll(spawn("wait", { background: true })),
      says("waiting"),
      calls("subagents", { action: "send", id: "ROOT::S1", message: "go on" }),
      says("only a person may"),
      says("all in"),
    ]);
    await e.send("go");
    const handle = await e.start();
    await begun(e, "ROOT::S1");
    await e.controls().stop(e.at("ROOT::S1").session, "person");
    await expect.poll(() => e.lead.requests.length).toBe(4);
    expect(JSON.stringify(e.lead.requests[3]?.messages.at(-1))).toContain("only a person can resume it");
    await handle.result;
    const again = tree([says("all in")], { lines: e.lines });
    const next = await again.start();
    expect(await again.controls().resume(again.at("ROOT::S1").session, "and now?", "person")).toMatchObject({
      ok: true,
    });
    await next.result;
    const { messages } = await again.whole("ROOT::S1");
    expect(messages.flatMap((one) => (one.role === "user" ? [textOf(one.content)] : []))).toEqual(["wait", "and now?"]);
    expect(runEnds(again.lines, "ROOT::S1")).toEqual(["cancelled", "succeeded"]);
  });

  test("C7, X1: a finished child that is spoken to again gives a new result, delivered once", async () => {
    const e = tree([
      callsAll(spawn("first")),
      calls("subagents", { action: "send", id: "ROOT::S1", message: "second" }),
      says("asked again"),
      says("both in"),
    ]);
    expect((await e.ask("go")).output).toBe("both in");
    expect(runEnds(e.lines, "ROOT::S1")).toEqual(["succeeded", "succeeded"]);
    expect(deliveries(e.lines)).toEqual([expect.stringContaining("heard second")]);
    expect(e.child.requests[1]?.messages).toHaveLength(3);
  });

  test("an interrupted child tells its call as interrupted, waits for words without a place, and goes on with them", async () => {
    const e = tree([callsAll(spawn("use"), spawn("other")), says("both in")], { treeLimits: { maxConcurrent: 1 } });
    await e.send("go");
    const handle = await e.start();
    await expect.poll(() => e.types().filter((type) => type === "tool.started").length).toBe(3);
    expect(await e.controls().interrupt(e.at("ROOT::S1").session, "person")).toEqual({ ok: true });
    await expect.poll(() => e.at("ROOT::S2").status).toBe("succeeded");
    expect(e.at("ROOT::S1").held).toEqual({ by: "person" });
    expect(await e.controls().interrupt(e.at("ROOT::S1").session, "person")).toMatchObject({ ok: false });
    expect(await e.controls().send(e.at("ROOT::S1").session, "leave it", "steer", "person")).toMatchObject({
      ok: true,
    });
    expect((await handle.result).output).toBe("both in");
    const told = JSON.stringify((await e.whole("ROOT::S1")).messages);
    expect(told).toMatch(/Interrupted.*leave it.*heard leave it/);
    expect(e.at("ROOT::S1").result?.status).toBe("succeeded");
  });

  test("a lead is interrupted and kept; its child in the foreground ends with the call", async () => {
    const e = tree([callsAll(spawn("wait")), says("changed my mind")]);
    await e.send("go");
    const handle = await e.start();
    await begun(e, "ROOT::S1");
    expect(await e.controls().interrupt(e.state().session, "person")).toEqual({ ok: true });
    expect(e.at("ROOT::S1").result).toMatchObject({ status: "cancelled", by: "parent" });
    await e.controls().send(e.state().session, "do something else", "steer", "person");
    expect((await handle.result).output).toBe("changed my mind");
  });

  test("an interrupted run to which nobody speaks ends as interrupted, and can be spoken to again", async () => {
    const e = tree([callsAll(spawn("wait")), says("it was interrupted")], { heldMs: 500 });
    await e.send("go");
    const handle = await e.start();
    await begun(e, "ROOT::S1");
    await e.controls().interrupt(e.at("ROOT::S1").session, "person");
    expect((await handle.result).output).toBe("it was interrupted");
    expect(e.at("ROOT::S1").result).toMatchObject({ status: "interrupted", by: "person" });
  });

  test("B11: a child in the foreground is sent to the background: its call returns, its report comes once", async () => {
    const e = tree([callsAll(spawn("use")), says("meanwhile"), says("now it is in")]);
    await e.send("go");
    const handle = await e.start();
    await expect.poll(() => e.types().filter((type) => type === "tool.started").length).toBe(2);
    const { session } = e.at("ROOT::S1");
    expect(await e.controls().background(session)).toEqual({ ok: true });
    expect(await e.controls().background(session)).toMatchObject({ ok: false });
    await expect.poll(() => isWaitingFor(e, "ROOT", "child")).toBe(true);
    await e.controls().interrupt(session, "person");
    await e.controls().send(session, "finish", "steer", "person");
    expect((await handle.result).output).toBe("now it is in");
    expect(JSON.stringify(e.lead.requests[1]?.messages.at(-1))).toContain("runs in the background");
    expect(deliveries(e.lines)).toEqual([expect.stringContaining("heard finish")]);
  });

  test("a fork has the history, whole or its last turns, waits to be spoken to, and reports to the same parent", async () => {
    const e = tree([
      callsAll(spawn("first")),
      calls("subagents", { action: "send", id: "ROOT::S1", message: "second" }),
      says("waiting"),
      says("one"),
      says("two"),
      says("three"),
    ]);
    await e.ask("go");
    const source = e.at("ROOT::S1");
    const handle = await (await e.send("more"), e.start());
    const whole = await e.controls().fork(source.session);
    const last = await e.controls().fork(source.session, { turns: 1, prompt: "third" });
    expect([whole, last]).toMatchObject([{ path: "ROOT::S2" }, { path: "ROOT::S3" }]);
    await handle.result;
    expect(source.messages).toEqual([]);
    const { messages } = await e.whole("ROOT::S1");
    expect(e.at("ROOT::S2")).toMatchObject({ status: "new", messages });
    expect(e.at("ROOT::S3").result?.output).toBe("heard third");
    expect((await e.whole("ROOT::S3")).messages.map((one) => one.role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(await e.controls().fork(source.session, { turns: 0 })).toMatchObject({ ok: false });
    const again = tree([says("hello")], { lines: e.lines });
    await (
      await again.start()
    ).result;
    expect(again.at("ROOT::S2").status).toBe("new");
    expect(again.at("ROOT::S2").messages).toEqual(messages);
  });

  test("C7: a grandchild whose parent has ended is spoken to by a person, and its report waits for that parent", async () => {
    const middle = scripted([callsAll(spawn("inner", { agent: "leaf" })), says("middle done")]);
    const e = tree([callsAll(spawn("outer")), says("done"), calls("Long", {}), says("end")], {
      children: { "general-purpose": middle, leaf: parrot() },
    });
    await e.ask("go");
    await e.send("more");
    const handle = await e.start();
    const { session } = e.at("ROOT::S1::S1");
    expect(await e.controls().resume(session, "again", "parent")).toMatchObject({
      ok: false,
      problem: "ROOT::S1, which ROOT::S1::S1 reports to, is not at work: resume that first",
    });
    const resumed = await e.controls().resume(session, "again", "person");
    expect(resumed).toMatchObject({ ok: true });
    if (resumed.ok) await resumed.result;
    expect(e.at("ROOT::S1::S1").status).toBe("succeeded");
    expect(e.at("ROOT::S1::S1").messages.length).toBeGreaterThan(2);
    handle.stop({ status: "cancelled", by: "person", because: "enough" });
    await handle.result;
  });

  test("words that come to a child just as it ends are not lost: it goes on with them", async () => {
    const e = tree([callsAll(spawn("first")), says("waiting"), says("both in")]);
    await e.send("go");
    const sent = Promise.withResolvers<unknown>();
    let once = false;
    e.writer.subscribe((event) => {
      if (event.type !== "run.ended" || event.path !== "ROOT::S1" || once) return;
      once = true;
      sent.resolve(e.controls().send(event.session, "one more thing", "steer", "person"));
    });
    const handle = await e.start();
    expect(await sent.promise).toEqual({ ok: true, resumed: false });
    expect((await handle.result).output).toBe("both in");
    expect(JSON.stringify(e.lead.requests[1]?.messages.at(-1))).toContain("heard first");
    expect(deliveries(e.lines)).toEqual([expect.stringContaining("heard one more thing")]);
  });

  test("B14: the depth holds when a child is resumed or forked under a lower limit", async () => {
    const e = tree([callsAll(spawn("first")), says("ok")]);
    await e.ask("go");
    const again = tree([says("ok")], { lines: e.lines, treeLimits: { maxDepth: 0 } });
    await (
      await again.start()
    ).result;
    const { session } = again.at("ROOT::S1");
    expect(await again.controls().resume(session, "more", "person")).toMatchObject({
      problem: expect.stringContaining("deeper") as string,
    });
    expect(await again.controls().fork(session)).toMatchObject({
      problem: expect.stringContaining("nested 0 deep") as string,
    });
  });
});
