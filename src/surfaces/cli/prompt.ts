// The prompt: the words given, or standard input when there are none or `-` stands for them.
import { readFileSync } from "node:fs";
import { isatty } from "node:tty";
import { UsageError } from "./usage-error.ts";

export function readPrompt(words: readonly string[], mayBeEmpty: boolean): string | undefined {
  const given = words.join(" ");
  if (given !== "" && given !== "-") return given;
  if (given === "-" || (!mayBeEmpty && !isatty(0))) {
    const piped = readInput();
    if (piped.trim() !== "") return piped;
  }
  if (mayBeEmpty && given === "") return undefined;
  throw new UsageError('sous run needs a prompt: sous run "what to do", or give it on standard input with -');
}

function readInput(): string {
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    throw new UsageError(`standard input cannot be read: ${(error as Error).message}`);
  }
}
