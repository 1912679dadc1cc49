// The person an agent works for, when one is there.
import type { AgentPath, ItemId } from "../core/ids.ts";
import type { ApprovalAsked, Seen } from "../core/inbox.ts";
import type { Question } from "./inbox.ts";

/** What is asked: the exact call, who makes it, and why it is asked. */
export type Approval = ApprovalAsked & Asker;
/** Who asks, what it was given to do, and by which item of the inbox. */
export type Asker = {
  readonly path: AgentPath;
  readonly agent: string;
  readonly task?: string;
  readonly item: ItemId;
};
/** `seen`: when it was shown and when the answer was typed; an answer that is older than its question is asked again. */
export type Decision =
  /** `always`: and what the approval offers is allowed for good in its project; where it offers nothing, just this call. */
  | { readonly allow: true; readonly always?: true; readonly seen?: Seen }
  /** The reason goes to the model, and nothing runs. */
  | { readonly allow: false; readonly reason: string; readonly seen?: Seen };

/** The agent whose next action the person gives. */
export type Driven = Asker;

export interface Person {
  /** The signal ends it when it was answered elsewhere: its reason is a `TakenBack`, which says by whom. */
  decide(approval: Approval, signal: AbortSignal): Promise<Decision>;
  /**
   * In human mode: the command that is run as the action of this agent; undefined when the person gives none. Left out,
   * the person cannot drive agents. The signal ends it when the mode was switched, or another terminal gave one.
   */
  act?(driven: Driven, signal: AbortSignal): Promise<string | undefined>;
  /** An agent's question; left out, it is answered elsewhere. */
  reply?(question: Question & Asker, signal: AbortSignal): Promise<string | undefined>;
}
