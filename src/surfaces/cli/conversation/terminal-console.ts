// A conversation on a terminal: a row to type in at the foot, questions above it, everything else above them.
import { type Asked, type Console, type Typed, TYPED_NOT_PASTED } from "./console.ts";
import { drawRow, eraseFoot, rowsOf, type Size } from "./foot.ts";
import { cleared, currentLine, type Keyboard, type KeyboardEvent, lookAt, newKeyboard, step } from "./keyboard.ts";
import { plainText } from "../plain-text.ts";
import { type Control, readKeys } from "./read-keys.ts";

type Streams = { readonly input: NodeJS.ReadStream; readonly output: NodeJS.WriteStream };
type Waiting = Asked & {
  readonly id: number;
  /** It does not fit the screen with a row to type in: it was printed, and what others write waits. */
  readonly tall: boolean;
  hint?: string;
  give(typed: Typed | undefined): void;
};

const BRACKETS_ON = "\u001b[?2004h";
const NOT_STOPPED_MS = 100;
const BRACKETS_OFF = "\u001b[?2004l";

export function createTerminalConsole({ input, output }: Streams): Console {
  const listeners = { prompt: (_typed: Typed): void => {}, interrupt: (): void => {}, end: [] as (() => void)[] };
  let board: Keyboard = newKeyboard();
  let label = "";
  let waiting: Waiting | undefined;
  let ids = 0;
  let footRows = 0;
  /** Text that ended in the middle of a line stands on the screen, with no foot below it. */
  let midLine = false;
  /** What cannot be shown yet: half a line while there is a foot, all of it while a tall question waits. */
  let heldBack = "";
  let closed = false;
  let look: NodeJS.Timeout | undefined;
  const write = (text: string): void => void (text !== "" && output.write(text));
  const size = (): Size => ({ columns: output.columns || 80, rows: output.rows || 24 });

  const draw = (): void => {
    if (closed || midLine) return;
    const { columns } = size();
    const block = waiting ? [...(waiting.tall ? [] : [waiting.text]), ...(waiting.hint ? [waiting.hint] : [])] : [];
    const before = waiting && board.question?.open ? waiting.label : label;
    for (const text of block) write(`${text}\n`);
    write(drawRow(before, currentLine(board), columns));
    footRows = block.reduce((rows, text) => rows + rowsOf(text, columns), 1);
  };
  const erase = (): void => {
    write(eraseFoot(footRows));
    footRows = 0;
  };
  const isNeeded = (): boolean => waiting !== undefined || currentLine(board).letters.length > 0;
  const redraw = (): void => {
    erase();
    if (isNeeded() && midLine) {
      write("\n");
      midLine = false;
    }
    if (!isNeeded() && heldBack !== "") {
      write(heldBack);
      midLine = !heldBack.endsWith("\n");
      heldBack = "";
    }
    draw();
  };
  const print = (text: string): void => {
    if (closed) return write(text);
    if (waiting?.tall) return void (heldBack += text);
    const all = heldBack + text;
    const end = isNeeded() ? all.lastIndexOf("\n") + 1 : all.length;
    heldBack = all.slice(end);
    if (end === 0) return;
    erase();
    write(all.slice(0, end));
    midLine = !all.slice(0, end).endsWith("\n");
    draw();
  };

  const happened = (event: KeyboardEvent): void => {
    const { board: next, submitted, tooSoon } = step(board, event);
    board = next;
    if (tooSoon && waiting) waiting.hint = TYPED_NOT_PASTED;
    clearTimeout(look);
    const at = lookAt(board);
    // The timer first, then a look at the input, then this: what had arrived by then was typed before.
    if (at !== undefined)
      look = setTimeout(
        () => setImmediate(() => happened({ type: "looked", at: performance.now() })),
        Math.max(1, at - performance.now() + 1),
      );
    redraw();
    if (submitted?.to === "prompt") {
      print(`${label}${plainText(submitted.text)}\n`);
      listeners.prompt(submitted);
    }
    if (submitted?.to === "question" && submitted.id === waiting?.id) waiting.give(submitted);
  };

  const control = (which: Control): void => {
    if (which === "suspend") return suspend();
    if (which === "end") return void (currentLine(board).letters.length === 0 && close());
    // What is half typed is only cleared, as in a shell.
    if (currentLine(board).letters.length === 0) return listeners.interrupt();
    board = cleared(board);
    redraw();
  };
  const stopReading = readKeys(input, (keys) => {
    const at = performance.now();
    for (const key of keys) {
      if (closed) return;
      if (key.is === "control") control(key.control);
      else happened({ type: "key", key, at });
    }
  });
  const enter = (): void => {
    input.setRawMode(true);
    write(BRACKETS_ON);
    redraw();
  };
  const leave = (): void => {
    erase();
    write(BRACKETS_OFF);
    try {
      input.setRawMode(false);
    } catch {
      // The terminal is gone, and with it the modes that were to be set back.
    }
  };
  const suspend = (): void => {
    leave();
    let away = true;
    const comeBack = (): void => {
      if (away && !closed) enter();
      away = false;
    };
    process.once("SIGCONT", comeBack);
    // The whole job, as the terminal itself would: the launcher may wait for this process.
    process.kill(0, "SIGTSTP");
    // Where nobody could continue it, the kernel does not stop it, and no signal comes.
    setTimeout(comeBack, NOT_STOPPED_MS);
  };
  const close = (): void => {
    if (closed) return;
    // First: setting back the modes of a terminal that is gone is an error of the input, which closes.
    closed = true;
    leave();
    write(heldBack);
    clearTimeout(look);
    stopReading();
    input.pause();
    process.off("exit", leave);
    waiting?.give(undefined);
    for (const listener of listeners.end) listener();
  };
  process.on("exit", leave);
  // A terminal that was closed cannot be read: that is the end of the input.
  input.on("error", close).on("end", close).resume();
  output.on("resize", redraw);
  enter();

  return {
    interactive: true,
    print,
    label(text) {
      label = text;
      redraw();
    },
    onPrompt: (listener) => void (listeners.prompt = listener),
    ask(question, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      if (closed) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        const id = ++ids;
        const over = (answer?: string): void => {
          signal?.removeEventListener("abort", quit);
          const asked = waiting?.tall ? "" : `${question.text}\n`;
          waiting = undefined;
          happened({ type: "withdrawn", id, at: performance.now() });
          // What was asked and answered stays in sight, above what follows.
          print(`${asked}${answer === undefined ? "" : `${question.label}${plainText(answer)}\n`}`);
        };
        const quit = (): void => {
          over();
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", quit, { once: true });
        const { columns, rows } = size();
        const tall = rowsOf(question.text, columns) + 2 > rows;
        if (tall) print(`${question.text}\n`);
        waiting = {
          ...question,
          id,
          tall,
          give(typed) {
            const hint = typed && question.refuse?.(typed);
            if (hint !== undefined && waiting) {
              waiting.hint = hint;
              return redraw();
            }
            over(typed?.text);
            resolve(typed);
          },
        };
        happened({ type: "asked", id, at: performance.now() });
      });
    },
    onInterrupt: (listener) => void (listeners.interrupt = listener),
    onEnd: (listener) => (closed ? listener() : void listeners.end.push(listener)),
    close,
  };
}
