// Whether a reply asks for the same child twice: the same task for the same agent, and no names to tell them apart. Pure.
import { isSpawnName } from "./agents/may-spawn.ts";
import type { CallId } from "./ids.ts";
import type { CallPart, Message } from "./messages.ts";
import { effectKey } from "./unknown-calls.ts";

/** An earlier call of the last reply that asks for the same. Decided by the record, so it is the same after a crash. */
export function sameSpawn(messages: readonly Message[], call: CallId): CallId | undefined {
  const last = messages.findLast((message) => message.role === "assistant");
  const calls = last?.content.filter((part) => part.type === "call") ?? [];
  const own = calls.find((part) => part.call === call);
  const first = own && calls.find((part) => keyOf(part) === keyOf(own));
  return first && first.call !== call ? first.call : undefined;
}

function keyOf(part: CallPart): string {
  if (!isSpawnName(part.tool)) return effectKey(part);
  const { prompt, agent, subagent_type, type, name } = part.input;
  return JSON.stringify(["spawn", agent ?? subagent_type ?? type ?? "general-purpose", String(prompt).trim(), name]);
}
