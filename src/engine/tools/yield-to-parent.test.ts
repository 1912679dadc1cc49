import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import { text } from "../../core/messages.ts";
import { LogFault } from "../../ports/tree-log.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, calls, callsAll, says } from "../../testing/wire-server/script.ts";
import { defineTool } from "./define-tool.ts";
import { spawnSubagent } from "./spawn-subagent.ts";
import { yieldToParent } from "./yield-to-parent.ts";

const effect = (done: string[]) =>
  defineTool({
    name: "Effect",
    description: "",
    input: Type.Object({ what: Type.String() }),
    parallel: true,
    reach: () => [],
    run: async (_world, { what }) => {
      done.push(what);
      return { ok: true, said: [text(`did ${what}`)] };
    },
  });
const yields = (result: string) => call("yield_to_parent", { result });
const lead = () => scripted([calls("spawn_subagent", { prompt: "work" }), says("ok")]);

describe("yield_to_parent", () => {
  test("C2: it ends the child at once: no further model call, later calls of the turn are not run, its result is the spawn's", async () => {
    const done: string[] = [];
    const parent = lead();
    const child = scripted([
      callsAll(
        call("Effect", { what: "before" }),
        yields("the report"),
        call("Effect", { what: "after" }),
        yields("2nd"),
      ),
    ]);
    const tools = [spawnSubagent, yieldToParent, effect(done)];
    const e = engine({ model: parent, tools, children: { "general-purpose": child } });
    expect((await e.ask("go")).status).toBe("succeeded");
    child.finish();
    expect(done).toEqual(["before"]);
    expect(JSON.stringify(parent.requests[1]?.messages.at(-1))).toContain("the report");
    const ran = [...e.writer.state.sessions.values()].find(({ path }) => path === "ROOT::S1");
    expect(ran?.result).toMatchObject({ status: "succeeded", output: "the report", turns: 1 });
    const { messages } = await e.writer.load(ran!.session);
    expect(JSON.stringify(messages.at(-1))).toMatch(/did before.*Yielded.*Not run: the agent has ended.*Not run/);
  });

  test("C2: a message that came meanwhile does not keep it: it waits for the next time the agent is spoken to", async () => {
    const model = scripted([callsAll(call("Effect", { what: "x" }), yields("mine"))]);
    const done: string[] = [];
    const e = engine({ model, tools: [yieldToParent, effect(done)] });
    done.push = () => {
      void e.send("one more thing", "steer");
      return 1;
    };
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "mine", turns: 1 });
    expect(e.state().waiting).toHaveLength(1);
    const next = scripted([says("that too")]);
    const again = engine({ model: next, tools: [yieldToParent], lines: e.lines });
    expect(await (await again.start()).result).toMatchObject({ output: "that too" });
  });

  test.each(["handIn", "stop"] as const)(
    "C7: a result that was yielded is not overwritten by a later %s",
    async (how) => {
      const e = engine({
        model: scripted([callsAll(yields("mine"), call("Effect", { what: "x" }))]),
        tools: [yieldToParent, effect([])],
      });
      await e.send("go");
      const { append } = e.log;
      let broken = true;
      e.log.append = function (origin, event) {
        const isSecondEnd = event.type === "tool.ended" && JSON.stringify(event).includes("the agent has ended");
        if (broken && isSecondEnd) throw new LogFault("full", "the disk is full");
        return append.call(this, origin, event) as never;
      };
      const handle = await e.start();
      await expect
        .poll(() => e.events.some((event) => event.type === "agent.waiting" && event.for === "disk"))
        .toBe(true);
      broken = false;
      handle[how]({ status: "cancelled", by: "person", because: "enough" });
      expect(await handle.result).toMatchObject({ status: "succeeded", output: "mine" });
    },
  );

  test("C2, X9: cut after any event, a resumed child still ends with what it yielded, without a model call", async () => {
    const base = engine({
      model: scripted([callsAll(yields("kept"), call("Effect", { what: "x" }))]),
      tools: [yieldToParent, effect([])],
    });
    await base.ask("go");
    const from = base.types().indexOf("assistant.replied") + 1;
    expect(base.lines.length - from).toBeGreaterThanOrEqual(3);
    for (let n = from; n < base.lines.length; n++) {
      const done: string[] = [];
      const model = scripted([]);
      const e = engine({ model, lines: base.lines.slice(0, n), tools: [yieldToParent, effect(done)] });
      expect(await (await e.start()).result, `cut after ${n}`).toMatchObject({ status: "succeeded", output: "kept" });
      expect(model.requests, `cut after ${n}`).toEqual([]);
      expect(done, `cut after ${n}`).toEqual([]);
    }
  });

  test("a person who speaks to it after such a cut is answered", async () => {
    const base = engine({ model: scripted([callsAll(yields("kept"))]), tools: [yieldToParent] });
    await base.ask("go");
    const cut = base.types().indexOf("tool.ended") + 1;
    const model = scripted([says("yes?")]);
    const e = engine({ model, lines: base.lines.slice(0, cut), tools: [yieldToParent] });
    expect(await e.ask("are you there?")).toMatchObject({ status: "succeeded", output: "yes?" });
  });
});
