// The history a forked session begins with: all of another's, or its last turns, whole enough to be sent to a model.
import type { AssistantMessage, Message } from "./messages.ts";

/** `turns` counts model calls; the part begins at the message of a user before them. */
export function forkHistory(messages: readonly Message[], turns?: number): readonly Message[] {
  const whole = withoutOpenCalls(messages);
  if (turns === undefined) return whole;
  let left = turns;
  let at = whole.length;
  while (at > 0 && left > 0) if (whole[--at]?.role === "assistant") left--;
  while (at > 0 && whole[at]?.role !== "user") at--;
  return whole.slice(at);
}

/** Calls that have no results yet are nothing to build on; what was said beside them stays. */
function withoutOpenCalls(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || !last.content.some(({ type }) => type === "call" || type === "bad-call"))
    return messages;
  const content: AssistantMessage["content"] = last.content.filter(({ type }) => type === "text");
  return [...messages.slice(0, -1), ...(content.length > 0 ? [{ ...last, content }] : [])];
}
