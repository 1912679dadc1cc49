// Makes room in a full context: the older part of the conversation becomes a summary, as one event. The task, the
// files changed and calls of unknown outcome are kept from the record, whatever the summary says.
import type { RunEvent } from "../../core/events.ts";
import { contextTokens, isFull, keptFacts, planCompaction, transcriptOf } from "../../core/context.ts";
import { text, textOf } from "../../core/messages.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { type Usage, costOf, noUsage } from "../../core/usage.ts";
import { fire } from "./hooking.ts";
import { modelCall } from "./model-call.ts";
import type { Mark, Run } from "./run.ts";

/** No known model has a smaller window: below this the table of windows is not even loaded. */
const SURELY_FITS = 24_000;

const INSTRUCTION = `You compact the transcript of a coding agent so that it can go on without the original.
Write what it needs, in this order: the task and the person's wishes; what was found out (files, functions, facts); what was changed or run, with results; what is open and the next step. Short and exact. No preamble.`;

export async function needsRoom(run: Run): Promise<boolean> {
  const tokens = contextTokens(run.state);
  return tokens > SURELY_FITS && isFull(tokens, await run.prices.window());
}

/** Returns whether the context became smaller. `attempt` counts compactions in a row, from 0. */
export async function* compact(
  run: Run,
  attempt: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, boolean, Mark> {
  const tokensBefore = contextTokens(run.state);
  const window = Math.min(await run.prices.window(), Math.max(tokensBefore, SURELY_FITS));
  const plan = planCompaction(run.state.messages, tokensBefore, window, attempt);
  if (!plan) return false;
  const { block } = await fire(run, "PreCompact", { trigger: "auto", custom_instructions: "" }, signal);
  if (block !== undefined) {
    yield { type: "note.added", kind: "hook", text: `a hook held the compaction back: ${block}` };
    return false;
  }
  const { summary, usage } = yield* summarise(run, transcriptOf(plan.replaced, plan.transcriptChars), signal);
  yield {
    type: "context.compacted",
    summary: `The conversation so far was compacted.\n${keptFacts(run.state)}\n<summary>\n${summary}\n</summary>`,
    keep: plan.keep,
    tokensBefore,
    usage,
    costUsd: costOf(usage, await run.prices.priceOf(usage)),
  };
  return true;
}

async function* summarise(
  run: Run,
  transcript: string,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, { summary: string; usage: Usage }, Mark> {
  try {
    const request = {
      system: INSTRUCTION,
      messages: [{ role: "user" as const, content: [text(transcript)] }],
      tools: [],
      maxOutputTokens: 4_000,
    };
    const reply = yield* modelCall(run, request, signal);
    const summary = textOf(reply.content).trim();
    if (summary) return { summary, usage: reply.usage };
    return { summary: transcriptOf([{ role: "user", content: [text(transcript)] }], 4_000), usage: reply.usage };
  } catch (error) {
    if (!(error instanceof ModelFault)) throw error;
    // Better a rough cut than a run that cannot go on.
    return { summary: transcriptOf([{ role: "user", content: [text(transcript)] }], 4_000), usage: noUsage };
  }
}
