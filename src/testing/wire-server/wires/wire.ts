// What each of the four wires must be able to say.
import type { Json } from "../../../core/json.ts";
import type { PlannedReply } from "../planned-reply.ts";
import type { Failure, StreamError, WireName } from "../step.ts";

/** One SSE event as it goes out. `delta`: it carries a piece of content, as opposed to framing. */
export type Frame = { readonly sse: string; readonly delta: boolean };

/** What the request asked to be told. */
export type Wants = { readonly usage: boolean; readonly proof: boolean };

/** One side's words in a request's history, the texts of neighbouring messages of one side together. */
export type Turn = { readonly by: "model" | "user"; readonly text: string };

export interface Wire {
  readonly name: WireName;
  /** The end of a path that is spoken in this wire. */
  readonly path: RegExp;
  readonly headers: (number: string) => Readonly<Record<string, string>>;
  model(path: string, body: Body): string;
  wants(body: Body): Wants;
  history(body: Body): Turn[];
  /** What the real service would not take in this history, or undefined. */
  invalid(body: Body): string | undefined;
  /** Ids carry NUMBER where the reply's number goes, so that frames can be kept and used again. */
  frames(reply: PlannedReply, wants: Wants): Frame[];
  failure(failure: Failure): { status: number; body: Json; headers: Readonly<Record<string, string>> };
  streamError(error: StreamError, sent: number): string;
  readonly ping: string;
}

export type Body = { readonly [key: string]: Json | undefined };

/** Stands for the number of a reply; of a kind that no script contains. */
export const NUMBER = "\uE000number\uE000";

export const event = (name: string, data: Json): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
export const data = (value: Json): string => `data: ${JSON.stringify(value)}\n\n`;
export const frame = (sse: string): Frame => ({ sse, delta: false });
export const delta = (sse: string): Frame => ({ sse, delta: true });
/** A comment keeps a connection alive on wires that have no ping event. */
export const comment = ": keep-alive\n\n";
