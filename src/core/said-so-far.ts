// What an agent has said and called until now, for a parent that looks in on it; the newest when it is long.
import { type Message, textOf } from "./messages.ts";

const MOST_CHARS = 8_000;

export function saidSoFar(messages: readonly Message[]): string {
  const turns = messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    const called = message.content.flatMap((part) => (part.type === "call" ? [`[calls ${part.tool}]`] : []));
    return [textOf(message.content).trim(), ...called].filter((line) => line !== "");
  });
  const whole = turns.join("\n");
  return whole.length <= MOST_CHARS ? whole : `[…]\n${whole.slice(-MOST_CHARS)}`;
}
