import { describe, expect, test } from "vitest";
import { engine, realProcesses } from "../../../test/engine-harness.ts";
import { TakenBack, openItems } from "../../core/inbox.ts";
import type { Approval, Decision, Person } from "../../ports/person.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { waitFor } from "../../testing/memory/wait-for.ts";
import { call, callsAll, says } from "../../testing/wire-server/script.ts";
import { bash } from "../tools/bash.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";
import { answerItem } from "./answer-item.ts";

const touch = callsAll(call("Bash", { command: "touch one" }));
const tools = [bash, spawnSubagent];

describe("an approval", () => {
  test("E3, B8: names the agent that asks, its path, its task and its item", async () => {
    const lead = scripted([
      callsAll(call("spawn_subagent", { agent: "scout", prompt: "make the file" })),
      says("done"),
    ]);
    const scout = scripted([touch, says("made")]);
    const asked: Approval[] = [];
    const decide = async (approval: Approval): Promise<Decision> => (asked.push(approval), { allow: true });
    const e = engine({ model: lead, tools, person: { decide }, processes: realProcesses(), children: { scout } });
    await e.ask("go");
    const added = e.events.flatMap((event) => (event.type === "item.added" ? [event.item] : []));
    expect(asked).toMatchObject([{ agent: "scout", path: "ROOT::S1", task: "make the file", item: added[0] }]);
    expect([...e.writer.state.items.all.values()]).toMatchObject([{ agent: "scout", task: "make the file" }]);
  });

  test("P.D08: answered elsewhere, it is taken back here with who answered what; the late answer changes nothing", async () => {
    let reason: unknown;
    const late = Promise.withResolvers<Decision>();
    const decide: Person["decide"] = (_, signal) => {
      signal.addEventListener("abort", () => {
        reason = signal.reason;
        late.resolve({ allow: true });
      });
      return late.promise;
    };
    const e = engine({ model: scripted([touch, says("done")]), tools, person: { decide }, processes: realProcesses() });
    const running = e.ask("go");
    await waitFor(() => openItems(e.writer.state.items).length === 1, 5_000);
    const [item] = openItems(e.writer.state.items);
    await answerItem(e.writer, item!.id, { allow: false, reason: "not now" }, "another terminal");
    await running;
    expect(reason).toBeInstanceOf(TakenBack);
    expect((reason as TakenBack).message).toBe("answered by another terminal: no: not now");
    expect(e.events.filter((event) => event.type === "item.answered")).toMatchObject([{ by: "another terminal" }]);
    expect(e.types()).not.toContain("tool.started");
  });

  test("P.B12: an answer that was typed before the question was shown is refused, and it is asked again", async () => {
    let asked = 0;
    const decide = async (): Promise<Decision> => {
      const now = Date.now();
      // Typed ahead, and shown too early; then seen and answered.
      if (++asked === 1) return { allow: true, seen: { shownAt: now, typedAt: now - 10_000 } };
      if (asked === 2) return { allow: true, seen: { shownAt: now - 10_000, typedAt: now } };
      return { allow: false, reason: "no", seen: { shownAt: now, typedAt: now } };
    };
    const e = engine({ model: scripted([touch, says("done")]), tools, person: { decide }, processes: realProcesses() });
    await e.ask("go");
    expect(asked).toBe(3);
    expect(e.events.filter((event) => event.type === "item.answered")).toMatchObject([
      { answer: { allow: false, reason: "no" }, seen: { shownAt: expect.any(Number) } },
    ]);
    expect(e.types()).not.toContain("tool.started");
  });
});
