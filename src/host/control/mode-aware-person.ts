// A person whose question is taken back when the mode is changed from elsewhere and that answers it.
import type { Mode, StreamEvent } from "../../core/events.ts";
import type { Person } from "../../ports/person.ts";
import { linked } from "../../std/abort.ts";

type Observe = (listener: (event: StreamEvent) => void) => () => void;

export function modeAware(person: Person, observe: Observe): Person {
  /** What the person says, or `instead` as soon as the mode is one that answers for them. */
  async function unlessMode<T>(
    answers: (mode: Mode) => boolean,
    instead: T,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const question = linked(signal);
    const takenBack = new Error("the mode was changed");
    const forget = observe((event) => {
      if (event.type === "mode.changed" && answers(event.mode)) question.abort(takenBack);
    });
    try {
      return await ask(question.signal);
    } catch (error) {
      if (error !== takenBack) throw error;
      return instead;
    } finally {
      forget();
      question.unlink();
    }
  }
  const reply = person.reply?.bind(person);
  const act = person.act?.bind(person);
  return {
    ...(reply && { reply }),
    // The inbox takes it back itself.
    ...(act && { act }),
    decide: (approval, signal) =>
      unlessMode(
        (mode) => mode === "yolo" && approval.byMode === true,
        { allow: true },
        signal,
        (own) => person.decide(approval, own),
      ),
  };
}
