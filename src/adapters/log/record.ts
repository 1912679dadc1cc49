// One record as bytes, and back: what must hold before a line is believed.
import { isUtf8 } from "node:buffer";
import type { Recorded } from "../../core/events.ts";
import { isObject } from "../../core/json.ts";
import { isNewer } from "../../core/newer-format.ts";

/** Longer lines are neither written nor read: they would not fit into one string. */
export const maxLineBytes = 128 * 1024 * 1024;

export type Parsed =
  | { readonly is: "record"; readonly record: Recorded }
  /** `format` where it says that a newer version wrote it. */
  | { readonly is: "bad"; readonly why: string; readonly format?: number };

export function parseRecord(bytes: Uint8Array): Parsed {
  // We write well-formed UTF-8 only; decoding would silently replace what is not.
  if (!isUtf8(bytes)) return bad("not valid UTF-8");
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad(text.includes("\0") ? "zero bytes, as a power loss leaves them" : "not valid JSON");
  }
  if (!isRecord(value)) {
    const format = isObject(value) && isCount(value["v"]) ? value["v"] : 0;
    if (isNewer({ v: format })) return { ...bad(`a record of a newer format (${format})`), format };
    return bad("not a record: an envelope field is missing or of the wrong type");
  }
  return { is: "record", record: value };
}

/** Unknown event types and fields pass: a newer version may have written them, and they are kept as they are. */
export function isRecord(value: unknown): value is Recorded {
  return (
    isObject(value) &&
    isCount(value["v"]) &&
    isCount(value["seq"]) &&
    value["seq"] > 0 &&
    typeof value["time"] === "number" &&
    isCount(value["epoch"]) &&
    typeof value["session"] === "string" &&
    typeof value["path"] === "string" &&
    typeof value["type"] === "string"
  );
}

const bad = (why: string) => ({ is: "bad", why }) as const;
/** Bounded, so that a damaged digit cannot bring counting to its end. */
const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1e14;
