// Steering at awkward moments: before a child has begun, as it ends, and while it is parked.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import { textOf } from "../../core/messages.ts";
import type { Model, ModelPart, ModelRequest } from "../../ports/model.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { waitFor } from "../../testing/memory/wait-for.ts";
import { call, callsAll, says, slow } from "../../testing/wire-server/script.ts";
import { Type } from "typebox";
import { defineTool } from "../tools/define-tool.ts";
import { askParent, askUser } from "../tools/ask-user.ts";
import { read } from "../tools/read.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";
import { subagents } from "../tools/subagents.ts";

const spawn = (prompt: string, more: Record<string, string | boolean> = {}) =>
  call("spawn_subagent", { prompt, ...more });
const tools = [read, askUser, askParent, spawnSubagent, subagents];
const parrot = (): Model & { requests: ModelRequest[] } => {
  const requests: ModelRequest[] = [];
  return {
    id: "scripted/parrot",
    provider: "scripted",
    requests,
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      requests.push({ ...request, messages: [...request.messages] });
      const all = request.messages.flatMap((m) => (m.role === "user" ? [textOf(m.content)] : [])).join("|");
      if (all.includes("slow")) await sleep(300, undefined, { signal });
      yield* scripted([says(`heard ${all}`)]).stream(request, signal);
    },
  };
};

test("X11: words to a child that waits for its turn do not replace its task", async () => {
  const child = parrot();
  const e = engine({
    model: scripted([callsAll(spawn("slow one"), spawn("the task of two")), says("done")]),
    tools,
    mode: "yolo",
    children: { "general-purpose": child },
    treeLimits: { maxConcurrent: 1 },
  });
  await e.send("go");
  const { result } = await e.start();
  await waitFor(
    () => e.at("ROOT::S2") !== undefined && e.at("ROOT::S2").opened !== undefined && e.at("ROOT").children.size === 2,
  );
  expect(await e.controls().send(e.at("ROOT::S2").session, "and be quick", "steer", "person")).toMatchObject({
    ok: true,
  });
  await result;
  expect(e.at("ROOT::S2").result?.output).toContain("the task of two");
});

test("X11: who interrupts a run whose end is just recorded is told so", async () => {
  const child = parrot();
  const e = engine({
    model: scripted([callsAll(spawn("slow")), says("done")]),
    tools,
    mode: "yolo",
    children: { "general-purpose": child },
  });
  await e.send("go");
  const { result } = await e.start();
  let got: unknown = "never";
  e.writer.subscribe((event) => {
    if (event.type === "run.ended" && event.path === "ROOT::S1")
      queueMicrotask(
        () =>
          void e
            .controls()
            .interrupt(event.session, "person")
            .then((done) => (got = done)),
      );
  });
  await result;
  await sleep(20);
  expect(got).toMatchObject({ ok: false });
});

test("X11: an interruption at the very start of a run is not lost", async () => {
  const child = parrot();
  const e = engine({
    model: scripted([callsAll(spawn("slow")), says("done")]),
    tools,
    mode: "yolo",
    children: { "general-purpose": child },
    heldMs: 50,
  });
  await e.send("go");
  const { result } = await e.start();
  let got: unknown = "never";
  e.writer.subscribe((event) => {
    if (event.type === "run.started" && event.path === "ROOT::S1")
      void e
        .controls()
        .interrupt(event.session, "person")
        .then((done) => (got = done));
  });
  await result;
  expect(got).toEqual({ ok: true });
  expect(e.at("ROOT::S1").result?.status).toBe("interrupted");
});

test("X11: a fork that was given nothing to do begins by a message", async () => {
  const child = parrot();
  const e = engine({
    model: scripted([callsAll(spawn("slow a")), callsAll(spawn("slow b")), says("done"), says("done2")]),
    tools,
    mode: "yolo",
    children: { "general-purpose": child },
  });
  await e.send("go");
  const { result } = await e.start();
  await waitFor(() => e.at("ROOT::S2") !== undefined);
  const f = await e.controls().fork(e.at("ROOT::S1").session);
  expect(f).toMatchObject({ ok: true });
  if (!f.ok) return;
  expect(await e.controls().send(f.session, "hello fork", "steer", "person")).toMatchObject({ ok: true });
  await result;
  expect(e.writer.state.sessions.get(f.session)?.result?.output).toContain("hello fork");
});

test("D6, X11: a parked child that is stopped asks nothing any more, and words reach it", async () => {
  const model = scripted([callsAll(spawn("a", { background: true })), says("waiting")]);
  const child = scripted([callsAll(call("ask_user", { question: "may I?" })), says("back again")]);
  const e = engine({ model, tools, mode: "yolo", children: { "general-purpose": child } });
  expect(await e.ask("go")).toMatchObject({ status: "parked" });
  expect(await e.controls().stop(e.at("ROOT::S1").session, "person")).toEqual({ ok: true });
  expect([...e.writer.state.items.waiting.values()]).toEqual([]);
  const { session } = e.at("ROOT::S1");
  expect(await e.controls().send(session, "go on", "steer", "person")).toMatchObject({ ok: true, resumed: true });
  await waitFor(() => e.at("ROOT::S1").status === "succeeded");
  expect(e.at("ROOT::S1").result?.output).toBe("back again");
});

/** Does something for a while, then asks the person. */
const later = defineTool({
  name: "Later",
  description: "",
  input: Type.Object({}),
  parallel: true,
  reach: () => [],
  async run({ inbox, call: id, signal }) {
    await sleep(450, undefined, { signal });
    await inbox.ask({ to: "person", text: "which?" }, id, signal);
    return { ok: true, said: [] };
  },
});

test("B16: a run that waits again while it stands in the queue for its place gives every place back", async () => {
  const boss = scripted([callsAll(spawn("leaf", { agent: "other" }), call("Later", {})), says("boss done")]);
  const behind = { background: true };
  const e = engine({
    model: scripted([
      callsAll(spawn("boss", { agent: "boss", ...behind }), spawn("slow first", { agent: "other", ...behind })),
      slow({ firstTokenAfterMs: 100 }, callsAll(spawn("slow second", { agent: "other", ...behind }))),
      ...Array.from({ length: 4 }, () => says("lead done")),
    ]),
    tools: [...tools, later],
    mode: "yolo",
    treeLimits: { maxConcurrent: 1 },
    children: { boss, other: parrot() },
    person: {
      decide: async () => ({ allow: true }),
      act: async () => undefined,
      reply: async () => sleep(450).then(() => "that"),
    },
  });
  await e.send("go");
  const { result } = await e.start();
  expect(await Promise.race([result, sleep(3_000).then(() => "it hangs")])).toMatchObject({ status: "succeeded" });
});

test("B13: a parked child that is stopped takes those below it along", async () => {
  const boss = scripted([callsAll(spawn("leaf", { agent: "leaf" })), says("boss done")]);
  const leaf = scripted([callsAll(call("ask_user", { question: "may I?" })), says("leaf done")]);
  const model = scripted([callsAll(spawn("boss", { agent: "boss", background: true })), says("waiting")]);
  const e = engine({ model, tools, mode: "yolo", children: { boss, leaf } });
  expect(await e.ask("go")).toMatchObject({ status: "parked" });
  expect(await e.controls().stop(e.at("ROOT::S1").session, "person")).toEqual({ ok: true });
  expect(e.at("ROOT::S1").result).toMatchObject({ status: "cancelled", by: "person" });
  expect(e.at("ROOT::S1::S1").result).toMatchObject({ status: "cancelled", by: "parent" });
  expect([...e.writer.state.items.waiting.values()]).toEqual([]);
});
