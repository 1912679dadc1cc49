import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import { textOf } from "../../core/messages.ts";
import type { Model, ModelPart, ModelRequest } from "../../ports/model.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, calls, callsAll, says } from "../../testing/wire-server/script.ts";
import type { Step } from "../../testing/wire-server/step.ts";
import { read } from "../tools/read.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";
import { subagents } from "../tools/subagents.ts";

/** Answers by how far the conversation has come: the same after any crash. */
const byTurn = (answer: (request: ModelRequest, turn: number) => Step, delayMs = 0): Model => ({
  id: "scripted/by-turn",
  provider: "scripted",
  async *stream(request, signal): AsyncGenerator<ModelPart> {
    if (delayMs) await sleep(delayMs, undefined, { signal });
    const turn = request.messages.filter((message) => message.role === "assistant").length;
    yield* scripted([answer(request, turn)]).stream(request, signal);
  },
});

const child = (delayMs = 0): Model =>
  byTurn((request) => {
    const last = request.messages.findLast((message) => message.role === "user");
    const words = last?.role === "user" ? textOf(last.content) : "";
    return request.messages.at(-1)?.role === "user" ? calls("Read", { file_path: "a.txt" }) : says(`did ${words}`);
  }, delayMs);

type Tree = ReturnType<typeof engine>;

function tree(script: readonly Step[], lines?: string[], delayMs = 0): Tree {
  return engine({
    model: byTurn((_request, turn) => script[Math.min(turn, script.length - 1)]!),
    tools: [read, spawnSubagent, subagents],
    children: { "general-purpose": child(delayMs) },
    mode: "yolo",
    ...(lines && { lines }),
  });
}

/** Each run of each child has one end, and each end is delivered once, where its parent waits for it. */
function check(e: Tree, where: string): void {
  const events = e.lines.map((line) => JSON.parse(line) as Recorded);
  const paths = events.flatMap((event) => (event.type === "session.opened" ? [event.path] : []));
  expect(new Set(paths).size, `${where}: ${paths.join(" ")}`).toBe(paths.length);
  for (const { child: session, childPath, idle } of events.flatMap((event) =>
    event.type === "child.started" ? [event] : [],
  )) {
    const of = (type: Recorded["type"]): number =>
      events.filter((event) => event.type === type && "child" in event && event.child === session).length;
    const runs = (idle ? 0 : 1) + of("child.resumed");
    const ends = events.filter((event) => event.type === "run.ended" && event.session === session);
    expect(ends, `${where}: ends of ${childPath}`).toHaveLength(runs);
    expect(of("child.ended"), `${where}: deliveries of ${childPath}`).toBe(runs);
    const reports = events.flatMap((event) =>
      event.type === "input.admitted" && event.from === "child" && event.input.includes(session) ? [event.input] : [],
    );
    expect(new Set(reports).size, `${where}: reports of ${childPath}`).toBe(reports.length);
  }
}

const reports = (e: Tree): string[] =>
  e.lines
    .map((line) => JSON.parse(line) as Recorded)
    .flatMap((event) => (event.type === "input.admitted" && event.from === "child" ? [textOf(event.content)] : []));
const toolWords = (e: Tree): string => JSON.stringify(e.state().messages.filter((message) => message.role === "tool"));
const has = (e: Tree, type: Recorded["type"]): boolean => e.lines.some((line) => line.includes(`"type":"${type}"`));

async function cutEverywhere(
  base: Tree,
  script: readonly Step[],
  also: (e: Tree, where: string) => void,
): Promise<void> {
  const begun = base.types().indexOf("run.started");
  for (let n = begun + 1; n < base.lines.length; n++) {
    const e = tree(script, base.lines.slice(0, n));
    const where = `cut after ${n} (${base.types()[n - 1]})`;
    expect((await (await e.start()).result).status, where).toBe("succeeded");
    check(e, where);
    also(e, where);
  }
}

describe("X1, P.D11: cut after any event, every run of a child ends once and is delivered once", () => {
  test("of a finished child that was spoken to again, and of one that was forked from it", async () => {
    const script = [
      callsAll(call("spawn_subagent", { prompt: "first" })),
      calls("subagents", { action: "send", id: "ROOT::S1", message: "second" }),
      calls("subagents", { action: "fork", id: "ROOT::S1", message: "third" }),
      says("waiting"),
      says("all in"),
    ];
    const base = tree(script);
    await base.ask("go");
    check(base, "uncut");
    expect(reports(base).join("\n")).toMatch(/did (second|third)[\s\S]*did (third|second)/);
    await cutEverywhere(base, script, (e, where) => {
      expect(toolWords(e), where).toContain("did first");
      expect(
        reports(e).filter((report) => report.includes("did first")),
        where,
      ).toEqual([]);
      // A send that was cut off is told as unknown and not repeated; one that was recorded is kept.
      const again = reports(e).filter((report) => report.includes("did second"));
      expect(again, where).toHaveLength(has(e, "child.resumed") ? 1 : 0);
    });
  });

  test("of a child that was sent to the background while it ran", async () => {
    const script = [callsAll(call("spawn_subagent", { prompt: "work" })), says("meanwhile"), says("now it is in")];
    const base = tree(script, undefined, 150);
    await base.send("go");
    const handle = await base.start();
    await expect.poll(() => base.at("ROOT::S1")?.status).toBe("running");
    await base.controls().background(base.at("ROOT::S1").session);
    await handle.result;
    check(base, "uncut");
    await cutEverywhere(base, script, (e, where) => {
      const sent = has(e, "child.backgrounded");
      expect(reports(e), where).toHaveLength(sent ? 1 : 0);
      expect(toolWords(e), where).toContain(sent ? "runs in the background" : "did work");
    });
  });

  test("of a child that a person stopped: it stays stopped", async () => {
    const script = [
      callsAll(call("spawn_subagent", { prompt: "work", background: true })),
      says("waiting"),
      says("ok"),
    ];
    const base = tree(script, undefined, 60_000);
    await base.send("go");
    const handle = await base.start();
    await expect.poll(() => base.at("ROOT::S1")?.turns).toBe(1);
    await base.controls().stop(base.at("ROOT::S1").session, "person");
    await handle.result;
    const stopped = base.lines.findIndex((line) => line.includes('"type":"run.ended"') && line.includes('"ROOT::S1"'));
    for (let n = stopped + 1; n < base.lines.length; n++) {
      const e = tree(script, base.lines.slice(0, n));
      await (
        await e.start()
      ).result;
      check(e, `cut after ${n}`);
      expect(e.at("ROOT::S1").result, `cut after ${n}`).toMatchObject({ status: "cancelled", by: "person" });
    }
  });

  test("of a child that was interrupted: it still waits for words after the crash", async () => {
    const script = [callsAll(call("spawn_subagent", { prompt: "work" })), says("ok")];
    const base = tree(script, undefined, 60_000);
    await base.send("go");
    await base.start();
    await expect.poll(() => base.at("ROOT::S1")?.turns).toBe(1);
    await base.controls().interrupt(base.at("ROOT::S1").session, "person");
    const e = tree(script, [...base.lines]);
    const handle = await e.start();
    await expect
      .poll(() => e.events.some((event) => event.type === "agent.waiting" && event.for === "person"))
      .toBe(true);
    await e.controls().send(e.at("ROOT::S1").session, "go on", "steer", "person");
    expect((await handle.result).output).toBe("ok");
    expect(e.at("ROOT::S1").result?.output).toBe("did go on");
    check(e, "interrupted");
  });
});
