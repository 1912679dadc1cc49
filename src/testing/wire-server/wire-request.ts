// A request as it came: kept for the test, never to be changed. The body is parsed and frozen when it is first looked
// at, so that a server that only counts stays light.
import type { Json } from "../../core/json.ts";
import type { WireName } from "./step.ts";
import type { Body, Turn, Wire } from "./wires/wire.ts";

export interface WireRequest {
  /** Counts from 1, in order of arrival. */
  readonly number: number;
  readonly wire: WireName;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The body as it came. */
  readonly text: string;
  /** Bytes of the body. */
  readonly size: number;
  /** Monotonic milliseconds at which the whole request was here. */
  readonly at: number;
  /** The model that was asked for. */
  readonly model: string;
  /** The conversation so far, without system text. */
  readonly history: readonly Turn[];
  /** Counts from 1: which model turn of its conversation this request asks for. */
  readonly turn: number;
  /** The client went away before the answer was complete. */
  readonly aborted: boolean;
}

export type Arrival = {
  readonly number: number;
  readonly wire: Wire;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  readonly aborted: () => boolean;
};

export function wireRequest({ number, wire, path, headers, raw, aborted }: Arrival): WireRequest {
  const at = performance.now();
  let body: Body | undefined;
  const parsed = (): Body => (body ??= deepFreeze(JSON.parse(raw.toString("utf8")) as Body));
  return Object.freeze({
    number,
    wire: wire.name,
    path,
    headers: Object.freeze({ ...headers }),
    size: raw.length,
    at,
    get body() {
      return parsed();
    },
    get text() {
      return raw.toString("utf8");
    },
    get model() {
      return wire.model(path, parsed());
    },
    get history() {
      return wire.history(parsed());
    },
    get turn() {
      return wire.history(parsed()).filter((turn) => turn.by === "model").length + 1;
    },
    get aborted() {
      return aborted();
    },
  });
}

export function deepFreeze<T extends Json | undefined>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part as Json);
  return value;
}
