// One session, line by line: opened by the first prompt; what is typed while it works is read before its next step.
import type { Mode, StreamEvent } from "../../../core/events.ts";
import { type AgentPath, ROOT } from "../../../core/ids.ts";
import { presentTask } from "../../../core/session-state.ts";
import type { Command, Conversation, LiveRun, RunOptions } from "../../../host/conversation.ts";
import type { Host } from "../../../host/host.ts";
import { promptText } from "../../../host/prompt-text.ts";
import { oneLine, plainText } from "../plain-text.ts";
import { type Paint, createPlainView } from "../plain-view.ts";
import type { Console } from "./console.ts";
import { createConsolePerson } from "./person.ts";
import type { Who } from "./question-text.ts";

export type LineConversation = {
  /** Shows that it listens, and who does. */
  invite(): void;
  /** A prompt, or words for the run under way. */
  speak(text: string): void;
  changeMode(mode: Mode): Promise<void>;
  /** Ctrl-C: hands in, then stops; false when nothing runs. */
  interrupt(): boolean;
  /** Nothing more is taken; what runs, or is about to, ends. */
  stop(because: string, by?: "person" | "system"): void;
  /** The person ends it. */
  leave(): void;
  /** When nothing more is to be done. Rejects when a session could not be opened. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

export type LineConversationOptions = {
  readonly host: Host;
  readonly wishes: RunOptions;
  readonly console: Console;
  readonly paint: Paint;
  /** How the session stands before it is opened. */
  readonly before: { readonly agent: string; readonly mode: Mode };
};

export function createLineConversation(options: LineConversationOptions): LineConversation {
  const { host, wishes, console, paint } = options;
  const say = (line: string): void => console.print(`${line}\n`);
  let { agent, mode } = options.before;
  let open: Conversation | undefined;
  let running: LiveRun | undefined;
  let busy = false;
  let handingIn = false;
  let over = false;
  /** What was asked for while the session was still opening. */
  let pending: Command | undefined;
  let chosen: Mode | undefined;
  const waiting: string[] = [];
  const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();

  const invite = (): void => {
    if (console.interactive || !busy) console.label(`${plainText(agent)} ${mode}> `);
  };
  const whoIs = (path: AgentPath): Who => {
    const found = [...(open?.snapshot().sessions.values() ?? [])].find((session) => session.path === path);
    const name = found?.opened?.child?.name;
    return {
      path,
      agent: found?.opened?.agent ?? "",
      ...(name !== undefined && { name }),
      ...(found && { task: presentTask(found) }),
    };
  };
  const view = createPlainView(console.print, paint, whoIs);
  const changeMode = async (wanted: Mode): Promise<void> => {
    chosen = wanted;
    if (open) return open.changeMode(wanted);
    mode = wanted;
    say(`mode: ${wanted}`);
    invite();
  };
  const stop = (because: string, by?: "person" | "system"): void => {
    if (over) return;
    over = true;
    if (busy) cancel("stop", because, by);
    else end();
  };
  const leave = (): void => {
    stop("the person has left");
    console.close();
  };
  const person = createConsolePerson({ console, whoIs, changeMode, leave });
  const watch = (event: StreamEvent): void => {
    if (event.type === "mode.changed") mode = event.mode;
    if (event.type !== "item.answered" || !person.isAsked(event.path)) view(event);
    if (event.type === "mode.changed") invite();
  };
  const send = (command: Command): void => {
    if (running) void running.send(command);
    else pending = command;
  };
  const cancel = (type: "stop" | "hand-in", because: string, by = "person"): void =>
    send({ type, halt: { status: "cancelled", by, because } });

  async function opened(prompt: string): Promise<Conversation> {
    if (open) return open;
    const given = { ...wishes, ...(chosen && { mode: chosen }), prompt, person };
    open = await host.open(given, { event: watch, notice: (line) => say(paint.dim(plainText(line))) });
    const snapshot = open.snapshot();
    mode = snapshot.mode;
    agent = snapshot.sessions.get(open.session)?.opened?.agent ?? agent;
    invite();
    return open;
  }

  /** One run after the other, until nothing waits for a further one. */
  async function work(first: string): Promise<void> {
    busy = true;
    for (let prompt: string | undefined = first; ;) {
      handingIn = false;
      const session: Conversation = await opened(prompt ?? "");
      running = await session.start(prompt === undefined ? undefined : promptText(prompt));
      if (pending) send(pending);
      pending = undefined;
      if (console.interactive) for (const text of waiting.splice(0)) await steer(text);
      const { status, error } = await running.result.finally(() => (running = undefined));
      const why = error ? `: ${oneLine(error.message, 300)}; ${oneLine(error.remedy ?? "", 300)}` : "";
      if (status !== "succeeded") say(paint.red(`${status}${why}`));
      if (over) break;
      prompt = waiting.shift();
      // What came too late for the run that has just ended is what the next is about.
      if (prompt === undefined && (status !== "succeeded" || !leftOver(session))) break;
    }
    busy = false;
    if (over) return end();
    if (!console.interactive) invite();
  }

  const leftOver = (session: Conversation): boolean =>
    (session.snapshot().sessions.get(session.session)?.waiting ?? []).some(({ from }) => from === "person");

  async function steer(text: string): Promise<void> {
    await running?.send({ type: "message", text: promptText(text), how: "steer" });
    // It may have read it already.
    if (open && leftOver(open)) say(paint.dim(`(${ROOT} ${plainText(agent)} reads it before its next step)`));
  }

  return {
    ended,
    invite,
    changeMode,
    speak(text) {
      if (over) return;
      if (!busy) return void work(text).catch(fail);
      if (!console.interactive || !running) waiting.push(text);
      else steer(text).catch(fail);
    },
    stop,
    leave,
    interrupt() {
      if (!busy) return false;
      // Before it runs there is nothing to hand in.
      if (handingIn || !running) cancel("stop", "stopped by the person");
      else {
        say("\nhanding in what there is; Ctrl-C again stops at once");
        cancel("hand-in", "the person asked to hand in");
      }
      handingIn = true;
      return true;
    },
    async close() {
      await open?.close();
      if (open) say(paint.dim(`session ${open.session}: sous --plain --resume ${open.session} goes on with it`));
    },
  };
}
