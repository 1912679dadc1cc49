// Masks an event or a result where it enters the log, an export, the screen or telemetry: every string and every name
// of a field that anybody but the engine made. What the engine made and reads again (ids, states, places) stays, so
// that a key which is an ordinary word does not make a session unreadable.
import { isObject } from "./json.ts";
import type { Mask } from "./mask.ts";

/** The same object when there is nothing to hide. */
export function maskFreeText<T>(mask: Mask, value: T): T {
  return walk(mask, value) as T;
}

/** Fields whose values only the engine makes: its ids and states, and what the person's configuration names. */
const ENGINE_MADE: ReadonlySet<string> = new Set(
  (
    "type session parent run child childPath agent capability protocol binding mode status version trigger from how " +
    "kind finish code by for transcript effort addDirs id item to may approvals tools"
  ).split(" "),
);
/** Free-form data: what its fields are called was said by somebody too. */
const FREE: ReadonlySet<string> = new Set(
  "details structured facts opaque files toolCalls metadata source hooks outputSchema mcpServers".split(" "),
);
const FAILURES: ReadonlySet<unknown> = new Set(["refused", "failed", "interrupted"]);
/** Tools of ours that are long enough to be taken for a secret: their open calls are found again by these names. */
const OWN_TOOLS: ReadonlySet<unknown> = new Set(
  (
    "MultiEdit TodoWrite WebFetch BashOutput KillShell KillBash CodeSearch CodeReview spawn_subagent spawn_foreach " +
    "subagents ask_user ask_parent yield_to_parent request_review orchestrate"
  ).split(" "),
);
const MEDIA: ReadonlySet<unknown> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);
const AGENT_PATH = /^ROOT(?:::S\d{1,9})*$/;
/** Of events that say which model is asked; the name in a reply is the provider's. */
const NAMES_MODEL: ReadonlySet<unknown> = new Set(["session.opened", "settings.changed", "turn.started", undefined]);

function walk(mask: Mask, value: unknown): unknown {
  if (typeof value === "string") return mask.text(value);
  if (Array.isArray(value)) return walkList(mask, value);
  return isObject(value) ? walkFields(mask, value) : value;
}

function walkList(mask: Mask, list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [at, one] of list.entries()) {
    const masked = walk(mask, one);
    if (masked !== one) (copy ??= [...list])[at] = masked;
  }
  return copy ?? list;
}

function walkFields(mask: Mask, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(fields)) {
    const masked = maskField(mask, name, value, fields["type"]);
    if (masked !== value) (copy ??= { ...fields })[name] = masked;
  }
  return copy ?? fields;
}

function maskField(mask: Mask, name: string, value: unknown, type: unknown): unknown {
  switch (name) {
    // A call's input is an object and said by a model; the input of a mailbox is an id.
    case "input":
      return typeof value === "string" ? value : mask.json(value);
    // How a child runs stands under the same name as a child's id.
    case "child":
      return isObject(value) ? walk(mask, value) : value;
    // Of a call it is one of a few words; of a pause it is a sentence.
    case "why":
      return FAILURES.has(value) ? value : walk(mask, value);
    case "tool":
      return OWN_TOOLS.has(value) ? value : walk(mask, value);
    case "call":
      return typeof value === "string" ? maskId(mask, value) : walk(mask, value);
    case "path":
      return typeof value === "string" && AGENT_PATH.test(value) ? value : walk(mask, value);
    // Where an agent's memory lies.
    case "memory":
      return value;
    case "model":
      return NAMES_MODEL.has(type) ? value : walk(mask, value);
    case "mediaType":
      return MEDIA.has(value) ? value : walk(mask, value);
  }
  if (ENGINE_MADE.has(name)) return value;
  return FREE.has(name) ? mask.json(value) : walk(mask, value);
}

/** A provider's id of a call: others refer to it, so that different ones must stay different. */
function maskId(mask: Mask, id: string): string {
  return mask.text(id) === id ? id : `masked-${fingerprint(id)}`;
}

/** FNV-1a, 32 bits: tells ids apart, and gives nothing of them away that could be used. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
