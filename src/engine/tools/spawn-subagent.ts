// spawn_subagent: hands a part of the work to a child and gives back its report; or its id, when it runs in the background.
import { Type } from "typebox";
import { DEFAULT_AGENT } from "../../core/agents/agent-names.ts";
import { childReport } from "../../core/child-report.ts";
import type { JsonObject } from "../../core/json.ts";
import { text } from "../../core/messages.ts";
import type { Reach } from "../../core/permissions.ts";
import { LEAST_SUMMARY } from "../../core/results/summary-wish.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { SpawnRequest } from "../../ports/spawner.ts";
import { type LeftOpen, type ToolWorld, defineTool } from "./define-tool.ts";

/** Children have limits of their own. */
export const NO_LIMIT_MS = 2 ** 40;

export const ISOLATIONS = ["shared", "worktree", "sandbox"] as const;

export const spawnSubagent = defineTool({
  name: "spawn_subagent",
  aliases: ["Agent", "Task"],
  description:
    "Hands a task to a child agent with its own context; you get only its report. It knows nothing of this conversation: say all it needs. Several in one reply run at the same time.",
  input: Type.Object(
    {
      prompt: Type.String({ minLength: 1, description: "The whole task" }),
      description: Type.Optional(Type.String()),
      agent: Type.Optional(Type.String({ description: "Which kind; default general-purpose" })),
      type: Type.Optional(Type.String()),
      subagent_type: Type.Optional(Type.String()),
      contextFiles: Type.Optional(Type.Array(Type.String(), { description: "Files it is given to start with" })),
      tools: Type.Optional(Type.Array(Type.String(), { description: "Only these of its tools" })),
      model: Type.Optional(Type.String()),
      background: Type.Optional(Type.Boolean({ description: "Go on at once; the report comes later" })),
      run_in_background: Type.Optional(Type.Boolean()),
      isolation: Type.Optional(
        Type.Enum(ISOLATIONS, { description: "worktree: a copy of its own; sandbox: and confined" }),
      ),
      name: Type.Optional(Type.String({ description: "To address it by" })),
      outputSchema: Type.Optional(Type.Object({}, { description: "JSON schema of its result" })),
      summarize: Type.Optional(
        Type.Union([Type.Boolean(), Type.Integer({ minimum: LEAST_SUMMARY })], {
          description: "It shortens a report that is too long, or has more characters than this",
        }),
      ),
      fork: Type.Optional(
        Type.Union([Type.Boolean(), Type.Integer({ minimum: 1 })], {
          description: "It begins with your history, or its last turns",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  repeatable: true,
  lasting: true,
  waitsFor: "child",
  parallel: true,
  timeoutMs: NO_LIMIT_MS,
  reach: (_world, input) => [spawnReach(agentIn(input))],
  run: (world, input) => {
    const agent = agentIn(input);
    return spawnAndReport(world, {
      prompt: input.prompt,
      background: input.background ?? input.run_in_background ?? false,
      ...(agent !== undefined && { agent }),
      ...(input.contextFiles && { contextFiles: input.contextFiles }),
      ...(input.tools && { tools: input.tools }),
      ...(input.model !== undefined && { model: input.model }),
      ...(input.isolation && { isolation: input.isolation }),
      ...(input.name !== undefined && { name: input.name }),
      ...(input.outputSchema && { outputSchema: input.outputSchema as JsonObject }),
      ...(input.summarize !== undefined && { summarize: input.summarize }),
      ...(input.fork && { fork: input.fork }),
    });
  },
});

type Named = { readonly agent?: string; readonly subagent_type?: string; readonly type?: string };
const agentIn = ({ agent, subagent_type: claudes, type }: Named): string | undefined => agent ?? claudes ?? type;

/** What rules about agents are matched with. */
export const spawnReach = (agent: string | undefined): Reach => ({ may: "spawn", agent: agent ?? DEFAULT_AGENT });

export async function spawnAndReport(
  { spawner, call, again, signal }: Pick<ToolWorld, "spawner" | "call" | "again" | "signal">,
  request: SpawnRequest,
): Promise<ToolOutcome | LeftOpen> {
  if (!spawner) return refused("this agent may not have children");
  const spawned = await spawner.spawn(request, call, again, signal);
  const note = spawnNotes(spawned.notes ?? []);
  switch (spawned.is) {
    case "refused":
      return refused(spawned.problem);
    case "halted":
      return "left open";
    case "started": {
      const { path, session } = spawned.child;
      return {
        ok: true,
        said: [text(`${note}[child ${path} (${session}) runs in the background; its report will come by itself]`)],
      };
    }
    case "ended": {
      const said = [text(`${note}${childReport(spawned.result)}`)];
      return spawned.result.status === "succeeded" ? { ok: true, said } : { ok: false, why: "failed", said };
    }
  }
}

/** In what children are not what was asked for, each thing once, before their reports. */
export const spawnNotes = (notes: readonly string[]): string =>
  [...new Set(notes)].map((note) => `[${note}]\n`).join("");

const refused = (problem: string): ToolOutcome => ({
  ok: false,
  why: "failed",
  said: [text(`No child was started: ${problem}.`)],
});
