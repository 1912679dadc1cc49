// What a provider's wire format has to say: where a request goes, how it reads, and how its answer is understood.
import type { OutgoingHttpHeaders } from "node:http";
import type { ModelPart, ModelRequest, Reply } from "../../ports/model.ts";
import type { Usage } from "../../core/usage.ts";

export type Wire = {
  /** For messages to people: "Anthropic Messages". */
  readonly name: string;
  readonly url: URL;
  /** false: a request's temperature is left out. */
  readonly takesTemperature: boolean;
  headers(key: string | undefined): OutgoingHttpHeaders;
  body(request: ModelRequest): string;
  reader(): WireReader;
};

/** Reads one answer. Throws a ModelFault on an error event. */
export type WireReader = {
  event(data: string, name: string, out: ModelPart[]): void;
  /** The wire's own end has come: nothing after it matters. */
  ended(): boolean;
  /** After the end, of the wire or of the body: the reply, or what is missing to be one. */
  reply(): Reply | { readonly missing: string };
  /** What the provider has told so far, for attempts that fail. */
  usage(): Usage | undefined;
};

const ALIVE: ModelPart = { type: "alive" };

const WORKING: ModelPart = { type: "working" };

/** Something of the reply came that is not shown. */
export function working(out: ModelPart[]): void {
  if (out[out.length - 1] !== WORKING) out.push(WORKING);
}

/** One sign of life is as good as many. */
export function alive(out: ModelPart[]): void {
  if (out.length === 0 || out[out.length - 1] !== ALIVE) out.push(ALIVE);
}
