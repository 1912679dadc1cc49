// The person an agent works for, when one is there.
import type { JsonObject } from "../core/json.ts";
import type { AgentPath } from "../core/ids.ts";
import type { Reach } from "../core/permissions.ts";

/** What is asked: the exact call, who makes it, and why it is asked. */
export type Approval = {
  readonly path: AgentPath;
  readonly tool: string;
  readonly input: JsonObject;
  readonly reach: readonly Reach[];
  readonly because: string;
  /** The rule that would allow it without asking. */
  readonly allowWith: string;
  /** Nothing asks but the mode. */
  readonly byMode?: boolean;
};
export type Decision =
  | { readonly allow: true }
  /** The reason goes to the model, and nothing runs. */
  | { readonly allow: false; readonly reason: string };

export interface Person {
  decide(approval: Approval, signal: AbortSignal): Promise<Decision>;
  /** In human mode: the command the person wants run now; undefined when the mode was switched instead. */
  act(signal: AbortSignal): Promise<string | undefined>;
}
