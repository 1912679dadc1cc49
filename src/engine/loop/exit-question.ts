// A run that does not end as it has to is put before the person: what they answer is told to it, and it goes on. With
// nobody there it is parked, and the question waits in the inbox.
import type { Ending } from "../../core/end-state.ts";
import type { RunEvent } from "../../core/events.ts";
import { haltedBy } from "../../core/halted.ts";
import { type CallId, inputId } from "../../core/ids.ts";
import { openItems } from "../../core/inbox.ts";
import { text, textOf } from "../../core/messages.ts";
import type { Mark, Run } from "./run.ts";

type Steps<Value> = AsyncGenerator<RunEvent, Value, Mark>;

/** No call of a model's: it stands for the run itself, at this turn. */
const PREFIX = "exit-";

/** Undefined when it was answered. */
export async function* exitQuestion(run: Run, { error }: Ending, signal: AbortSignal): Steps<Ending | undefined> {
  const call = `${PREFIX}${run.state.turns}` as CallId;
  const question = { to: "person", text: `${error?.message ?? "it does not end"}: what now?` } as const;
  const answer = await run.inbox.ask(question, call, signal);
  if (typeof answer === "string") return haltedBy(run.tree, run.state, error?.message ?? "");
  const input = inputId(run.random.uuid());
  yield { type: "input.admitted", input, from: "person", how: "steer", content: [text(answer.text)] };
  return undefined;
}

/** Who speaks to a parked run has answered it. */
export async function* answeredBySpeaking({ state, tree }: Run): Steps<void> {
  const words = state.waiting.find(({ from }) => from === "person");
  const asked = openItems(tree.items, state.path).find(
    ({ session, call }) => session === state.session && call?.startsWith(PREFIX),
  );
  if (words && asked)
    yield { type: "item.answered", item: asked.id, answer: { text: textOf(words.content) }, by: "a person" };
}
