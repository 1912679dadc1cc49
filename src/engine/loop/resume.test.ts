import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import { text } from "../../core/messages.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, calls, callsAll, says } from "../../testing/wire-server/script.ts";
import { defineTool } from "../tools/define-tool.ts";
import { read } from "../tools/read.ts";
import { yieldToParent } from "../tools/yield-to-parent.ts";

const effect = (ledger: string[]) =>
  defineTool({
    name: "Effect",
    description: "",
    input: Type.Object({ what: Type.String() }),
    reach: (_world, input) => [{ may: "run", command: input.what }],
    run: async (_world, input) => {
      ledger.push(input.what);
      return { ok: true, said: [text(`did ${input.what}`)] };
    },
  });

const script = [
  callsAll(call("Read", { file_path: "a.txt" }), call("Effect", { what: "one" })),
  calls("Effect", { what: "two" }),
  says("All done."),
];

/** The steps that are still to come when a session stands as these lines say. */
const rest = (lines: readonly string[]) =>
  script.slice(lines.filter((line) => line.includes('"type":"assistant.replied"')).length);
const records = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Recorded);

async function opening() {
  const e = engine({ model: scripted([]) });
  await e.send("go");
  return e;
}

describe("resume", () => {
  test("X9: cut after any event, the session goes on to the same end, and no completed call runs twice", async () => {
    const whole: string[] = [];
    const base = engine({ model: scripted(script), tools: [read, effect(whole)], mode: "yolo" });
    const result = await base.ask("go");
    expect(result.status).toBe("succeeded");
    expect(whole).toEqual(["one", "two"]);
    const begun = base.types().indexOf("run.started");
    for (let n = begun + 1; n < base.lines.length; n++) {
      const lines = base.lines.slice(0, n);
      const ledger = records(lines).flatMap((event) =>
        event.type === "tool.started" && event.tool === "Effect" ? [event.input["what"]] : [],
      );
      const model = scripted(rest(lines));
      const e = engine({ model, lines: [...lines], tools: [read, effect(ledger as string[])], mode: "yolo" });
      const end = await (await e.start()).result;
      model.finish();
      expect(end.output, `cut after ${n} (${records(lines).at(-1)?.type})`).toBe("All done.");
      expect(ledger, `ledger when cut after ${n}`).toEqual(["one", "two"]);
      const cutInEffect =
        records(lines).at(-1)?.type === "tool.started" && JSON.stringify(lines.at(-1)).includes("Effect");
      expect(e.types().includes("note.added"), `note when cut after ${n}`).toBe(cutInEffect);
    }
  });

  test.each([
    ["says its result", says("a finding. ".repeat(40))],
    ["yields it", calls("yield_to_parent", { result: "a finding. ".repeat(40) })],
  ])(
    "E5, X9: a run that %s and is cut after any event of its summary is asked for it once, and by words",
    async (_, first) => {
      const [opened = ""] = (await opening()).lines;
      const child = { background: false, system: "", task: "", tools: [], narrowing: [], deny: [], limits: {} };
      const summarize = { over: 300, within: 300 };
      const begun = JSON.stringify({ ...(JSON.parse(opened) as object), child: { ...child, summarize } });
      const base = engine({ model: scripted([first, says("short")]), lines: [begun], tools: [read, yieldToParent] });
      expect((await base.ask("go")).summary).toBe("short");
      const asked = records(base.lines).findIndex((event) => event.type === "summary.asked");
      for (let n = asked + 1; n < base.lines.length; n++) {
        const lines = base.lines.slice(0, n);
        const left = records(lines).at(-1)?.type === "assistant.replied" ? [] : [says("short")];
        const model = scripted(left);
        const e = engine({ model, lines: [...lines], tools: [read, yieldToParent] });
        const end = await (await e.start()).result;
        model.finish();
        expect(end, `cut after ${n} (${records(lines).at(-1)?.type})`).toMatchObject({
          status: "succeeded",
          summary: "short",
        });
        const requests = e.state().messages.filter((message) => JSON.stringify(message).includes("Your report has"));
        expect(requests, `requests when cut after ${n}`).toHaveLength(1);
        expect(e.state().waiting).toEqual([]);
      }
    },
  );

  test("P.D02: a call that may have had its effect is told as unknown, and the same call again needs a person", async () => {
    const base = engine({ model: scripted(script), tools: [read, effect([])], mode: "yolo" });
    await base.ask("go");
    const at = records(base.lines).findIndex((event) => event.type === "tool.started" && event.tool === "Effect");
    const lines = base.lines.slice(0, at + 1);
    const again = [calls("Effect", { what: "one" }), says("I asked.")];

    const ledger: string[] = [];
    const model = scripted(again);
    const e = engine({ model, lines: [...lines], tools: [read, effect(ledger)], mode: "yolo" });
    await (
      await e.start()
    ).result;
    expect(JSON.stringify(model.requests[0]?.messages.at(-1))).toContain("outcome unknown");
    expect(ledger).toEqual([]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("may already have had its effect");

    const granted = engine({
      model: scripted(again),
      lines: [...lines],
      tools: [read, effect(ledger)],
      mode: "yolo",
      allow: ["Effect(one)"],
    });
    await (
      await granted.start()
    ).result;
    expect(ledger).toEqual(["one"]);
  });

  test("P.D06: a session that ends in calls without results gets an interrupted result for each before the next request", async () => {
    const three = [
      callsAll(call("Read", { file_path: "a.txt" }), call("Effect", { what: "x" }), call("Effect", { what: "y" })),
      says("ok"),
    ];
    const base = engine({ model: scripted(three), tools: [read, effect([])], mode: "yolo" });
    await base.ask("go");
    const replied = base.types().indexOf("assistant.replied") + 1;
    const twoDone = base.types().lastIndexOf("tool.started");
    for (const [cut, missing] of [
      [replied, 3],
      [twoDone, 1],
    ] as const) {
      const model = scripted([says("understood")]);
      const e = engine({ model, lines: base.lines.slice(0, cut), tools: [read, effect([])], mode: "yolo" });
      expect((await e.ask("what happened?")).output).toBe("understood");
      const [toolMessage, person] = model.requests[0]!.messages.slice(-2);
      expect(person?.role).toBe("user");
      expect(toolMessage?.role === "tool" && toolMessage.results.length).toBe(3);
      expect(JSON.stringify(toolMessage).split("Interrupted").length - 1).toBe(missing);
    }
  });

  test("P.D06: a session with interrupted calls can be compacted, and its requests stay sound", async () => {
    const usage = { inputTokens: 170_000, outputTokens: 10 };
    const base = engine({
      model: scripted([calls("Effect", { what: "x" }, { usage }), says("ok")]),
      tools: [read, effect([])],
      mode: "yolo",
    });
    await base.ask("go");
    const cut = base.types().indexOf("tool.ended");
    const model = scripted([says("SUMMARY"), says("understood")]);
    const e = engine({ model, lines: base.lines.slice(0, cut), tools: [read, effect([])], mode: "yolo" });
    expect((await e.ask("what happened?")).output).toBe("understood");
    model.finish();
    expect(e.types()).toContain("context.compacted");
    const last = model.requests[1]!.messages;
    const asked = last.flatMap((message) =>
      message.role === "assistant" ? message.content.flatMap((part) => (part.type === "call" ? [part.call] : [])) : [],
    );
    const answered = last.flatMap((message) =>
      message.role === "tool" ? message.results.map((result) => result.call) : [],
    );
    expect(answered).toEqual(asked);
    expect(JSON.stringify(last)).toContain("outcome-unknown");
  });

  test("a resumed session keeps its limits: turns made before the crash count", async () => {
    const base = engine({ model: scripted(script), tools: [read, effect([])], mode: "yolo", limits: { maxTurns: 2 } });
    const lines = base.lines;
    const handle = base.ask("go");
    await handle.catch(() => {});
    const cut = base.types().lastIndexOf("turn.started");
    const model = scripted([says("handed in")]);
    const e = engine({
      model,
      lines: lines.slice(0, cut),
      tools: [read, effect([])],
      mode: "yolo",
      limits: { maxTurns: 2 },
    });
    expect(await (await e.start()).result).toMatchObject({ status: "limit", output: "handed in" });
  });

  test("a finished session can be spoken to again, with its whole history", async () => {
    const base = engine({ model: scripted([says("first")]) });
    await base.ask("one");
    const model = scripted([says("second")]);
    const e = engine({ model, lines: base.lines });
    expect((await e.ask("two")).output).toBe("second");
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/one.*first.*two/);
  });
});
