// `createHost`: where an embedding program's agents run, with what it brings.
import { joinFunctionHooks } from "../core/hooks/function-hooks.ts";
import type { FunctionHooks } from "../core/hooks/hook-set.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { HostError } from "../host/host-error.ts";
import { stateDirOf } from "../host/state-dir.ts";
import type { Config } from "../host/config/schema.ts";
import type { Model } from "../ports/model.ts";
import type { AgentRun } from "./agent-run.ts";
import { type Conversation, type Talk, createConversation } from "./conversation.ts";
import type { Agent } from "./define-agent.ts";
import type { AnyTool, TypeOf } from "./define-tool.ts";
import { createHostLoader } from "./host-loader.ts";
import type { AgentOptions, Task, WatchOptions } from "./options.ts";
import type { PersonCallbacks } from "./person.ts";
import { type Sessions, createSessions } from "./sessions.ts";

/** What holds for all runs of a host. Everything may be left out. */
export type CreateHostOptions = {
  /** Where sessions are kept. Default: `$SOUS_STATE_DIR`, else the state folder of the `sous` command. */
  readonly stateDir?: string;
  /** Where keys, base URLs and the person's folders are looked up. Default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A configuration, or the path of a file with one. Default: the person's own; `{}` for none. */
  readonly config?: Config | string;
  /** Agents of your own, to be run and spawned by name. */
  readonly agents?: readonly Agent[];
  /** Tools of your own, for the lead, and for agents whose definitions name or inherit them. */
  readonly tools?: readonly AnyTool[];
  /** The model where none is named: `provider/model`, an alias, or a model of your own. */
  readonly model?: string | Model;
  /** Further models of your own, found by their ids. */
  readonly models?: readonly Model[];
  /** Who answers when a call asks. */
  readonly person?: PersonCallbacks;
  /** Functions that step in, in every run; those of a run come besides. */
  readonly hooks?: FunctionHooks;
};

/** What to run: an agent on a prompt. */
export type RunAgentOptions<Input extends object = object, Output extends object = object> = AgentOptions<
  Input,
  Output
> &
  WatchOptions & {
    /** What it is asked to do. May be left out where `input` is given or a session is resumed. */
    readonly prompt?: string;
    /** Instead of a prompt, for an agent with an `inputSchema`: checked against it. */
    readonly input?: TypeOf<Input, JsonObject>;
  };

/** Where agents run. Several hosts in one process do not know of each other. */
export type Host = AsyncDisposable & {
  readonly stateDir: string;
  /** Runs an agent once. The same as `runAgent(host, options)`. */
  run<const Input extends object = object, const Output extends object = object>(
    options: RunAgentOptions<Input, Output>,
  ): AgentRun<TypeOf<Output, Json>>;
  /** A session for several prompts, one after the other. */
  open<const Input extends object = object, const Output extends object = object>(
    options?: AgentOptions<Input, Output>,
  ): Conversation<TypeOf<Output, Json>>;
  /** What is recorded in the state folder, also by other processes. */
  readonly sessions: Sessions;
  /** Stops what runs, closes what is open, lets go of kept connections. */
  close(): Promise<void>;
};

/**
 * Where agents run. It touches nothing until the first run: a wrong configuration is told there.
 *
 * It installs no signal handlers, never ends the process and never writes to its standard output or error.
 */
export function createHost(options: CreateHostOptions = {}): Host {
  const { config, agents, tools, model, models, person, hooks } = options;
  const env = options.env ?? process.env;
  const loader = createHostLoader(
    {
      env,
      ...(options.stateDir !== undefined && { stateDir: options.stateDir }),
      ...(typeof config === "string" && { configFile: config }),
      ...(typeof config === "object" && { config }),
    },
    { ...(agents && { agents }), ...(tools && { tools }), ...(model && { model }), ...(models && { models }) },
  );
  const stateDir = stateDirOf(env, options.stateDir);
  const talks = new Set<Talk>();
  let closed = false;

  function begin(wanted: AgentOptions, once: boolean): Talk {
    if (closed) throw new HostError("the host is closed", "usage", "closed");
    const asHost = { ...(person && { person }), ...(typeof model === "string" && !wanted.resume && { model }) };
    const talk = createConversation(
      loader,
      { ...asHost, ...wanted, ...ownHooks(wanted) },
      { once, onClosed: () => talks.delete(talk) },
    );
    talks.add(talk);
    return talk;
  }

  const ownHooks = (wanted: AgentOptions): Pick<AgentOptions, "hooks"> =>
    hooks ? { hooks: joinFunctionHooks([hooks, wanted.hooks]) } : {};

  async function close(): Promise<void> {
    closed = true;
    await Promise.all([...talks].map((talk) => talk.close()));
    await loader.close();
  }

  return {
    stateDir,
    // Safe: what is structured was checked against the schema that its type is made from.
    run: (wanted) => begin(wanted, true).ask(taskIn(wanted), wanted) as never,
    open: (wanted = {}) => begin(wanted, false) as never,
    sessions: createSessions(stateDir),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function taskIn({ prompt, input }: { readonly prompt?: string; readonly input?: unknown }): Task {
  if (prompt !== undefined && input !== undefined)
    throw new HostError("give either prompt or input: both are what the agent is asked", "usage", "invalid-input");
  // Safe: it is checked where the schema is known.
  return input === undefined ? prompt : { input: input as JsonObject };
}
