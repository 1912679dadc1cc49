import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import { textOf } from "../../core/messages.ts";
import type { Model, ModelPart } from "../../ports/model.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, calls, callsAll, says } from "../../testing/wire-server/script.ts";
import type { Step } from "../../testing/wire-server/step.ts";
import { spawnForeach } from "../tools/spawn-foreach.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";
import { subagents } from "../tools/subagents.ts";

/** Answers from its first words, so that it says the same after any crash. */
const echo = (delayMs = 0): Model & { most: number; first: string[] } => {
  let inside = 0;
  const model = {
    id: "scripted/echo",
    provider: "scripted",
    most: 0,
    first: [] as string[],
    async *stream(request, signal): AsyncGenerator<ModelPart> {
      model.most = Math.max(model.most, ++inside);
      try {
        await sleep(delayMs, undefined, { signal });
        const user = request.messages.findLast((message) => message.role === "user");
        const words = user?.role === "user" ? textOf(user.content) : "";
        model.first.push(JSON.stringify(request.messages[0]));
        yield* scripted([says(words.includes("nothing") ? "" : `did ${words}`)]).stream(request, signal);
      } finally {
        inside--;
      }
    },
  } satisfies Model & { most: number; first: string[] };
  return model;
};

const tools = [spawnSubagent, spawnForeach, subagents];
const foreach = (items: string[], prompt = "look at {{item}}") => callsAll(call("spawn_foreach", { items, prompt }));
const toolResults = (model: ReturnType<typeof scripted>, n: number): string =>
  JSON.stringify(model.requests[n]?.messages.findLast((message) => message.role === "tool"));
const run = (script: Step[], child: Model = echo(), more = {}) => {
  const lead = scripted(script);
  return { lead, ...engine({ model: lead, tools, children: { "general-purpose": child }, mode: "yolo", ...more }) };
};

describe("C5: spawn_foreach", () => {
  test("maps a prompt over a list, as many at once as there are places; reports come in order, and one that fails harms none", async () => {
    const child = echo(20);
    const e = run([foreach(["a", "nothing", "$& c", "d", "e"]), says("ok")], child, {
      treeLimits: { maxConcurrent: 2 },
    });
    expect((await e.ask("go")).status).toBe("succeeded");
    expect(child.most).toBe(2);
    expect(toolResults(e.lead, 1)).toMatch(
      /item 1: a\].*did look at a.*item 2: nothing\].*empty.*item 3: .*did look at \$& c.*did look at d.*did look at e/,
    );
    expect(e.state().toolCalls).toBe(1);
  });

  test("an item is added to a prompt that does not name it", async () => {
    const e = run([foreach(["x.ts"], "review"), says("ok")]);
    await e.ask("go");
    expect(toolResults(e.lead, 1)).toContain("did review\\\\n\\\\nx.ts".replaceAll("\\\\", "\\"));
  });

  test("X1: cut after any event, each item has one child, one end, and its report in its place", async () => {
    const script = [foreach(["a", "b", "c"]), says("all in")];
    const base = run(script);
    await base.ask("go");
    const begun = base.types().indexOf("run.started");
    for (let n = begun + 1; n < base.lines.length; n++) {
      const turns = base.lines
        .slice(0, n)
        .filter((line) => line.includes('"assistant.replied"') && line.includes('"path":"ROOT",')).length;
      const e = run(script.slice(turns), echo(), { lines: base.lines.slice(0, n) });
      expect((await (await e.start()).result).status, `cut after ${n}`).toBe("succeeded");
      const events = e.lines.map((line) => JSON.parse(line) as Recorded);
      const of = (type: string): Recorded[] => events.filter((event) => event.type === type);
      expect(
        of("session.opened").map((event) => event.path),
        `cut after ${n}`,
      ).toEqual(["ROOT", "ROOT::S1", "ROOT::S2", "ROOT::S3"]);
      expect(of("run.ended"), `cut after ${n}`).toHaveLength(4);
      expect(of("child.ended"), `cut after ${n}`).toHaveLength(3);
      const told = JSON.stringify(e.state().messages.find((message) => message.role === "tool"));
      expect(told, `cut after ${n}`).toMatch(/did look at a.*did look at b.*did look at c/);
    }
  });
});

