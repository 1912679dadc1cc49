// One agent on a scripted model, an in-memory log and real tools: what engine tests start from.
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createFileArtifacts } from "../src/adapters/artifacts/file-artifacts.ts";
import { systemClock } from "../src/adapters/clock/system-clock.ts";
import { createProcesses } from "../src/adapters/processes/create-processes.ts";
import { createRipgrep } from "../src/adapters/search/ripgrep.ts";
import { createFileUndo } from "../src/adapters/undo/file-undo.ts";
import { createWeb } from "../src/adapters/web/create-web.ts";
import { createLocalWorkspace } from "../src/adapters/workspaces/local-workspace.ts";
import type { Approvals, Budget, Limits, Mode, Recorded, StreamEvent } from "../src/core/events.ts";
import { ROOT, type SessionId } from "../src/core/ids.ts";
import { text } from "../src/core/messages.ts";
import { parseRule } from "../src/core/rules.ts";
import type { SessionState } from "../src/core/session-state.ts";
import type { SpawnRequest } from "../src/ports/spawner.ts";
import type { Making, TreeLimits } from "../src/engine/runs/spawn-kit.ts";
import type { Person } from "../src/ports/person.ts";
import { defaultPatience } from "../src/core/retry.ts";
import { foldTree, newTree } from "../src/core/tree-state.ts";
import { createGuard } from "../src/engine/guard/guard.ts";
import { createRateGate } from "../src/engine/models/rate-gate.ts";
import { type CallLimits, defaultCallLimits } from "../src/engine/models/watchdog.ts";
import type { RunHandle } from "../src/engine/runs/launch.ts";
import { type RunTree, createRunTree } from "../src/engine/runs/run-tree.ts";
import { createTreeWriter } from "../src/engine/runs/tree-writer.ts";
import { admit } from "../src/engine/sessions/mailbox.ts";
import type { Tool } from "../src/engine/tools/define-tool.ts";
import { createFileMemory } from "../src/engine/tools/file-memory.ts";
import { read } from "../src/engine/tools/read.ts";
import { createShells } from "../src/engine/tools/shells.ts";
import { createToolbox } from "../src/engine/tools/toolbox.ts";
import type { Processes } from "../src/ports/processes.ts";
import type { Model } from "../src/ports/model.ts";
import { memoryLog } from "../src/testing/memory/memory-log.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";

export const session = "agent-00000000-0000-7000-8000-000000000001" as SessionId;
export const origin = { session, path: ROOT };

export type Setup = {
  model: Model;
  tools?: readonly Tool[];
  limits?: Limits;
  budget?: Budget;
  mode?: Mode;
  allow?: readonly string[];
  person?: Person;
  approvals?: Approvals;
  processes?: Processes;
  lines?: string[];
  callLimits?: Partial<CallLimits>;
  attempts?: number;
  baseMs?: number;
  window?: number;
  /** The models of children, by their agent's name; with them the tree may grow. */
  children?: Record<string, Model>;
  treeLimits?: Partial<TreeLimits>;
  heldMs?: number;
  priceOf?: () => { input: number; output: number } | undefined;
  price?: { input: number; output: number };
};

