// One session at a plain terminal: opened by the first prompt, one run for each further one.
import type { Mode } from "../../core/events.ts";
import type { Conversation, Host, LiveRun, RunOptions } from "../../host/host.ts";
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
  stop(because: string): void;
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
  let mode = wishes.mode;
  let handingIn = false;

  const changeMode = async (wanted: Mode): Promise<void> => {
    mode = wanted;
    if (open) await open.changeMode(wanted);
    else say(`mode: ${wanted}`);
  };
  const person = createPlainPerson({ lines, say, changeMode });
  const stop = (because: string): void =>
    void running?.send({ type: "stop", halt: { status: "cancelled", by: "person", because } });

  return {
    changeMode,
    stop,
    async ask(prompt) {
      open ??= await host.open(
        { ...wishes, ...(mode && { mode }), prompt, person },
        { event: view, notice: (line) => say(paint.dim(plainText(line))) },
      );
      handingIn = false;
      running = await open.start(prompt);
      const { status, error } = await running.result.finally(() => (running = undefined));
      if (status === "succeeded") return;
      const why = error ? `: ${oneLine(error.message, 300)}; ${oneLine(error.remedy ?? "", 300)}` : "";
      say(paint.red(`${status}${why}`));
    },
    interrupt() {
      if (!running) return false;
      if (handingIn) stop("stopped by the person");
      else {
        say("\nhanding in what there is; Ctrl-C again stops at once");
        const because = "the person asked to hand in";
        void running.send({ type: "hand-in", halt: { status: "cancelled", by: "person", because } });
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
