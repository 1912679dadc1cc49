// What the host gives the engine to make children with.
import type { ChildSettings, Origin, SessionOpened } from "../../core/events.ts";
import type { AgentPath } from "../../core/ids.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Clock, Random } from "../../ports/clock.ts";
import type { SpawnRequest } from "../../ports/spawner.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { RunParts } from "./launch.ts";
import type { InboxKit } from "./tree-inbox.ts";

export type Problem = { readonly problem: string };

/** What a child is to be: all that is recorded of it when it is launched. */
export type ChildDraft = {
  readonly agent: string;
  readonly settings: ChildSettings;
  readonly opened: Pick<
    SessionOpened,
    "protocol" | "capability" | "model" | "binding" | "permissions" | "exit" | "version"
  >;
};

/** The steps of a spawn that the host knows how to do, called in this order; each may refuse. */
export type Making = {
  definition(): Promise<NamedChild | Problem>;
  model(): Promise<Problem | undefined>;
  tools(): Promise<Problem | undefined>;
  /** And where it works, which depends on who it is. */
  permissions(child: Origin): Promise<Problem | undefined>;
  memory(): Promise<Problem | undefined>;
  /** `told` is what hooks have to say to the child. */
  prompt(told: readonly string[]): Promise<Problem | undefined>;
  config(): ChildDraft;
  /** For who spawns it, once all steps are done: in what it is not as its call or its file says. */
  notes(): readonly string[];
};

/** What is known of a child once its definition is. */
export type NamedChild = {
  readonly agent: string;
  readonly cwd: string;
  /** As it was asked for. */
  readonly model: string;
  readonly hooks?: ChildSettings["hooks"];
};

export type TreeLimits = {
  readonly maxConcurrent: number;
  readonly maxDepth: number;
  readonly maxAgents: number;
  /** What happens to a spawn above `maxConcurrent`; left out, it waits. */
  readonly onLimit?: "queue" | "refuse";
  /** How deep the lead itself stands, when an agent of another tree started it. */
  readonly leadDepth?: number;
};

export type ChildParts = Omit<RunParts, "spawner" | "inbox">;

export type SpawnKit = InboxKit & {
  readonly limits: TreeLimits;
  readonly clock: Clock;
  readonly random: Random;
  /** Ends with the tree: what runs in the background hangs on it. */
  readonly treeSignal: AbortSignal;
  /** How long a run that a person interrupted waits for words; left out, for ever. */
  readonly heldMs?: number;
  readonly hooks?: Hooks;
  making(request: SpawnRequest, parent: SessionState): Making;
  /** Made from the child's record alone; `close` ends what the run began. */
  parts(child: SessionState): Promise<{ readonly parts: ChildParts; close(): Promise<void> }>;
  transcriptOf(path: AgentPath): string;
};
