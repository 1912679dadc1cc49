// A conversation through a pipe: every line is a prompt, but for the first that comes after a question was shown.
import { createInterface } from "node:readline";
import { type Asked, type Console, type Typed, isYes } from "./console.ts";
import { STILL_MS } from "./keyboard.ts";

/** A terminal hands over whole lines: whether a yes was typed before its question was shown cannot be told there. */
const HALF_A_TERMINAL =
  "The output is not a terminal, so a yes that was typed too early could not be told apart: answer with sous inbox in another terminal, or type why not.";

type Streams = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream; readonly fromFile: boolean };

export function createPipeConsole({ input, output, fromFile }: Streams): Console {
  const reader = createInterface({ input, output, terminal: false });
  const endListeners: (() => void)[] = [];
  let prompted: (typed: Typed) => void = () => {};
  let ended = false;
  let label = "";
  let waiting: { open: boolean; give(typed: Typed | undefined): void } | undefined;
  let read: string[] = [];

  /** What came in one read. A terminal gives line by line: several at once were pasted, and are one prompt. */
  const flush = (): void => {
    const lines = input.isTTY && read.length > 1 ? [read.join("\n")] : read;
    const pasted = input.isTTY === true && read.length > 1;
    read = [];
    for (const text of lines) {
      if (waiting?.open && !pasted) waiting.give({ text, pasted });
      else if (text.trim() !== "") prompted({ text, pasted });
    }
  };
  reader.on("line", (line) => {
    if (read.push(line) === 1) queueMicrotask(flush);
  });
  const close = (): void => reader.close();
  // A terminal that was closed cannot be read: that is the end of the input.
  input.on("error", close);
  reader.once("close", () => {
    ended = true;
    queueMicrotask(() => {
      waiting?.give(undefined);
      for (const listener of endListeners) listener();
    });
  });
  /** The label comes once everything that had arrived when the question was shown has been read. */
  const openLater = (question: NonNullable<typeof waiting>, before: string): void => {
    const open = (): void => {
      if (waiting !== question) return;
      question.open = true;
      output.write(before);
    };
    if (input.isTTY) setTimeout(() => setImmediate(open), STILL_MS).unref();
    else setImmediate(() => setImmediate(open));
  };
  return {
    interactive: false,
    print: (text) => void output.write(text),
    label(text) {
      label = text;
      output.write(label);
    },
    onPrompt: (listener) => void (prompted = listener),
    ask({ text, label: before, refuse }: Asked, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      output.write(`${text}\n`);
      if (ended || fromFile) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        const over = (): void => {
          waiting = undefined;
          signal?.removeEventListener("abort", quit);
        };
        const quit = (): void => {
          over();
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", quit, { once: true });
        waiting = {
          open: false,
          give(typed) {
            const hint = typed && ((input.isTTY && isYes(typed) ? HALF_A_TERMINAL : undefined) ?? refuse?.(typed));
            if (hint !== undefined) return void output.write(`${hint}\n${before}`);
            over();
            resolve(typed);
          },
        };
        openLater(waiting, before);
      });
    },
    onInterrupt: () => {},
    onEnd: (listener) => (ended ? listener() : void endListeners.push(listener)),
    close,
  };
}
