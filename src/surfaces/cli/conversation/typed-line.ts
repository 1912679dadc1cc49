// The line a person types: letters, a cursor, and whether any of it was pasted. Pure.
import { lettersOf } from "../../../std/text-width.ts";

export type TypedLine = {
  readonly letters: readonly string[];
  readonly cursor: number;
  /** Some of it came as a paste, whatever was typed around it. */
  readonly pasted: boolean;
};

export type Key =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "paste"; readonly text: string }
  | { readonly is: "enter" }
  | { readonly is: "edit"; readonly edit: Edit };

export type Edit =
  "backspace" | "delete" | "left" | "right" | "home" | "end" | "clear" | "clear-after" | "delete-word" | "up" | "down";

export const EMPTY: TypedLine = { letters: [], cursor: 0, pasted: false };

export const lineOf = (text: string): TypedLine => {
  const letters = lettersOf(text);
  return { letters, cursor: letters.length, pasted: false };
};

export const lineText = ({ letters }: TypedLine): string => letters.join("");

export function insert({ letters, cursor, pasted }: TypedLine, text: string, asPaste = false): TypedLine {
  const added = lettersOf(text);
  return {
    letters: [...letters.slice(0, cursor), ...added, ...letters.slice(cursor)],
    cursor: cursor + added.length,
    pasted: pasted || asPaste,
  };
}

export function edited(line: TypedLine, edit: Edit): TypedLine {
  const { letters, cursor } = line;
  const without = (from: number, to: number): TypedLine => {
    const left = [...letters.slice(0, from), ...letters.slice(to)];
    return { letters: left, cursor: from, pasted: line.pasted && left.length > 0 };
  };
  switch (edit) {
    case "backspace":
      return cursor === 0 ? line : without(cursor - 1, cursor);
    case "delete":
      return without(cursor, cursor + 1);
    case "left":
      return { ...line, cursor: Math.max(0, cursor - 1) };
    case "right":
      return { ...line, cursor: Math.min(letters.length, cursor + 1) };
    case "home":
      return { ...line, cursor: 0 };
    case "end":
      return { ...line, cursor: letters.length };
    case "clear":
      return EMPTY;
    case "clear-after":
      return without(cursor, letters.length);
    case "delete-word": {
      const before = letters.slice(0, cursor).join("");
      const kept = lettersOf(before.replace(/\S*\s*$/, ""));
      return without(kept.length, cursor);
    }
    case "up":
    case "down":
      return line;
  }
}
