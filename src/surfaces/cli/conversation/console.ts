// Where a person and Sous speak line by line: on a terminal, or through a pipe.
import { slashCommandOf } from "./slash-commands.ts";

export type Asked = {
  /** Whole and escaped; it stays on the screen until it is answered. */
  readonly text: string;
  /** Before what is typed. */
  readonly label: string;
  /** A sentence about why this is no answer, which is shown while the question waits on. */
  refuse?(typed: Typed): string | undefined;
};
export type Typed = {
  readonly text: string;
  /** Some of it was pasted: it is never a yes. */
  readonly pasted: boolean;
};

/** What would allow something, now or from now on: never by a paste, nor by what may have been typed before it was asked. */
export function isYes({ text }: Typed): boolean {
  const slash = slashCommandOf(text);
  return /^\s*(y(es)?|a(lways)?)\s*$/i.test(text) || (typeof slash === "object" && slash.mode === "yolo");
}

/** What is said of keys that came all at once. */
export const TYPED_NOT_PASTED = "An answer is typed, not pasted: type it, then press Enter.";

export type Console = {
  /** A person can type at any time; else the lines of a pipe are prompts, one after the other. */
  readonly interactive: boolean;
  /** Text that stays: escaped already. */
  print(text: string): void;
  /** Before what is typed at the prompt. */
  label(text: string): void;
  onPrompt(listener: (typed: Typed) => void): void;
  /** What was typed after the question could be read; undefined when the input has ended. Rejects with the signal's reason. */
  ask(question: Asked, signal?: AbortSignal): Promise<Typed | undefined>;
  onInterrupt(listener: () => void): void;
  onEnd(listener: () => void): void;
  close(): void;
};
