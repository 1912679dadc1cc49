import { readShell } from "../core/shell/read-shell.ts";
import { describe, expect, test } from "vitest";
import { systemClock } from "../adapters/clock/system-clock.ts";
import { createLocalWorkspace } from "../adapters/workspaces/local-workspace.ts";
import { assemble } from "../core/agents/assemble.ts";
import { builtIns } from "../core/agents/built-ins.ts";
import type { AgentFields } from "../core/agents/definition.ts";
import type { Draft } from "../core/agents/draft.ts";
import type { Protocol, SessionOpened } from "../core/events.ts";
import { type AgentPath, ROOT, type SessionId } from "../core/ids.ts";
import { text } from "../core/messages.ts";
import { noRules } from "../core/rules.ts";
import { createMask } from "../core/mask.ts";
import { newSession } from "../core/session-state.ts";
import type { ChildParts } from "../engine/runs/spawn-kit.ts";
import { spawnSubagent } from "../engine/tools/spawn-subagent.ts";
import { standardTools } from "../engine/tools/standard-tools.ts";
import { seededRandom } from "../testing/memory/seeded-random.ts";
import { scripted } from "../testing/scripted-model.ts";
import { says } from "../testing/wire-server/script.ts";
import { createNamesFor } from "./model-names.ts";
import { createChildKit } from "./children.ts";
import { protocolGuard } from "./protocol.ts";

const agent = (name: string, fields: Partial<AgentFields>): Draft => ({
  name,
  source: { kind: "user", priority: 20 },
  form: "whole",
  fields: { description: name, prompt: `You are ${name}.`, ...fields },
  metadata: {},
  problems: [],
  refusals: [],
  recovered: false,
});

/** Children of a lead with this protocol, whose only model says one thing. */
function kitFor(protocol: Protocol) {
  const model = scripted([says("```bash\nls\n```")]);
  const prices = { priceOf: async () => undefined, window: async () => 200_000 };
  const known = assemble([
    ...builtIns(),
    agent("plain", {}),
    agent("shell", { protocol: "bash", spawns: ["plain"] }),
    agent("caller", { protocol: "tools" }),
    agent("reader", { protocol: "bash", tools: [{ tool: "Read" }] }),
  ]);
  const kit = createChildKit({
    limits: { maxConcurrent: 5, maxDepth: 3, maxAgents: 10 },
    treeSignal: new AbortController().signal,
    version: "0",
    // Only what a child takes over from its lead here.
    lead: { model, clock: systemClock, random: seededRandom(1), prices } as unknown as ChildParts,
    protocol,
    tools: [...standardTools, spawnSubagent],
    cwd: "/project",
    context: {
      about: async () => ({ cwd: "/project", platform: "linux", date: "2026-01-01" }),
      mask: createMask(),
      memories: { open: async () => ({ ok: false, problem: "there is none" }) },
      homes: { home: "/home", root: undefined },
      beyond: async () => undefined,
      notice: () => {},
    },
    // They share their lead's.
    workspaces: {
      bind: async (_wish, parent) =>
        parent.opened?.binding ?? { cwd: "/project", isolation: "shared", allowWrites: true },
      enter: async () => undefined,
      copiesOf: () => undefined as never,
      decide: async () => ({ ok: false, problem: "there is none" }),
      seenBy: () => ({ workspace: createLocalWorkspace("/project"), roots: ["/"] }),
    },
    bounds: { roots: ["/project"], rules: noRules, home: "/home", trusted: false },
    inbox: {},
    budgetUsd: () => undefined,
    definitions: async () => known,
    chooseModel: async () => ({ model, prices }) as never,
    namesFor: createNamesFor({}, {}, []),
    transcriptOf: () => "",
  });
  const spawn = async (name: string, parent = newSession("agent-lead" as SessionId, ROOT)) => {
    const making = kit.making({ prompt: "go", agent: name, background: false }, parent);
    for (const step of ["definition", "model", "tools", "permissions", "memory"] as const) {
      const done = await making[step]({ session: "agent-child" as SessionId, path: ROOT });
      if (done && "problem" in done) return done;
    }
    await making.prompt([]);
    const draft = making.config();
    const child = newSession("agent-child" as SessionId, `${parent.path}::S1` as AgentPath);
    child.opened = { type: "session.opened", ...draft.opened, child: draft.settings } as SessionOpened;
    return { protocol: draft.opened.protocol, child };
  };
  return { kit, spawn, model };
}

