// The person an agent works for, when one is there.
import type { AgentPath } from "../core/ids.ts";
import type { ApprovalAsked } from "../core/inbox.ts";
import type { Question } from "./inbox.ts";

/** What is asked: the exact call, who makes it, and why it is asked. */
export type Approval = ApprovalAsked & { readonly path: AgentPath };
export type Decision =
  /** `always`: and what the approval offers is allowed for good in its project; where it offers nothing, just this call. */
  | { readonly allow: true; readonly always?: true }
  /** The reason goes to the model, and nothing runs. */
  | { readonly allow: false; readonly reason: string };

export interface Person {
  /** The signal ends it when it was answered elsewhere. */
  decide(approval: Approval, signal: AbortSignal): Promise<Decision>;
  /** In human mode: the command the person wants run now; undefined when the mode was switched instead. */
  act(signal: AbortSignal): Promise<string | undefined>;
  /** An agent's question; left out, it is answered elsewhere. */
  reply?(question: Question & { readonly path: AgentPath }, signal: AbortSignal): Promise<string | undefined>;
}
