// What a scripted model does with one request. Plain data, so that a script can also stand in a JSON file; only a
// function given as `expect` cannot.
import type { Json, JsonObject } from "../../core/json.ts";
import type { FaultCode } from "../../core/model-fault.ts";
import type { Usage } from "../../core/usage.ts";
import type { WireRequest } from "./wire-request.ts";

export type WireName = "anthropic" | "openai-chat" | "openai-responses" | "gemini";

/** A tool call. `rawArguments` goes out as it stands, also when it is not JSON. */
export type ScriptedCall = {
  readonly tool: string;
  readonly id?: string;
  readonly input?: JsonObject;
  readonly rawArguments?: string;
};

/** `inputTokens` counts what no cache was involved in, as everywhere in Sous. `reasoningTokens` are part of the output. */
export type ScriptedUsage = Partial<Usage> & { readonly reasoningTokens?: number };

export type ScriptedReply = {
  readonly thinks?: string;
  readonly says?: string;
  /** The model's own words of refusal, where the wire has a place for them. */
  readonly refusal?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: ScriptedUsage;
  /** Left out, it is `calls` when there are calls, otherwise `stop`. */
  readonly finish?: "stop" | "length" | "refused";
  /** The model that answers; otherwise the one that was asked for. */
  readonly model?: string;
  /** Into how many pieces a text is cut; otherwise by the server's `chunkSize`. */
  readonly deltas?: number;
};

/** When things are sent. Without it the whole reply goes out in one write. */
export type Pace = {
  readonly headersAfterMs?: number;
  readonly firstTokenAfterMs?: number;
  readonly perDeltaMs?: number;
  /** Sends single bytes, this far apart. */
  readonly byteEveryMs?: number;
};

/** What goes wrong in the middle of a reply, after so many pieces of content. */
export type Break = { readonly afterDeltas: number } & (
  | { readonly how: "cut" } // the socket is destroyed
  | { readonly how: "ends" } // the body ends properly, without the wire's end event
  | { readonly how: "stalls"; readonly forMs?: number; readonly pingEveryMs?: number; readonly thenFinish: boolean }
  | { readonly how: "errors"; readonly error: StreamError }
  | { readonly how: "garbage"; readonly text: string }
);
/** `type` is the wire's own word; left out, it is the wire's word for being overloaded. */
export type StreamError = { readonly type?: string; readonly message?: string };

/** A failure by its meaning (each wire has its own status and words for it) or by its HTTP status. */
export type Failure = {
  readonly what: number | Named;
  readonly message?: string;
  /** Anthropic's and OpenAI's `error.type`, Gemini's `error.status`. */
  readonly type?: string;
  /** OpenAI's `error.code`. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in place of the wire's own error JSON. */
  readonly body?: Json;
};
export type Named = Extract<
  FaultCode,
  "auth" | "not-found" | "spend" | "too-large" | "overflow" | "bad-request" | "rate-limit" | "overloaded" | "server"
>;

export type Answer =
  | { readonly type: "reply"; readonly reply: ScriptedReply; readonly pace?: Pace; readonly breaks?: Break }
  | { readonly type: "fails"; readonly failure: Failure }
  | { readonly type: "resets" }
  | { readonly type: "html"; readonly body: string }
  | { readonly type: "gzip-bomb"; readonly megabytes: number }
  | { readonly type: "redirects"; readonly to: string; readonly status: number };

/** What a step wants of its request. Texts are looked for in the body. */
export type Expectation = {
  readonly wire?: WireName;
  readonly model?: string;
  readonly contains?: string | readonly string[];
  readonly lacks?: string | readonly string[];
};
/** A predicate says no with `false`, or with a sentence that tells why. */
export type Expect = Expectation | ((request: WireRequest) => boolean | string);

export type Step = Answer & { readonly expect?: Expect };
export type ReplyStep = Extract<Answer, { type: "reply" }> & { readonly expect?: Expect };