describe("spawns of one reply", () => {
  const spawn = (more = {}) => call("spawn_subagent", { prompt: "look", ...more });

  test("the same agent and prompt twice is told, not run twice; different names run both", async () => {
    const e = run([
      callsAll(spawn(), spawn({ agent: "general-purpose" })),
      callsAll(spawn({ name: "one" }), spawn({ name: "two" })),
      says("ok"),
    ]);
    await e.ask("go");
    expect(toolResults(e.lead, 1)).toContain("give each a name of its own");
    expect([...e.writer.state.sessions.values()].map(({ path }) => path)).toEqual([
      "ROOT",
      "ROOT::S1",
      "ROOT::S2",
      "ROOT::S3",
    ]);
  });

  test("fork: a child begins with its caller's history, without the calls that are still open", async () => {
    const child = echo();
    const e = run([callsAll(spawn({ fork: true })), callsAll(spawn({ fork: 1 })), says("ok")], child);
    await e.ask("the whole story");
    expect(child.first[0]).toContain("the whole story");
    expect(toolResults(e.lead, 1)).toContain("did look");
    const { messages } = await e.writer.load(e.at("ROOT::S2").session);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
  });
});

describe("the lead's control of its children", () => {
  const behind = (prompt: string) => call("spawn_subagent", { prompt, background: true });

  test("wait: for any, for all, and only as long as it is told", async () => {
    const slow = echo(400);
    const e = run(
      [
        callsAll(behind("a"), behind("b")),
        calls("subagents", { action: "wait", timeout: 10 }),
        calls("subagents", { action: "wait", id: "ROOT::S1, ROOT::S2" }),
        calls("subagents", { action: "wait", id: "ROOT::S9" }),
        says("ok"),
        says("ok"),
      ],
      slow,
    );
    await e.ask("go");
    expect(toolResults(e.lead, 2)).toMatch(/ROOT::S1 .*running.*ROOT::S2 .*running/);
    expect(toolResults(e.lead, 3)).toMatch(/ROOT::S1 .*succeeded.*ROOT::S2 .*succeeded/);
    expect(toolResults(e.lead, 4)).toContain("there is no child ROOT::S9");
  });

  test("interrupt: the child waits for words; when its parent only waits for it, it ends as interrupted instead of hanging", async () => {
    const e = run(
      [
        callsAll(behind("a"), behind("b")),
        callsAll(
          call("subagents", { action: "interrupt", id: "ROOT::S1" }),
          call("subagents", { action: "interrupt", id: "ROOT::S2" }),
        ),
        calls("subagents", { action: "send", id: "ROOT::S1", message: "shorter" }),
        says("one is told, one is not"),
        says("in"),
        says("in"),
      ],
      echo(150),
    );
    await e.send("go");
    const handle = await e.start();
    expect((await handle.result).status).toBe("succeeded");
    expect(e.at("ROOT::S1").result).toMatchObject({ status: "succeeded", output: "did shorter" });
    expect(e.at("ROOT::S2").result).toMatchObject({ status: "interrupted", by: "parent" });
  });

  test("fork: another child with its history does the other task", async () => {
    const e = run([
      callsAll(call("spawn_subagent", { prompt: "first", name: "scout" })),
      calls("subagents", { action: "fork", id: "scout", message: "second" }),
      says("waiting"),
      says("both in"),
    ]);
    await e.ask("go");
    expect((await e.writer.load(e.at("ROOT::S2").session)).messages).toHaveLength(4);
    expect(e.at("ROOT::S2").result?.output).toBe("did second");
  });
});
