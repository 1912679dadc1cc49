// Lines typed by a person, one question at a time. Lines typed ahead wait; the end of the input ends every question.
import { createInterface } from "node:readline";

export type LineSource = {
  /** undefined when the input has ended. Rejects with the signal's reason. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined>;
  onInterrupt(listener: () => void): void;
  onEnd(listener: () => void): void;
  close(): void;
};

export function createLineSource(input: NodeJS.ReadStream, output: NodeJS.WriteStream): LineSource {
  const reader = createInterface({ input, output, terminal: input.isTTY === true && output.isTTY === true });
  const typed: string[] = [];
  const endListeners: (() => void)[] = [];
  let ended = false;
  let waiting: ((line: string | undefined) => void) | undefined;
  const close = (): void => {
    try {
      reader.close();
    } catch {
      // The terminal is gone, and with it the modes that were to be set back.
      reader.emit("close");
    }
  };
  // A terminal that was closed cannot be read: that is the end of the input.
  input.on("error", close);
  const give = (line: string | undefined): void => {
    const take = waiting;
    waiting = undefined;
    take?.(line);
  };
  reader.on("line", (line) => {
    if (waiting) give(line);
    else typed.push(line);
  });
  reader.once("close", () => {
    ended = true;
    give(undefined);
    for (const listener of endListeners) listener();
  });
  return {
    ask(question, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      reader.setPrompt(question);
      if (!ended) reader.prompt(true);
      const next = typed.shift();
      if (next !== undefined || ended) return Promise.resolve(next);
      return new Promise((resolve, reject) => {
        const quit = (): void => {
          waiting = undefined;
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", quit, { once: true });
        waiting = (line) => {
          signal?.removeEventListener("abort", quit);
          resolve(line);
        };
      });
    },
    onInterrupt: (listener) =>
      void reader.on("SIGINT", () => {
        // What is half typed is only cleared, as in a shell.
        if (reader.line === "") return listener();
        output.write("\n");
        reader.write(null, { ctrl: true, name: "u" });
        reader.prompt();
      }),
    onEnd: (listener) => (ended ? listener() : void endListeners.push(listener)),
    close,
  };
}