export function engine(setup: Setup) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "sous-engine-")));
  writeFileSync(join(cwd, "a.txt"), "alpha\nbeta\n");
  const lines = setup.lines ?? [];
  const resumed = lines.length > 0;
  const log = memoryLog(systemClock, lines);
  const tree = newTree();
  for (const line of lines) foldTree(tree, JSON.parse(line) as Recorded);
  const writer = createTreeWriter(log, tree, origin, systemClock);
  const events: StreamEvent[] = [];
  writer.subscribe((event) => events.push(event));
  const random = seededRandom(7 + lines.length);
  const never = new AbortController().signal;
  const opened = resumed
    ? Promise.resolve()
    : (async () => {
        await writer.record(
          origin,
          {
            type: "session.opened",
            agent: "lead",
            capability: "primary",
            model: setup.model.id,
            binding: { cwd, isolation: "shared", allowWrites: true },
            permissions: { mode: setup.mode ?? "confirm" },
            trigger: "test",
            title: "test",
            version: "0",
          },
          never,
        );
        if (setup.budget) await writer.record(origin, { type: "budget.changed", budget: setup.budget }, never);
      })();

  const send = async (words: string, how: "prompt" | "steer" | "follow-up" = "prompt"): Promise<void> => {
    await opened;
    await admit(writer, origin, { from: "person", how, content: [text(words)] }, random, never);
  };
  let runs: RunTree | undefined;
  const start = async (): Promise<RunHandle> => {
    await opened;
    const parts = {
      system: "You are tested.",
      model: setup.model,
      tools: createToolbox(setup.tools ?? [read], systemClock),
      limits: setup.limits ?? {},
      guard: createGuard({
        roots: [cwd],
        places: { cwd, home: cwd },
        rules: { allow: (setup.allow ?? []).flatMap((rule) => parseRule(rule) ?? []), ask: [], deny: [] },
      }),
      gate: createRateGate(systemClock, random, 64),
      callLimits: { ...defaultCallLimits, ...setup.callLimits },
      patience: { ...defaultPatience, attempts: setup.attempts ?? 3, baseMs: setup.baseMs ?? 5 },
      workspace: createLocalWorkspace(cwd),
      processes: setup.processes ?? noProcesses,
      search: createRipgrep(),
      web: createWeb(),
      undo: createFileUndo(join(cwd, ".undo")),
      files: createFileMemory(),
      shells: createShells(),
      artifacts: createFileArtifacts(join(cwd, ".artifacts")),
      env: {},
      clock: systemClock,
      random,
      prices: { priceOf: async () => setup.priceOf?.() ?? setup.price, window: async () => setup.window ?? 200_000 },
      transcript: "memory",
    };
    const { children = {} } = setup;
    runs ??= createRunTree(writer, {
      ...(setup.person && { person: setup.person }),
      ...(setup.approvals && { approvals: setup.approvals }),
      limits: { maxConcurrent: 20, maxDepth: 3, maxAgents: 2_000, ...setup.treeLimits },
      clock: systemClock,
      random,
      treeSignal: never,
      ...(setup.heldMs !== undefined && { heldMs: setup.heldMs }),
      making: (request, parent) => makingOf(children, request, parent),
      parts: async (child) => {
        const model = children[child.opened!.agent];
        if (!model) throw new Error(`there is no model for ${child.opened!.agent}`);
        return { parts: { ...parts, system: child.opened!.child!.system, model }, close: async () => {} };
      },
      transcriptOf: () => "memory",
    });
    return runs.launchLead(origin, parts);
  };
  return {
    cwd,
    lines,
    log,
    writer,
    events,
    send,
    start,
    /** Once it was started. */
    controls: () => runs!.controls,
    /** With its history, which an ended child does not keep in memory. */
    whole: (path: string) => writer.load([...writer.state.sessions.values()].find((one) => one.path === path)!.session),
    at: (path: string) => [...writer.state.sessions.values()].find((one) => one.path === path)!,
    state: () => writer.state.sessions.get(session)!,
    types: () => events.filter((event) => !("live" in event)).map((event) => event.type),
    ask: async (words: string) => {
      await send(words);
      return (await start()).result;
    },
  };
}

function makingOf(children: Record<string, Model>, request: SpawnRequest, parent: SessionState): Making {
  const agent = request.agent ?? "general-purpose";
  const binding = parent.opened!.binding;
  const done = async (): Promise<undefined> => undefined;
  let task = request.prompt;
  return {
    definition: async () => {
      const model = children[agent]?.id;
      return model === undefined ? { problem: `there is no agent ${agent}` } : { agent, model, cwd: binding.cwd };
    },
    model: done,
    notes: () => [],
    tools: async () => (request.tools?.length === 0 ? { problem: "it would have no tools" } : undefined),
    permissions: done,
    memory: done,
    prompt: async (told) => {
      task = [request.prompt, ...told].join("\n\n");
      return undefined;
    },
    config: () => ({
      agent,
      settings: {
        background: request.background,
        system: `You are ${agent}.`,
        task,
        tools: [],
        narrowing: [],
        deny: [],
        limits: {},
        ...(request.name && { name: request.name }),
      },
      opened: {
        capability: "subtask",
        model: children[agent]!.id,
        binding,
        permissions: { mode: parent.mode ?? "confirm" },
        version: "0",
      },
    }),
  };
}

/** For tests whose agents run commands. */
export function realProcesses(): Processes {
  const processes = createProcesses({ runMarker: "engine-test", secretNames: [] });
  onTestFinished(() => processes.close());
  return processes;
}

const noProcesses: Processes = {
  run: () => Promise.reject(new Error("no processes in this test")),
  lacks: async () => undefined,
  ownership: async () => "keeper",
};
