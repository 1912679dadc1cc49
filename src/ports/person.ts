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

/** The agent whose next action the person gives. */
export type Driven = { readonly path: AgentPath; readonly agent: string };

export interface Person {
  /** The signal ends it when it was answered elsewhere. */
  decide(approval: Approval, signal: AbortSignal): Promise<Decision>;
  /**
   * In human mode: the command that is run as the action of this agent; undefined when the person gives none. Left out,
   * the person cannot drive agents. The signal ends it when the mode was switched, or another terminal gave one.
   */
  act?(driven: Driven, signal: AbortSignal): Promise<string | undefined>;
  /** An agent's question; left out, it is answered elsewhere. */
  reply?(question: Question & { readonly path: AgentPath }, signal: AbortSignal): Promise<string | undefined>;
}
