// A turn in human mode: the person's typed command stands where the model's reply would, and is run as the action of
// the agent that is driven, lead or child.
import type { RunEvent } from "../../core/events.ts";
import type { CallId } from "../../core/ids.ts";
import { PERSON } from "../../core/session-state.ts";
import { noUsage } from "../../core/usage.ts";
import type { Parked } from "../../ports/inbox.ts";
import type { Mark, Run } from "./run.ts";

/** `nobody`: no person can type, so the model goes on. After `again` the mode is looked at once more. */
export async function* humanTurn(
  run: Run,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, "acted" | "again" | "nobody" | Parked, Mark> {
  const turn = run.state.turns + 1;
  // The same for the same turn: a command that was given before a crash is still the answer after it.
  const call = `person-${turn}` as CallId;
  const command = await run.inbox.command(call, signal);
  if (command === "switched") return "again";
  if (typeof command === "string") return command;
  yield { type: "turn.started", turn, model: PERSON };
  yield {
    type: "assistant.replied",
    turn,
    model: PERSON,
    content: [{ type: "call", call, tool: "Bash", input: { command: command.text } }],
    finish: "calls",
    usage: noUsage,
    costUsd: 0,
  };
  return "acted";
}
