// What a person or a program gives as a prompt, as the model gets it: `/name …` is a command and never reaches one.
import { existsSync } from "node:fs";
import { slashWord, withoutEscape } from "../core/slash-word.ts";
import { HostError } from "./host-error.ts";

/** A command's name, where the prompt begins with one: a path that is there is none. */
export function commandIn(prompt: string): string | undefined {
  const word = slashWord(prompt);
  return word === undefined || existsSync(word) ? undefined : word;
}

export function promptText(prompt: string): string {
  const word = commandIn(prompt);
  if (word !== undefined)
    throw new HostError(
      `there is no command ${word} here; write /${word} for a prompt that begins with ${word}`,
      "usage",
    );
  return withoutEscape(prompt);
}
