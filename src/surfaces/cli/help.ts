// Help texts, made from the flag tables so that they cannot differ from what is accepted.
import type { FlagTable } from "./flags.ts";

export const mainHelp = `Sous: the subagent system for coding agents

usage: sous <command> [flags]

commands
  run [PROMPT|-]       one prompt, headless; the prompt may come on standard input
  sessions             list, show, tree, rm: what was done, all of it
  --version            the version
  --help               this text; also sous <command> --help

examples
  sous run "what does src/main.ts do?"
  sous run --mode yolo --max-turns 20 "make the failing test pass"
  git diff | sous run "review this change: $(cat)"
  sous run --resume agent-01 "go on, but leave the tests alone"
  sous sessions show last

keys  ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY; base URLs: ANTHROPIC_BASE_URL, OPENAI_BASE_URL, GOOGLE_GEMINI_BASE_URL`;

export const runHelp = (table: FlagTable): string => `sous run [PROMPT|-] [flags]: one prompt, headless

${flagLines(table)}

Ctrl-C once: the agent hands in what it has. Twice: it stops at once. Nothing is lost: sous run --resume ID goes on.
exit codes: 0 succeeded, 1 failed, 2 usage, 3 limit, 4 needs a person, 5 partial or empty, 6 budget, 130/143/129 signals

examples
  sous run "which function writes an event to the journal?"
  sous run --mode yolo --output jsonl "run the tests and tell me what fails" | tee events.jsonl
  echo "explain this repo" | sous run -
  sous run --continue "and now the same for the other file"`;

export const plainHelp = (table: FlagTable): string => `sous --plain [PROMPT] [flags]: a conversation, line by line

At a question: Enter runs it, words refuse it and go to the model. Modes, typed anywhere:
  /u human: you type the commands, /c confirm: you are asked first, /y yolo: nothing is asked, /h help, /q quit

${flagLines(table)}

examples
  sous --plain
  sous --plain --continue
  sous --plain --mode yolo "make the tests pass"`;

export const sessionsHelp = (table: FlagTable): string => `sous sessions [list|show ID|tree ID|rm ID…] [flags]

  list        sessions, newest first
  show ID     one session's whole conversation
  tree ID     a lead and everything below it
  rm ID…      removes sessions for good
ID is a session id, the start of one, or "last".

${flagLines(table)}

examples
  sous sessions
  sous sessions list --json
  sous sessions show last`;

function flagLines(table: FlagTable): string {
  const rows = Object.entries(table).map(([name, spec]) => ({
    left: `${spec.short ? `-${spec.short}, ` : "    "}--${name}${spec.value ? ` ${spec.value}` : ""}`,
    help: spec.help,
  }));
  const width = Math.max(...rows.map((row) => row.left.length));
  return ["flags", ...rows.map((row) => `  ${row.left.padEnd(width)}  ${row.help}`)].join("\n");
}
