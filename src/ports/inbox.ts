// Where an agent asks and waits for the answer: a person's, or its parent's.
import type { CallId } from "../core/ids.ts";
import type { ApprovalAsked } from "../core/inbox.ts";
import type { Decision } from "./person.ts";

export type Question = {
  readonly to: "person" | "parent";
  readonly text: string;
  readonly options?: readonly string[];
};

/** Nobody is there to answer and nobody else works: the call stays open and is taken up again with its item. */
export type Parked = "parked";

export interface Inbox {
  /** Whether this call may run; asked once, also when the process dies meanwhile. */
  approve(asked: ApprovalAsked, call: CallId, signal: AbortSignal): Promise<Decision | Parked>;
  /**
   * In human mode: the command that the person gives as the action of this call. `switched`: the mode was changed
   * meanwhile; `nobody`: no person can give one.
   */
  command(call: CallId, signal: AbortSignal): Promise<{ readonly text: string } | "switched" | "nobody" | Parked>;
  /** `no answer`: the parent has let it be. */
  ask(question: Question, call: CallId, signal: AbortSignal): Promise<{ readonly text: string } | "no answer" | Parked>;
}
