// What a run is asked for with, and what can be done with it while it goes on.
import type { FunctionHooks } from "../core/hooks/hook-set.ts";
import type { Budget, Mode, StreamEvent } from "../core/events.ts";
import type { SessionId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import type { Message } from "../core/messages.ts";
import type { RunResult } from "../core/run-result.ts";
import type { TreeState } from "../core/tree-state.ts";
import type { Halt } from "../engine/loop/run.ts";
import type { Controls } from "../engine/runs/controls.ts";
import type { Person } from "../ports/person.ts";
import type { Embedded } from "./embedded.ts";
import type { Wishes } from "./session-plan.ts";

export type RunOptions = Wishes & {
  /** Go on with this session; otherwise a new one begins. */
  readonly resume?: SessionId;
  /** The child of a resumed session that the prompt is for; its lead goes on with what comes of it. */
  readonly child?: SessionId;
  /** The person trusts the folder for this run. */
  readonly trust?: boolean;
  /** Who answers when something asks; left out, nobody is there. */
  readonly person?: Person;
  /** Agents for this run, as JSON. */
  readonly agents?: string;
  /** Agents from files, each NAME=FILE. */
  readonly agentTypes?: readonly string[];
  /** Of the program that embeds us, for this run. */
  readonly embedded?: Embedded;
  /** Instead of a prompt, for an agent that leads and has an input schema. */
  readonly input?: JsonObject;
  /** Functions that step in, as commands in the configuration do. */
  readonly hooks?: FunctionHooks;
  /** The agent that leads; left out, Sous's own lead. A session that is resumed keeps the one it was begun with. */
  readonly agent?: string;
  /** Children that run at one time; the rest wait. */
  readonly maxConcurrent?: number;
  readonly trigger: string;
};

export type Watcher = {
  /** Every event of the tree, from the first this run records. */
  event?(event: StreamEvent): void;
  /** A sentence for the person: damage found, trouble with the disk. */
  notice?(words: string): void;
};

export type Command =
  | { readonly type: "message"; readonly text: string; readonly how: "steer" | "follow-up" }
  | { readonly type: "mode"; readonly mode: Mode }
  /** What is not named stays. */
  | { readonly type: "budget"; readonly budget: Budget }
  | { readonly type: "hand-in"; readonly halt: Halt }
  | { readonly type: "stop"; readonly halt: Halt };

export type LiveRun = {
  readonly session: SessionId;
  readonly result: Promise<RunResult>;
  /** How the child that was spoken to ended, once its lead has; left out where the lead itself was. */
  readonly childResult?: Promise<RunResult | undefined>;
  snapshot(): TreeState;
  /** What the lead's model was shown and said, without secrets. */
  messages(): readonly Message[];
  events(listener: (event: StreamEvent) => void): () => void;
  send(command: Command): Promise<void>;
  /** What can be done with each session of its tree: speak to it, interrupt, stop, resume, fork, send to the background. */
  readonly controls: Controls;
};

/** An open session: one run after the other, until it is closed. */
export type Conversation = {
  readonly session: SessionId;
  readonly model: string;
  /** What a session that is resumed without words is told; undefined where it simply goes on. */
  readonly firstPrompt: string | undefined;
  /** Without words it goes on where it was. */
  start(prompt?: string): Promise<LiveRun>;
  changeMode(mode: Mode): Promise<void>;
  /** What can be done with each session of its tree. */
  readonly controls: Controls;
  snapshot(): TreeState;
  close(): Promise<void>;
};
