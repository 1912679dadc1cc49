// What one hook meant, from how it ended: an exit code with JSON or words, a returned value, or a breakdown. Pure.
// Nothing a hook prints can be an error here: what cannot be read is told and decides nothing.
import { type JsonObject, isObject } from "../json.ts";
import type { HookEnd } from "./hook-answer.ts";
import { type HookEvent, canBlock, takesPlainText, tellsModel } from "./hook-events.ts";

export type Permission = "deny" | "ask" | "allow";

export type Meant = {
  readonly permission?: Permission;
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  /** What it holds back; its reason is for the model or the person. */
  readonly block?: string;
  /** For the model. */
  readonly context?: string;
  /** The run is to end, for this reason. */
  readonly stop?: string;
  /** For the person: what the hook says, or what is wrong with it. */
  readonly notes: readonly string[];
};

/** What reaches a model or a person from one hook, at most. */
const MOST_CHARS = 10_000;
const BLOCKING = 2;

export function readAnswer(event: HookEvent, end: HookEnd): Meant {
  if (end.is === "broke") return { notes: [end.why] };
  if (end.is === "returned") return fromValue(event, end.answer, []);
  const { code, stdout, stderr } = end;
  if (code === BLOCKING) return blocked(event, stderr.trim() || "it gave no reason");
  const failed = code === 0 ? [] : [`it ended with exit code ${code}${said(stderr)}`];
  const printed = stdout.trim();
  if (!printed.startsWith("{"))
    return { notes: failed, ...(code === 0 && printed !== "" && takesPlainText(event) && { context: cut(printed) }) };
  const parsed = parse(printed);
  // A command that failed is not asked to print JSON as well.
  if (parsed === undefined) return { notes: failed.length > 0 ? failed : ["what it printed is not JSON"] };
  return fromValue(event, parsed, failed);
}

function fromValue(event: HookEvent, value: unknown, told: readonly string[]): Meant {
  if (value === undefined || value === null) return { notes: told };
  if (!isObject(value)) return { notes: [...told, "its answer is not a JSON object"] };
  const notes = [...told];
  const text = (from: Record<string, unknown>, key: string): string | undefined => {
    const found = from[key];
    if (found === undefined || found === null) return undefined;
    if (typeof found === "string") return found.trim() === "" ? undefined : cut(found);
    notes.push(`${key} in its answer is not a text`);
    return undefined;
  };
  const own = isObject(value["hookSpecificOutput"]) ? value["hookSpecificOutput"] : {};
  const message = text(value, "systemMessage");
  if (message !== undefined) notes.push(message);
  const reason = text(own, "permissionDecisionReason") ?? text(value, "reason");
  const context = text(own, "additionalContext");
  const base = { ...(context !== undefined && { context }), ...(reason !== undefined && { reason }) };
  const stop =
    value["continue"] === false ? { stop: text(value, "stopReason") ?? reason ?? "a hook ended the run" } : {};
  const updated = own["updatedInput"];
  if (updated !== undefined && (event !== "PreToolUse" || !isObject(updated)))
    notes.push(
      event === "PreToolUse" ? "updatedInput in its answer is not an object" : "updatedInput counts only in PreToolUse",
    );
  const change = event === "PreToolUse" && isObject(updated) ? { updatedInput: updated as JsonObject } : {};
  const permission = permissionIn(event, value, own);
  if (permission === "unknown") notes.push("its decision is none that is known");
  else if (permission) {
    const because = reason ?? (isObject(own["decision"]) ? text(own["decision"], "message") : undefined);
    return { ...base, ...stop, ...change, permission, ...(because !== undefined && { reason: because }), notes };
  }
  if (value["decision"] === "block") {
    const held = blocked(event, reason ?? "it gave no reason");
    const both = [context, held.context].filter((one) => one !== undefined).join("\n");
    return { ...base, ...stop, ...held, ...(both && { context: both }), notes: [...notes, ...held.notes] };
  }
  return { ...base, ...stop, ...change, notes };
}

/** `decision` of old: approve and block, or the words of a permission. */
function permissionIn(
  event: HookEvent,
  value: Record<string, unknown>,
  own: Record<string, unknown>,
): Permission | "unknown" | undefined {
  if (event !== "PreToolUse" && event !== "PermissionRequest") return undefined;
  const inner = isObject(own["decision"]) ? own["decision"]["behavior"] : undefined;
  const decision = (event === "PreToolUse" ? own["permissionDecision"] : inner) ?? value["decision"];
  if (decision === undefined || decision === null || decision === "defer") return undefined;
  return PERMISSIONS.get(decision) ?? "unknown";
}

const PERMISSIONS: ReadonlyMap<unknown, Permission> = new Map([
  ["allow", "allow"],
  ["approve", "allow"],
  ["ask", "ask"],
  ["deny", "deny"],
  ["block", "deny"],
]);

function blocked(event: HookEvent, words: string): Meant {
  const reason = cut(words);
  if (event === "PreToolUse" || event === "PermissionRequest") return { permission: "deny", reason, notes: [] };
  if (canBlock(event)) return { block: reason, notes: [] };
  if (tellsModel(event)) return { context: reason, notes: [] };
  return { notes: [`it blocks, which ${event} cannot be: ${reason}`] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const said = (stderr: string): string => (stderr.trim() === "" ? "" : `: ${cut(stderr.trim(), 300)}`);
const cut = (text: string, most = MOST_CHARS): string =>
  text.length <= most ? text : `${text.slice(0, most)}\n[… ${text.length - most} characters left out]`;
