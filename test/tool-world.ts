// Real tools on a real folder, outside any run: what the tests of tools start from.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createFileArtifacts } from "../src/adapters/artifacts/file-artifacts.ts";
import { systemClock } from "../src/adapters/clock/system-clock.ts";
import { createProcesses } from "../src/adapters/processes/create-processes.ts";
import { createRipgrep } from "../src/adapters/search/ripgrep.ts";
import { createFileUndo } from "../src/adapters/undo/file-undo.ts";
import { createWeb, type WebOptions } from "../src/adapters/web/create-web.ts";
import { createLocalWorkspace } from "../src/adapters/workspaces/local-workspace.ts";
import { type CallId, ROOT } from "../src/core/ids.ts";
import type { JsonObject } from "../src/core/json.ts";
import { textOf } from "../src/core/messages.ts";
import type { Reach } from "../src/core/permissions.ts";
import type { Inbox } from "../src/ports/inbox.ts";
import type { ToolOutcome } from "../src/core/tool-outcome.ts";
import type { ToolWorld } from "../src/engine/tools/define-tool.ts";
import { createFileMemory } from "../src/engine/tools/file-memory.ts";
import { createShells } from "../src/engine/tools/shells.ts";
import { standardTools } from "../src/engine/tools/standard-tools.ts";
import { createToolbox } from "../src/engine/tools/toolbox.ts";
import { tempDir } from "../src/testing/memory/temp-dir.ts";

export type Agent = {
  readonly world: ToolWorld;
  /** `meanwhile` happens after the call was judged and before it runs. */
  call(tool: string, input: JsonObject, meanwhile?: () => void): Promise<ToolOutcome>;
  /** What the tool said; it must have succeeded. */
  said(tool: string, input: JsonObject): Promise<string>;
  /** What the tool said; it must have failed. */
  failed(tool: string, input: JsonObject): Promise<string>;
  reach(tool: string, input: JsonObject): Promise<readonly Reach[]>;
};

/** A folder, and as many agents in it as are asked for. */
export async function toolWorld(options: { web?: WebOptions; signal?: AbortSignal } = {}) {
  const dir = await tempDir();
  const state = await tempDir();
  const processes = createProcesses({ runMarker: "tools-under-test", secretNames: [] });
  const agents: ToolWorld[] = [];
  onTestFinished(async () => {
    await Promise.all(agents.map((world) => world.shells.close()));
    processes.close();
    await dir[Symbol.asyncDispose]();
    await state[Symbol.asyncDispose]();
  });
  const agent = (): Agent => {
    const artifacts = createFileArtifacts(state.join("artifacts"));
    const world: ToolWorld = {
      workspace: createLocalWorkspace(dir.path),
      processes,
      search: createRipgrep(),
      web: createWeb(options.web),
      undo: createFileUndo(state.join("undo")),
      files: createFileMemory(),
      shells: createShells(),
      env: process.env as Record<string, string>,
      reach: [],
      hides: () => false,
      path: ROOT,
      call: "call" as CallId,
      inbox: noInbox,
      again: false,
      signal: options.signal ?? new AbortController().signal,
      progress: () => {},
      spill: () => artifacts.open("call"),
    };
    agents.push(world);
    return agentOf(world);
  };
  return { dir, state, join: (...parts: string[]) => join(dir.path, ...parts), agent, ...agent() };
}

function agentOf(world: ToolWorld): Agent {
  const box = createToolbox(standardTools, systemClock);
  const call = async (name: string, input: JsonObject, meanwhile?: () => void): Promise<ToolOutcome> => {
    const tool = box.find(name);
    if (!tool) throw new Error(box.missing(name));
    const problem = tool.problem(input);
    if (problem) throw new Error(`${name} does not take this: ${problem}`);
    const reach = await tool.reach(world, input);
    meanwhile?.();
    const outcome = await box.execute(tool, input, { ...world, reach });
    if (outcome === "left open") throw new Error(`${name} was left open`);
    return outcome;
  };
  const must =
    (ok: boolean) =>
    async (tool: string, input: JsonObject): Promise<string> => {
      const outcome = await call(tool, input);
      if (outcome.ok !== ok) throw new Error(`${tool} ${ok ? "failed" : "succeeded"}: ${textOf(outcome.said)}`);
      return textOf(outcome.said);
    };
  return {
    world,
    call,
    said: must(true),
    failed: must(false),
    reach: async (name, input) => box.find(name)!.reach(world, input),
  };
}

const noInbox: Inbox = {
  command: () => Promise.reject(new Error("no inbox in this test")),
  approve: () => Promise.reject(new Error("no inbox in this test")),
  ask: () => Promise.reject(new Error("no inbox in this test")),
};
