// The commands of a conversation, understood wherever the person types.
import type { Mode } from "../../../core/events.ts";
import { nearest } from "../../../std/nearest.ts";

export const SLASH_HELP = `/u human: you type the commands   /c confirm: you are asked first   /y yolo: nothing is asked
/h this help   /q quit   Modes hold for the whole tree of agents. // begins a prompt with a slash.`;

export type SlashCommand = { readonly mode: Mode } | "help" | "quit";
const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  "/u": { mode: "human" },
  "/human": { mode: "human" },
  "/c": { mode: "confirm" },
  "/confirm": { mode: "confirm" },
  "/y": { mode: "yolo" },
  "/yolo": { mode: "yolo" },
  "/h": "help",
  "/help": "help",
  "/q": "quit",
  "/quit": "quit",
  "/exit": "quit",
};
export const slashCommandOf = (line: string): SlashCommand | undefined => {
  const word = line.trim();
  return Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;
};

/** The known command that was probably meant. */
export const nearestSlash = (word: string): string | undefined =>
  word.length > LETTER ? nearest(word, NAMES) : undefined;

/** A slash and a letter are as near to any other letter: only names are mistyped. */
const LETTER = 2;
const NAMES = Object.keys(COMMANDS).filter((name) => name.length > LETTER);
