// Bash in the bash protocol: the agent's only tool. A command's return code and output are what it is told; two exact
// echoes mean more: one starts a child and gives back its report, one ends the agent with a result.
import { Type } from "typebox";
import {
  type Meaning,
  type Sentinel,
  SPAWN,
  meaningOf,
  nearMiss,
  sentinelOf,
} from "../../core/bash-protocol/sentinel.ts";
import type { JsonObject } from "../../core/json.ts";
import { text, textOf } from "../../core/messages.ts";
import { judgeMessage } from "../../core/results/judge-result.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import { collectBounded } from "../../std/bounded.ts";
import { COMMAND_MS, commandSpec, runCommand } from "./bash.ts";
import { commandReach } from "./command-reach.ts";
import { type LeftOpen, type Tool, type ToolWorld, defineTool } from "./define-tool.ts";
import { describeExit } from "./describe-exit.ts";
import { NO_LIMIT_MS, spawnAndReport } from "./spawn-subagent.ts";
import { handedIn } from "./yield-to-parent.ts";

/** In bytes: the longest task or result. */
const MOST_ECHOED = { head: 192_000, tail: 64_000 } as const;

export const protocolBash = (mayHaveChildren: boolean, outputSchema?: JsonObject): Tool =>
  defineTool({
    name: "Bash",
    description: "Runs a command in a fresh bash.",
    input: Type.Object({ command: Type.String({ minLength: 1 }) }),
    timeoutMs: NO_LIMIT_MS,
    kindOf: ({ command }) => {
      const sentinel = sentinelOf(command);
      return sentinel?.literal ? { repeatable: true, lasting: sentinel.is === "spawn" } : undefined;
    },
    // What speaks only to the harness touches nothing.
    reach: async ({ workspace }, { command }) =>
      sentinelOf(command)?.literal ? [] : [await commandReach(workspace, command)],
    run: ({ spawner, ...world }, { command }) =>
      act({ ...world, ...(mayHaveChildren && spawner && { spawner }) }, command, outputSchema),
  });

async function act(world: ToolWorld, command: string, schema: JsonObject | undefined): Promise<ToolOutcome | LeftOpen> {
  const sentinel = sentinelOf(command);
  const echoed = collectBounded(MOST_ECHOED);
  const spec = commandSpec(world, command, COMMAND_MS);
  const { exit, said, facts } = await runCommand(world, command, spec, (chunk) => sentinel && echoed.write(chunk));
  const meaning = sentinel && exit.code === 0 ? meaningOf(sentinel, echoed.finish().text) : undefined;
  if (meaning?.is === "final" && schema)
    return handedIn(judgeMessage(schema, meaning.output), meaning.output, (told, code) => observation(`${code}`, told));
  if (meaning?.is === "final") return { ok: true, said: [text(observation("0", meaning.output))], ends: meaning };
  if (meaning?.is === "spawn") return spawned(world, meaning);

  const code = exit.code === null || exit.ended ? `none: ${describeExit(exit, spec.timeoutMs)}` : String(exit.code);
  const note = sentinel ? whyNothing(sentinel, meaning) : nearMiss(command, said);
  const whole = [text(observation(code, said, note))];
  if (exit.ended === "aborted") return { ok: false, why: "interrupted", said: whole, facts };
  return exit.code === 0 ? { ok: true, said: whole, facts } : { ok: false, why: "failed", said: whole, facts };
}

async function spawned(
  world: ToolWorld,
  { agent, task }: Extract<Meaning, { is: "spawn" }>,
): Promise<ToolOutcome | LeftOpen> {
  if (agent !== "" && task.trim() === "")
    return failed("No child was started: the task goes on the lines after the name.");
  const outcome = await spawnAndReport(world, { prompt: task, agent, background: false });
  if (outcome === "left open") return outcome;
  const report = textOf(outcome.said);
  if (outcome.ok) return { ...outcome, said: [text(observation("0", report))] };
  const note = agent === "" ? `A spawn needs a name: ${SPAWN}::name` : undefined;
  return { ...outcome, said: [text(observation("1", report, note))] };
}

function whyNothing({ literal }: Sentinel, meaning: Meaning | undefined): string {
  const why = meaning?.is === "nothing" ? meaning.why : "the echo did not end with return code 0";
  const hint = literal
    ? ""
    : " In double quotes the shell runs what stands after $ and between backticks: use single quotes.";
  return `Nothing was started or ended: ${why}.${hint}`;
}

const failed = (said: string): ToolOutcome => ({ ok: false, why: "failed", said: [text(observation("1", said))] });

function observation(code: string, output: string, note?: string): string {
  const end = output === "" || output.endsWith("\n") ? "" : "\n";
  return `<returncode>${code}</returncode>\n<output>\n${output}${end}</output>${note ? `\n<note>${note}</note>` : ""}`;
}
