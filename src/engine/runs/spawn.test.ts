import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import { ROOT, type CallId, type SessionId } from "../../core/ids.ts";
import { foldTree, newTree } from "../../core/tree-state.ts";
import type { Recorded } from "../../core/events.ts";
import { memoryLog } from "../../testing/memory/memory-log.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, callsAll, says, slow } from "../../testing/wire-server/script.ts";
import { fakeClock } from "../../testing/memory/fake-clock.ts";
import type { Hooks } from "../hooks/hooks.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";
import type { ChildRuns } from "./child-runs.ts";
import { spawnChild } from "./spawn.ts";
import type { Making, SpawnKit, TreeLimits } from "./spawn-kit.ts";
import { createTree } from "./tree.ts";
import { createTreeWriter } from "./tree-writer.ts";

const clock = fakeClock();
const lead = { session: "agent-00000000-0000-7000-8000-000000000001" as SessionId, path: ROOT };
const STEPS = ["definition", "model", "tools", "permissions", "memory", "prompt", "config"] as const;
const limits: TreeLimits = { maxConcurrent: 2, maxDepth: 3, maxAgents: 100 };

/** A tree whose spawns fail at one step, and what is left of each. */
function world(failing: (typeof STEPS)[number] | undefined, more: Partial<TreeLimits> = {}) {
  const done: string[] = [];
  const lines: string[] = [];
  const state = newTree();
  foldTree(state, { session: lead.session, path: ROOT, type: "note.added", kind: "", text: "", time: 1 } as Recorded);
  const writer = createTreeWriter(memoryLog(clock, lines), state, lead, clock);
  const hooks: Hooks = {
    hears: () => true,
    fire: async (event) => (done.push(event), { context: [] }) as never,
    scope: () => (done.push("scoped"), () => void done.push("unscoped")),
    close: async () => {},
  };
  const tree = createTree(writer, {
    limits: { ...limits, ...more },
    clock: clock,
    random: seededRandom(1),
    hooks,
  } as unknown as SpawnKit);
  const step = (name: (typeof STEPS)[number]) => async () => {
    done.push(name);
    return failing === name ? { problem: `no ${name}` } : undefined;
  };
  const making: Making = {
    definition: async () => (await step("definition")()) ?? { agent: "a", model: "m", cwd: "/", hooks: {} },
    model: step("model"),
    tools: step("tools"),
    permissions: step("permissions"),
    memory: step("memory"),
    prompt: step("prompt"),
    notes: () => [],
    config: () => {
      done.push("config");
      if (failing === "config") throw new Error("no config");
      return {
        agent: "a",
        settings: { background: false, system: "", task: "" },
        opened: { permissions: {} },
      } as never;
    },
  };
  const runs = {
    reserve: () => (done.push("place"), { drop: () => void done.push("dropped"), seat: () => Promise.reject() }),
  } as unknown as ChildRuns;
  const spawn = (signal?: AbortSignal) =>
    spawnChild(tree, runs, lead, {
      making,
      title: "t",
      call: "c" as CallId,
      ...(signal && { signal }),
      begin: async () => (done.push("begun"), {}) as never,
    }).catch((error: Error) => ({ problem: error.message }));
  return { spawn, done, state };
}

describe("B1: the twelve steps of a spawn", () => {
  test("are done in the seed's order", async () => {
    const w = world(undefined);
    await w.spawn();
    expect(w.done).toEqual(["place", "definition", "SubagentStart", ...STEPS.slice(1), "scoped", "begun", "unscoped"]);
  });

  test.each(STEPS)(
    "one that fails at %s undoes what came before: the place, the number, and a start has its stop",
    async (failing) => {
      const w = world(failing);
      expect(await w.spawn()).toEqual({ problem: `no ${failing}` });
      expect(w.state.sessions.size).toBe(1);
      expect(w.done).toContain("dropped");
      const started = failing !== "definition";
      expect(w.done.filter((what) => what === "SubagentStart")).toHaveLength(started ? 1 : 0);
      expect(w.done.filter((what) => what === "SubagentStop")).toHaveLength(started ? 1 : 0);
      expect(w.state.owedStops.size).toBe(0);
    },
  );

  test("one whose parent is stopped meanwhile comes to nothing, and its start has its stop", async () => {
    const w = world(undefined);
    expect(await w.spawn(AbortSignal.abort())).toEqual({ problem: "ROOT was stopped first" });
    expect(w.state.sessions.size).toBe(1);
    expect(w.done).toEqual(expect.arrayContaining(["dropped", "SubagentStart", "SubagentStop"]));
    expect(w.done).not.toContain("begun");
  });

  test("A5: a spawn that was refused uses up no number, and those beside it keep their order", async () => {
    const script = callsAll(
      call("spawn_subagent", { prompt: "x", agent: "nobody" }),
      call("spawn_subagent", { prompt: "one" }),
      call("spawn_subagent", { prompt: "y", tools: [] }),
      call("spawn_subagent", { prompt: "two" }),
    );
    const again = callsAll(call("spawn_subagent", { prompt: "three" }));
    const model = scripted([script, again, says("ok")]);
    const e = engine({
      model,
      tools: [spawnSubagent],
      children: { "general-purpose": scripted([says("a"), says("b"), says("c")]) },
    });
    await e.ask("go");
    const children = [...e.writer.state.sessions.values()].slice(1);
    expect(children.map(({ path, opened }) => [path, opened?.title]).sort()).toEqual([
      ["ROOT::S1", "one"],
      ["ROOT::S2", "two"],
      ["ROOT::S3", "three"],
    ]);
  });

  test("P.S01: spawns at the same instant together never exceed the number of agents", async () => {
    const w = world(undefined, { maxAgents: 4 });
    const made = await Promise.all(Array.from({ length: 9 }, w.spawn));
    expect(made.filter((one) => "child" in one)).toHaveLength(3);
    expect(w.state.sessions.size).toBe(4);
    expect(made.at(-1)).toEqual({ problem: expect.stringContaining("too many subagents") as string });
  });

  test("B16: with onLimit refuse a spawn above the limit is an error, and none waits", async () => {
    const spawns = [1, 2, 3, 4].map((n) => call("spawn_subagent", { prompt: `n${n}`, background: n > 1 }));
    const model = scripted([callsAll(...spawns), says("ok"), says("ok"), says("ok")]);
    const late = () => slow({ firstTokenAfterMs: 300 }, says("a"));
    const child = scripted([late(), late(), late()]);
    const e = engine({
      model,
      tools: [spawnSubagent],
      children: { "general-purpose": child },
      treeLimits: { maxConcurrent: 2, onLimit: "refuse" },
    });
    await e.ask("go");
    expect(JSON.stringify(model.requests[1]?.messages).match(/too many subagents: 2 run at once/g)).toHaveLength(2);
    expect(e.events.filter((event) => event.type === "child.queued")).toEqual([]);
  });
});
