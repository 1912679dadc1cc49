// A scripted reply with everything decided that the script left open: ids, usage, finish, pieces.
import type { Json } from "../../core/json.ts";
import type { Finish } from "../../ports/model.ts";
import type { ScriptedCall, ScriptedReply } from "./step.ts";

export type PlannedCall = {
  readonly tool: string;
  /** As the script names it; otherwise each wire makes its own. */
  readonly id: string | undefined;
  /** The arguments as text, and their pieces as they are streamed. */
  readonly raw: string;
  readonly pieces: readonly string[];
  /** `undefined` when `raw` is not JSON. */
  readonly input: Json | undefined;
};
export type PlannedUsage = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
};
type Text = { readonly text: string; readonly pieces: readonly string[] };

export type PlannedReply = {
  readonly model: string;
  readonly thinks: Text | undefined;
  readonly says: Text | undefined;
  readonly refusal: Text | undefined;
  readonly calls: readonly PlannedCall[];
  readonly finish: Finish;
  readonly usage: PlannedUsage;
};

export function planReply(reply: ScriptedReply, model: string, chunkSize: number): PlannedReply {
  const cut = (text: string): string[] =>
    pieces(text, reply.deltas ? Math.ceil(text.length / reply.deltas) : chunkSize);
  const text = (value: string | undefined): Text | undefined =>
    value === undefined ? undefined : { text: value, pieces: cut(value) };
  const planned = (reply.calls ?? []).map((call) => planCall(call, cut));
  return {
    model: reply.model ?? model,
    thinks: text(reply.thinks),
    says: text(reply.says),
    refusal: text(reply.refusal),
    calls: planned,
    finish:
      reply.finish === undefined || reply.finish === "stop" ? (planned.length > 0 ? "calls" : "stop") : reply.finish,
    usage: {
      input: reply.usage?.inputTokens ?? 100,
      output: reply.usage?.outputTokens ?? 10,
      cacheRead: reply.usage?.cacheReadTokens ?? 0,
      cacheWrite: reply.usage?.cacheWriteTokens ?? 0,
      reasoning: reply.usage?.reasoningTokens ?? 0,
    },
  };
}

function planCall(call: ScriptedCall, cut: (text: string) => string[]): PlannedCall {
  const raw = call.rawArguments ?? JSON.stringify(call.input ?? {});
  return { tool: call.tool, id: call.id, raw, pieces: cut(raw), input: call.input ?? parsed(raw) };
}

function parsed(raw: string): Json | undefined {
  try {
    return raw === "" ? {} : (JSON.parse(raw) as Json);
  } catch {
    return undefined;
  }
}

/** Never cuts a surrogate pair: no provider does. */
function pieces(text: string, size: number): string[] {
  const list: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + Math.max(1, size));
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    list.push(text.slice(at, end));
    at = end;
  }
  return list;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
