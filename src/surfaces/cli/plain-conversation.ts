// One session at a plain terminal: opened by the first prompt, one run for each further one.
import type { Mode } from "../../core/events.ts";
import type { Host } from "../../host/host.ts";
import type { Command, Conversation, LiveRun, RunOptions } from "../../host/conversation.ts";
import type { LineSource } from "./line-source.ts";
import { createPlainPerson } from "./plain-person.ts";
import { oneLine, plainText } from "./plain-text.ts";
import { type Paint, createPlainView } from "./plain-view.ts";

export type PlainConversation = {
  /** Runs to the end of the answer. */
  ask(prompt: string): Promise<void>;
  changeMode(mode: Mode): Promise<void>;
  /** Ctrl-C: hands in, then stops; false when nothing runs. */
  interrupt(): boolean;
  /** Ends what runs, or is about to, and the conversation with it. */
  stop(because: string, by?: "person" | "system"): void;
  hasEnded(): boolean;
  close(): Promise<void>;
};

export function createPlainConversation(options: {
  readonly host: Host;
  readonly wishes: RunOptions;
  readonly lines: LineSource;
  readonly paint: Paint;
  write(text: string): void;
}): PlainConversation {
  const { host, wishes, lines, paint, write } = options;
  const say = (line: string): void => write(`${line}\n`);
  const view = createPlainView(write, paint);
  let open: Conversation | undefined;
  let running: LiveRun | undefined;
  let busy = false;
  let ended = false;
  /** What was asked for while the session was still opening. */
  let pending: Command | undefined;
  let mode = wishes.mode;
  let handingIn = false;

  const changeMode = async (wanted: Mode): Promise<void> => {
    mode = wanted;
    if (open) await open.changeMode(wanted);
    else say(`mode: ${wanted}`);
  };
  const person = createPlainPerson({ lines, say, changeMode });
  const send = (command: Command): void => {
    if (running) void running.send(command);
    else pending = command;
  };
  const cancel = (type: "stop" | "hand-in", because: string, by = "person"): void =>
    send({ type, halt: { status: "cancelled", by, because } });

  return {
    changeMode,
    hasEnded: () => ended,
    stop(because, by) {
      if (ended) return;
      ended = true;
      cancel("stop", because, by);
    },
    async ask(prompt) {
      busy = true;
      handingIn = false;
      open ??= await host.open(
        { ...wishes, ...(mode && { mode }), prompt, person },
        { event: view, notice: (line) => say(paint.dim(plainText(line))) },
      );
      running = await open.start(prompt);
      if (pending) send(pending);
      pending = undefined;
      const { status, error } = await running.result.finally(() => {
        running = undefined;
        busy = false;
      });
      if (status === "succeeded") return;
      const why = error ? `: ${oneLine(error.message, 300)}; ${oneLine(error.remedy ?? "", 300)}` : "";
      say(paint.red(`${status}${why}`));
    },
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
