// Who gets what is typed: the prompt, or the question on the screen. A question takes the keyboard only after it was
// shown and the keyboard has been still for a moment; what was typed until then stays at the prompt. Pure: events with
// their times in, the next state and what was submitted out.
import { assertNever } from "../../../std/assert-never.ts";
import { EMPTY, edited, insert, type Key, lineOf, lineText, type TypedLine } from "./typed-line.ts";

/** Nobody reads a question and answers it sooner; a person who is typing something else does not pause so long. */
export const STILL_MS = 300;
/** Nobody presses two keys sooner one after the other: what comes so is a paste, marked as one or not. */
export const PASTE_MS = 20;

export type KeyboardEvent =
  | { readonly type: "key"; readonly key: Key; readonly at: number }
  /** The question is on the screen. */
  | { readonly type: "asked"; readonly id: number; readonly at: number }
  /** It waits for no answer any more, answered or not. */
  | { readonly type: "withdrawn"; readonly id: number; readonly at: number }
  /** Everything that had arrived by now was given before this. */
  | { readonly type: "looked"; readonly at: number };

export type Submitted =
  | { readonly to: "prompt"; readonly text: string; readonly pasted: boolean }
  | { readonly to: "question"; readonly id: number; readonly text: string; readonly pasted: boolean };

/** `tooSoon`: at a question, Enter came with the text, as in a paste, and is no answer. */
export type Stepped = { readonly board: Keyboard; readonly submitted?: Submitted; readonly tooSoon?: true };

export type Keyboard = {
  /** What is being typed at the prompt; it waits while a question has the keyboard. */
  readonly draft: TypedLine;
  readonly question?: {
    readonly id: number;
    /** It has the keyboard. */
    readonly open: boolean;
    readonly answer: TypedLine;
  };
  /** A question has just ended: Enter may still be meant for it, and sends nothing. */
  readonly settling: boolean;
  /** The last key, or the last change of what is on the screen. */
  readonly restless: number;
  readonly history: readonly string[];
  /** Which of them is shown, counted from the newest. */
  readonly recalled: number;
};

export const newKeyboard = (): Keyboard => ({
  draft: EMPTY,
  settling: false,
  restless: -Infinity,
  history: [],
  recalled: 0,
});

export function step(board: Keyboard, event: KeyboardEvent): Stepped {
  const { question } = board;
  switch (event.type) {
    case "key":
      return pressed(board, event.key, event.at);
    case "asked":
      return { board: { ...board, question: { id: event.id, open: false, answer: EMPTY }, restless: event.at } };
    case "withdrawn": {
      if (question?.id !== event.id) return { board };
      const { question: _ended, ...rest } = board;
      return { board: { ...rest, settling: true, restless: event.at } };
    }
    case "looked": {
      if (event.at - board.restless < STILL_MS) return { board };
      const open = question && { question: { ...question, open: true } };
      return { board: { ...board, ...open, settling: false } };
    }
    default:
      return assertNever(event);
  }
}

/** When it is worth looking again; undefined: only a key or a question changes anything. */
export const lookAt = ({ question, settling, restless }: Keyboard): number | undefined =>
  settling || (question && !question.open) ? restless + STILL_MS : undefined;

/** The line that gets the next key. */
export const currentLine = ({ question, draft }: Keyboard): TypedLine => (question?.open ? question.answer : draft);

/** Ctrl-C on a line that is not empty: only that goes. */
export const cleared = (board: Keyboard): Keyboard => withLine(board, EMPTY);

function pressed(before: Keyboard, key: Key, at: number): Stepped {
  const board = { ...before, restless: at };
  const line = currentLine(board);
  if (key.is !== "enter") return { board: typed(board, line, key) };
  const { question } = board;
  if (question?.open) {
    // Part of a paste, or of what was typed blindly. A word is soon typed again; more is kept, to be sent by an Enter.
    if (at - before.restless < PASTE_MS) {
      const kept = lineText(line).trim().includes(" ") ? insert(line, "\n", true) : EMPTY;
      return { board: withLine(board, kept), tooSoon: true };
    }
    const { pasted } = line;
    return { board: cleared(board), submitted: { to: "question", id: question.id, text: lineText(line), pasted } };
  }
  if (board.settling || lineText(line).trim() === "") return { board };
  const text = lineText(line);
  const history = [...board.history.filter((one) => one !== text), text].slice(-MOST_HISTORY);
  const pasted = line.pasted || at - before.restless < PASTE_MS;
  return { board: { ...board, draft: EMPTY, history, recalled: 0 }, submitted: { to: "prompt", text, pasted } };
}

const MOST_HISTORY = 100;

function typed(board: Keyboard, line: TypedLine, key: Exclude<Key, { is: "enter" }>): Keyboard {
  if (key.is === "text") return withLine(board, insert(line, key.text));
  if (key.is === "paste") return withLine(board, insert(line, key.text, true));
  if ((key.edit === "up" || key.edit === "down") && !board.question?.open)
    return recall(board, key.edit === "up" ? 1 : -1);
  return withLine(board, edited(line, key.edit));
}

const withLine = (board: Keyboard, line: TypedLine): Keyboard =>
  board.question?.open ? { ...board, question: { ...board.question, answer: line } } : { ...board, draft: line };

function recall(board: Keyboard, by: 1 | -1): Keyboard {
  const recalled = Math.min(board.history.length, Math.max(0, board.recalled + by));
  if (recalled === board.recalled) return board;
  return { ...board, recalled, draft: lineOf(board.history.at(-recalled) ?? "") };
}
