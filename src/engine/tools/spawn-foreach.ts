// spawn_foreach: one child for each item of a list, as many at once as there are places; the reports come in order.
import { Type } from "typebox";
import { ITEM_CHARS, childReport } from "../../core/child-report.ts";
import { text } from "../../core/messages.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { Spawned } from "../../ports/spawner.ts";
import { defineTool } from "./define-tool.ts";
import { ISOLATIONS, NO_LIMIT_MS, spawnNotes, spawnReach } from "./spawn-subagent.ts";

const MOST_ITEMS = 500;
/** All reports together: each has an equal share. */
const REPORT_CHARS = 24_000;
const LEAST_CHARS = 2 * ITEM_CHARS;

export const spawnForeach = defineTool({
  name: "spawn_foreach",
  description: "One child for each item; {{item}} in the prompt stands for it. You get all reports, in order.",
  input: Type.Object(
    {
      items: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: MOST_ITEMS }),
      prompt: Type.String({ minLength: 1 }),
      agent: Type.Optional(Type.String()),
      model: Type.Optional(Type.String()),
      isolation: Type.Optional(Type.Enum(ISOLATIONS)),
    },
    { additionalProperties: false },
  ),
  repeatable: true,
  lasting: true,
  parallel: true,
  timeoutMs: NO_LIMIT_MS,
  reach: (_world, { agent }) => [spawnReach(agent)],
  run: async ({ spawner, call, again, signal }, { items, prompt, agent, model, isolation }) => {
    if (!spawner) return { ok: false, why: "failed", said: [text("No child was started: this agent may have none.")] };
    const spawned = await Promise.all(
      items.map((item, at) =>
        spawner.spawn(
          {
            prompt: filled(prompt, item),
            background: false,
            item: at,
            ...(agent !== undefined && { agent }),
            ...(model !== undefined && { model }),
            ...(isolation && { isolation }),
          },
          call,
          again,
          signal,
        ),
      ),
    );
    if (spawned.some((one) => one.is === "halted")) return "left open";
    const share = Math.max(LEAST_CHARS, Math.floor(REPORT_CHARS / items.length));
    const reports = spawned.map((one, at) => `[item ${at + 1}: ${items[at]?.slice(0, 80)}]\n${tell(one, share)}`);
    const said = [text(`${spawnNotes(spawned.flatMap(({ notes = [] }) => notes))}${reports.join("\n\n")}`)];
    const isWhole = spawned.some(
      (one) => one.is === "started" || (one.is === "ended" && one.result.status === "succeeded"),
    );
    return isWhole ? { ok: true, said } : { ok: false, why: "failed", said };
  },
});

/** The item itself may hold anything, also what looks like a pattern. */
const filled = (prompt: string, item: string): string =>
  prompt.includes("{{item}}") ? prompt.replaceAll("{{item}}", () => item) : `${prompt}\n\n${item}`;

function tell(one: Spawned, share: number): string {
  switch (one.is) {
    case "ended":
      return shortened(one.result, share);
    case "started":
      return `[child ${one.child.path} runs in the background; its report will come by itself]`;
    case "halted":
      return `[paused: ${one.why}]`;
    case "refused":
      return `[no child was started: ${one.problem}]`;
  }
}

function shortened(result: RunResult, share: number): string {
  const report = childReport(result);
  if (report.length <= share) return report;
  const whole = result.artifact
    ? `Read ${result.artifact.path} for the whole`
    : `whole transcript: ${result.transcript}`;
  return `${report.slice(0, share)}\n[… ${report.length - share} more characters; ${whole}]`;
}
