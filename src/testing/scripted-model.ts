// A model in this process that does what its script says: for tests that need no wire.
import { setTimeout as sleep } from "node:timers/promises";
import type { CallId } from "../core/ids.ts";
import { isObject, type Json, type JsonObject } from "../core/json.ts";
import type { ReplyPart } from "../core/messages.ts";
import type { Model, ModelPart, ModelRequest, Reply } from "../ports/model.ts";
import { scriptedFault } from "./scripted-fault.ts";
import { planReply, type PlannedCall, type PlannedReply } from "./wire-server/planned-reply.ts";
import type { Break, Pace, Step } from "./wire-server/step.ts";
import { unmet } from "./wire-server/unmet.ts";
import { deepFreeze } from "./wire-server/wire-request.ts";

export interface ScriptedModel extends Model {
  /** Every request so far, as it was when it came. */
  readonly requests: readonly ModelRequest[];
  /** Throws when a call was not expected, or a step is left over. */
  finish(): void;
}

export type ScriptedModelOptions = {
  readonly id?: string;
  readonly chunkSize?: number;
  /** How to wait where the script is slow; a fake clock's `sleep` fits. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};

export function scripted(steps: readonly Step[], options: ScriptedModelOptions = {}): ScriptedModel {
  const { id = "scripted/model", chunkSize = 12, sleep: wait = realSleep } = options;
  const requests: ModelRequest[] = [];
  const unexpected: string[] = [];
  if (steps.some((step) => typeof step.expect === "function"))
    throw new Error("An expectation that is a function is written for the wire server.");
  const [provider = id, name = id] = id.split("/", 2);

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    signal.throwIfAborted();
    const number = requests.push(
      deepFreeze(structuredClone(request) as unknown as JsonObject) as unknown as ModelRequest,
    );
    const step = steps[number - 1];
    const problem = step
      ? unmet(step.expect, { model: name, text: JSON.stringify(request) })
      : `the script has ${steps.length} steps`;
    if (!step || problem) {
      const message = `call ${number} was not expected: ${problem}`;
      unexpected.push(message);
      throw scriptedFault({ code: "script", message });
    }
    if (step.type !== "reply") throw scriptedFault(step);
    const planned = planReply(step.reply, name, chunkSize);
    yield* withPace(step, planned, signal, wait);
    yield { type: "reply", reply: replyOf(planned, provider, number) };
  }

  return {
    id,
    provider,
    requests,
    stream,
    finish: () => {
      const left = steps.slice(requests.length).map((step) => `left over: ${JSON.stringify(step).slice(0, 160)}`);
      const found = [...unexpected, ...left];
      if (found.length > 0) throw new Error(`The script did not fit what happened:\n  ${found.join("\n  ")}`);
    },
  };
}

async function* withPace(
  { pace = {}, breaks }: { pace?: Pace; breaks?: Break },
  planned: PlannedReply,
  signal: AbortSignal,
  wait: NonNullable<ScriptedModelOptions["sleep"]>,
): AsyncGenerator<ModelPart> {
  if (pace.headersAfterMs) await wait(pace.headersAfterMs, signal);
  yield { type: "connected" };
  const parts = deltas(planned);
  const perDelta = pace.perDeltaMs ?? pace.byteEveryMs;
  const stop = breaks ? Math.min(breaks.afterDeltas, parts.length) : -1;
  for (const [n, part] of [...parts, undefined].entries()) {
    if (breaks && n === stop) yield* broken(breaks, signal, wait);
    if (!part) return;
    const pause = n === 0 ? (pace.firstTokenAfterMs ?? perDelta) : perDelta;
    if (pause) await wait(pause, signal);
    signal.throwIfAborted();
    yield part;
  }
}

async function* broken(
  breaks: Break,
  signal: AbortSignal,
  wait: NonNullable<ScriptedModelOptions["sleep"]>,
): AsyncGenerator<ModelPart> {
  if (breaks.how !== "stalls") throw scriptedFault(breaks);
  const { forMs = Number.POSITIVE_INFINITY, pingEveryMs } = breaks;
  for (let waited = 0; waited < forMs;) {
    const next = Math.min(pingEveryMs ?? 2 ** 30, forMs - waited);
    await wait(next, signal);
    waited += next;
    if (pingEveryMs) yield { type: "alive" };
  }
  if (!breaks.thenFinish) throw scriptedFault({ ...breaks, how: "cut" });
}

function deltas({ thinks, says, refusal, calls }: PlannedReply): ModelPart[] {
  return [
    ...(thinks?.pieces ?? []).map((text): ModelPart => ({ type: "reasoning", text })),
    ...[says, refusal].flatMap((text) =>
      (text?.pieces ?? []).map((piece): ModelPart => ({ type: "text", text: piece })),
    ),
    ...calls.flatMap((call) => call.pieces.map((): ModelPart => ({ type: "working" }))),
  ];
}

function replyOf(planned: PlannedReply, provider: string, number: number): Reply {
  const { thinks, says, refusal, usage } = planned;
  const content: ReplyPart[] = [
    ...(thinks
      ? [{ type: "reasoning", text: thinks.text, by: provider, opaque: { signature: `signed-${number}` } } as const]
      : []),
    ...[says, refusal].flatMap((said) => (said ? [{ type: "text", text: said.text } as const] : [])),
    ...planned.calls.map((call, n) => callPart(call, `call-${number}-${n + 1}`)),
  ];
  return {
    content,
    finish: planned.finish,
    usage: {
      inputTokens: usage.input,
      outputTokens: usage.output,
      cacheReadTokens: usage.cacheRead,
      cacheWriteTokens: usage.cacheWrite,
    },
    model: planned.model,
  };
}

function callPart({ tool, raw, input, id }: PlannedCall, fallback: string): ReplyPart {
  const call = (id ?? fallback) as CallId;
  if (isInput(input)) return { type: "call", call, tool, input };
  const problem = input === undefined ? "the arguments are not JSON" : "the arguments are not an object";
  return { type: "bad-call", call, tool, raw, problem };
}

const isInput = (input: Json | undefined): input is JsonObject => isObject(input);
const realSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