describe("whose protocol a child has", () => {
  test("A1: the definition's; else its parent's, however deep", async () => {
    const tools = kitFor("tools");
    expect(await tools.spawn("plain")).toMatchObject({ protocol: "tools" });
    const shell = await tools.spawn("shell");
    expect(shell).toMatchObject({ protocol: "bash" });
    if ("problem" in shell) throw new Error(shell.problem);
    expect(await tools.spawn("plain", shell.child)).toMatchObject({ protocol: "bash" });
    const bash = kitFor("bash");
    expect(await bash.spawn("plain")).toMatchObject({ protocol: "bash" });
    expect(await bash.spawn("caller")).toMatchObject({ protocol: "tools" });
  });

  test("A1: an agent without Bash is refused in it, not given more than its definition says", async () => {
    expect(await kitFor("tools").spawn("reader")).toEqual({
      problem: expect.stringContaining("has no Bash") as string,
    });
    expect(await kitFor("bash").spawn("Explore")).toMatchObject({
      problem: expect.stringContaining("no Bash") as string,
    });
  });

  test("A1: in bash the only tool is Bash, the request has none, and the prompt says how to act and whether to spawn", async () => {
    const { kit, spawn, model } = kitFor("tools");
    for (const [name, spawns] of [
      ["shell", true],
      ["plain", false],
    ] as const) {
      const parent = name === "plain" ? await spawn("shell") : undefined;
      const made = await spawn(name, parent && "child" in parent ? parent.child : undefined);
      if ("problem" in made) throw new Error(made.problem);
      const { parts } = await kit.parts(made.child);
      expect(parts.tools.specs.map((spec) => spec.name)).toEqual(["Bash"]);
      expect(parts.system).toMatch(/^You are \w+\.[\s\S]*EXACTLY ONE action[\s\S]*FINAL_OUTPUT/);
      expect(parts.system.includes("SPAWN_CHILD")).toBe(spawns);
      if (!spawns) continue;
      const request = {
        system: "",
        messages: [{ role: "user" as const, content: [text("x")] }],
        tools: parts.tools.specs,
      };
      const got = [];
      for await (const part of parts.model.stream(request, new AbortController().signal)) got.push(part);
      expect(got.at(-1)).toMatchObject({
        reply: { content: [{}, { type: "call", tool: "Bash", input: { command: "ls" } }] },
      });
      expect(model.requests[0]?.tools).toEqual([]);
    }
  });
});

describe("a definition that narrows Bash", () => {
  const bounds = {
    roots: ["/project"],
    rules: noRules,
    places: { cwd: "/project", home: "/home" },
    narrowing: [{ tool: "Bash", allow: [{ tool: "Bash", spec: "git log:*" }] }],
  };
  const asked = { path: ROOT, tool: "Bash", input: {}, mode: "yolo" as const, outcomeUnknown: false };

  test("A4: still lets the agent end, and nothing else", () => {
    const guard = protocolGuard("bash", bounds);
    expect(guard.judge({ ...asked, reach: [] }).is).toBe("allow");
    expect(
      guard.judge({ ...asked, reach: [{ may: "run", command: "git log -1", reading: readShell("git log -1") }] }).is,
    ).toBe("allow");
    expect(guard.judge({ ...asked, reach: [{ may: "run", command: "rm x" }] }).is).toBe("deny");
    expect(protocolGuard("tools", bounds).judge({ ...asked, reach: [] }).is).toBe("deny");
  });
});
