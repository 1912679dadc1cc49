// A model: one request in, a stream of parts out. Retries, timers and limits are the engine's, around this.
import type { JsonObject } from "../core/json.ts";
import type { Message, ReplyPart } from "../core/messages.ts";
import type { Usage } from "../core/usage.ts";

export type ToolSpec = { readonly name: string; readonly description: string; readonly schema: JsonObject };
export type Effort = "none" | "minimal" | "low" | "medium" | "high" | "max";

export type ModelRequest = {
  readonly system: string;
  /** Objects are never changed once sent: an adapter may keep their wire form by identity. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly effort?: Effort;
  /** Names the conversation, for providers that route caches by a key. */
  readonly cacheKey?: string;
};

/** Why the reply ended. `refused`: the model or a filter declined. `length`: its output limit. */
export type Finish = "stop" | "calls" | "length" | "refused";

export type Reply = {
  readonly content: readonly ReplyPart[];
  readonly finish: Finish;
  readonly usage: Usage;
  /** The model that really answered, as the provider names it. */
  readonly model: string;
};

export type ModelPart =
  | { readonly type: "connected" } // response headers came
  | { readonly type: "alive" } // bytes came that carry nothing of the reply: a ping
  | { readonly type: "working" } // a part of the reply came that is not shown: of a call, of a proof
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "billed"; readonly usage: Usage } // after an abort: what the provider has counted so far
  | { readonly type: "reply"; readonly reply: Reply }; // always last, exactly once, only when complete

export interface Model {
  /** `provider/model`, as asked for. */
  readonly id: string;
  readonly provider: string;
  /** false: a temperature is not sent, because the model would refuse it. */
  readonly takesTemperature?: boolean;
  /** Throws a ModelFault, or the signal's reason when aborted. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}
