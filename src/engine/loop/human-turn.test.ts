import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { engine, origin, realProcesses } from "../../../test/engine-harness.ts";
import type { Mode, Recorded } from "../../core/events.ts";
import { openItems } from "../../core/inbox.ts";
import { textOf } from "../../core/messages.ts";
import type { Driven, Person } from "../../ports/person.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { waitFor } from "../../testing/memory/wait-for.ts";
import { call, calls, callsAll, says } from "../../testing/wire-server/script.ts";
import { answerItem } from "../runs/answer-item.ts";
import { read } from "../tools/read.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";

const never = new AbortController().signal;
const deny: Person["decide"] = async () => ({ allow: false, reason: "The person takes over." });
const spawn = (prompt: string) => call("spawn_subagent", { agent: "scout", prompt });
type Engine = ReturnType<typeof engine>;
const setMode = (e: Engine, mode: Mode) => e.writer.record(origin, { type: "mode.changed", mode }, never);
const events = (e: Engine) => e.lines.map((line) => JSON.parse(line) as Recorded);

/** No agent of the tree has Bash: what a person types runs all the same. */
const tools = [read, spawnSubagent];

describe("A6: in human mode the person drives every agent of the tree", () => {
  test("a child that works when the mode is changed: what is typed next runs as its action, and the prompt says whose", async () => {
    const scout = scripted([calls("Read", { file_path: "a.txt" }), says("I saw it")]);
    const lead = scripted([callsAll(spawn("look")), says("done")]);
    const driven: Driven[] = [];
    const person: Person = {
      decide: deny,
      async act(who) {
        driven.push(who);
        if (driven.length === 1) return "touch typed && echo typed it";
        await setMode(e, "confirm");
        return undefined;
      },
    };
    const e: Engine = engine({ model: lead, tools, person, processes: realProcesses(), children: { scout } });
    e.writer.subscribe((event) => {
      if (event.type === "tool.started" && event.path === "ROOT::S1" && event.tool === "Read") void setMode(e, "human");
    });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded", output: "done" });
    expect(driven).toMatchObject([
      { path: "ROOT::S1", agent: "scout" },
      { path: "ROOT::S1", agent: "scout" },
    ]);
    expect(existsSync(join(e.cwd, "typed"))).toBe(true);
    const child = await e.whole("ROOT::S1");
    const results = child.messages.flatMap((message) => (message.role === "tool" ? message.results : []));
    expect(textOf(results.at(-1)!.content)).toContain("typed it");
    // Handed back, its model saw what the person did.
    expect(JSON.stringify(scout.requests.at(-1)!.messages)).toContain("touch typed");
    scout.finish();
    lead.finish();
  });

  test("several driven at once wait as items of their own, each for its own command", async () => {
    const scout = scripted([says("one"), says("two")]);
    const asked = new Map<string, (command: string | undefined) => void>();
    const person: Person = {
      decide: deny,
      act: ({ path }, signal) =>
        new Promise((resolve, reject) => {
          asked.set(path, resolve);
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    };
    const both = scripted([callsAll(spawn("a"), spawn("b")), says("done")]);
    const e = engine({ model: both, tools, person, processes: realProcesses(), children: { scout } });
    e.writer.subscribe((event) => {
      if (event.type === "child.started" && event.childPath === "ROOT::S1") void setMode(e, "human");
    });
    const running = e.ask("go");
    await waitFor(() => asked.size === 2, 5_000);
    const items = openItems(e.writer.state.items);
    expect(items.map(({ kind, path, agent }) => `${kind} ${path} ${agent}`).sort()).toEqual([
      "command ROOT::S1 scout",
      "command ROOT::S2 scout",
    ]);
    asked.get("ROOT::S2")!("touch second");
    await waitFor(() => existsSync(join(e.cwd, "second")), 5_000);
    expect(existsSync(join(e.cwd, "first"))).toBe(false);
    await setMode(e, "yolo");
    expect((await running).status).toBe("succeeded");
    expect(openItems(e.writer.state.items)).toEqual([]);
    expect(events(e).filter((event) => event.type === "assistant.replied" && event.model === "person")).toMatchObject([
      { path: "ROOT::S2" },
    ]);
  });

  test("switched back while it waits, the model goes on; a command that comes then is refused", async () => {
    const model = scripted([says("the model answers")]);
    const e = engine({ model, tools, mode: "human", approvals: "inbox", person: waiting() });
    const running = e.ask("go");
    await waitFor(() => openItems(e.writer.state.items).length === 1, 5_000);
    const [item] = openItems(e.writer.state.items);
    await setMode(e, "confirm");
    expect(await running).toMatchObject({ status: "succeeded", output: "the model answers" });
    expect(await answerItem(e.writer, item!.id, { text: "touch late" }, "late")).toMatchObject({ is: "late" });
    expect(existsSync(join(e.cwd, "late"))).toBe(false);
  });

  test("with nobody there the run parks; the command from the inbox runs once after the resume, also after a crash", async () => {
    const model = scripted([says("never asked")]);
    const setup = { model, tools, mode: "human" as const, approvals: "inbox" as const, processes: realProcesses() };
    const first = engine(setup);
    const parked = await first.ask("go");
    expect(parked).toMatchObject({ status: "parked" });
    expect(parked.items).toMatchObject([{ kind: "command", path: "ROOT", agent: "lead" }]);
    const [item] = openItems(first.writer.state.items);
    const count = join(first.cwd, "count");
    await answerItem(first.writer, item!.id, { text: `echo x >> ${count}` }, "a test");
    const second = engine({ ...setup, lines: first.lines });
    expect(await (await second.start()).result).toMatchObject({ status: "parked" });
    expect(readFileSync(count, "utf8")).toBe("x\n");
    expect(openItems(second.writer.state.items)).toHaveLength(1);
    expect(model.requests).toHaveLength(0);
  });

  test("a person who cannot type commands leaves them to the model, whose calls ask", async () => {
    const model = scripted([calls("spawn_subagent", { agent: "scout", prompt: "x" }), says("done")]);
    const scout = scripted([says("hello")]);
    const e = engine({ model, tools, mode: "human", person: { decide: deny }, children: { scout } });
    expect(await e.ask("go")).toMatchObject({ status: "succeeded" });
  });
});

/** Thinks until the question is taken back. */
const waiting = (): Person => ({
  decide: deny,
  act: (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
});
