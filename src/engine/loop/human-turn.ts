// A turn in human mode: the person's typed command stands where the model's reply would, and is run as the action.
import type { RunEvent } from "../../core/events.ts";
import type { CallId } from "../../core/ids.ts";
import { PERSON } from "../../core/session-state.ts";
import { noUsage } from "../../core/usage.ts";
import type { Person } from "../../ports/person.ts";
import type { Mark, Run } from "./run.ts";

export async function* humanTurn(run: Run, person: Person, signal: AbortSignal): AsyncGenerator<RunEvent, void, Mark> {
  yield { type: "agent.waiting", for: "person", since: run.clock.now() };
  const command = await person.act(signal);
  // The mode was switched instead: the next round looks again.
  if (command === undefined) return;
  const turn = run.state.turns + 1;
  yield { type: "turn.started", turn, model: PERSON };
  const call = `person-${run.random.uuid()}` as CallId;
  yield {
    type: "assistant.replied",
    turn,
    model: PERSON,
    content: [{ type: "call", call, tool: "Bash", input: { command } }],
    finish: "calls",
    usage: noUsage,
    costUsd: 0,
  };
}
