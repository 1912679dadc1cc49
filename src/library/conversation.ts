// A session of the embedding program: one run after the other with the same agent, until it is closed.
import { taskOfInput } from "../core/agents/task-of-input.ts";
import type { StreamEvent } from "../core/events.ts";
import type { Json } from "../core/json.ts";
import { HostError } from "../host/host-error.ts";
import { promptText } from "../host/prompt-text.ts";
import type { Conversation as OpenConversation, LiveRun } from "../host/conversation.ts";
import { type AgentRun, agentRun } from "./agent-run.ts";
import type { HostLoader } from "./host-loader.ts";
import { type AgentOptions, type Task, type WatchOptions, wishesOf } from "./options.ts";
import { type AgentEvent, createSubAgentView } from "./sub-agent-events.ts";

/** A session that is kept open: each `ask` goes on where the last one ended. */
export type Conversation<Structured = Json> = AsyncDisposable & {
  /** Its id, once its first run has begun: with it, `resume` goes on in another process too. */
  readonly session: string | undefined;
  /** Runs the agent on the next prompt; without one, a session that is resumed goes on. One run at a time. */
  ask(prompt?: string, watch?: WatchOptions): AgentRun<Structured>;
  /** Stops the run under way, if there is one, and lets go of the session. */
  close(): Promise<void>;
};

/** The same for our own use: the task may be the input of an agent. */
export type Talk = Omit<Conversation, "ask"> & { ask(task?: Task, watch?: WatchOptions): AgentRun };

export type ConversationSettings = {
  /** It is closed with the end of its first run. */
  readonly once: boolean;
  onClosed(): void;
};

export function createConversation(
  loader: HostLoader,
  options: AgentOptions,
  { once, onClosed }: ConversationSettings,
): Talk {
  let open: OpenConversation | undefined;
  let current: AgentRun | undefined;
  let watch: ((event: AgentEvent) => void) | undefined;
  let closed = false;
  const notice = (words: string): void => options.onNotice?.(words);
  const view = createSubAgentView((session) => open?.snapshot().sessions.get(session));
  const onEvent = (event: StreamEvent): void => {
    for (const one of view(event)) watch?.(one);
  };

  async function begin(task: Task): Promise<LiveRun> {
    if (open) return open.start(typeof task === "string" ? promptText(task) : task && taskOfInput(task.input));
    const { host, embed } = await loader.load();
    const { agent, agents = [] } = options;
    const brought = { ...options, agents: typeof agent === "object" ? [...agents, agent] : agents };
    const wishes = { ...wishesOf(options, task), embedded: embed(brought) };
    open = await host.open(wishes, { event: onEvent, notice });
    return open.start(open.firstPrompt);
  }

  function ask(task?: Task, watching: WatchOptions = {}): AgentRun {
    if (closed) throw new HostError("the conversation is closed", "usage", "closed");
    if (current) throw new HostError("a run is under way: await it, or send to it", "usage", "closed");
    const run = agentRun(
      (told) => {
        watch = told;
        return begin(task);
      },
      async () => {
        current = undefined;
        if (once) await close();
        watch = undefined;
      },
      watching,
      notice,
    );
    current = run;
    return run;
  }

  async function close(): Promise<void> {
    closed = true;
    const run = current;
    await run?.stop("the conversation was closed").catch(() => {});
    await run?.catch(() => {});
    await open?.close();
    onClosed();
  }

  return {
    get session() {
      return open?.session ?? options.resume;
    },
    ask,
    close,
    [Symbol.asyncDispose]: close,
  };
}
