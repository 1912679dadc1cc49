// Help texts, made from the flag tables so that they cannot differ from what is accepted.
import { commands } from "./commands.ts";
import type { FlagTable } from "./flags.ts";

export const mainHelp = (): string => `Sous: the subagent system for coding agents

usage: sous <command> [flags], or sous [PROMPT] [flags] for a conversation

commands
  (none) [flags]       a conversation on a terminal, with the flags of --plain; without one, a tour of this folder
${commandLines()}
  --version            the version
  --help               this text; also sous <command> --help

examples
  sous run "what does src/main.ts do?"
  sous run --mode yolo --max-turns 20 "make the failing test pass"
  git diff | sous run "review this change"
  sous --resume last --mode yolo
  sous run --resume last "go on, but leave the tests alone"
  sous sessions show last
  source <(sous completions bash)

keys  ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or sous setup
      base URLs: ANTHROPIC_BASE_URL, OPENAI_BASE_URL, GOOGLE_GEMINI_BASE_URL
also  SOUS_MODEL, SOUS_MODE, SOUS_CONFIG, SOUS_STATE_DIR; NO_COLOR
      hooks and more in docs/hooks.md, docs/configuration.md`;

const commandLines = (): string =>
  Object.entries(commands)
    .map(([name, { usage, help }]) => `  ${`${name}${usage ? ` ${usage}` : ""}`.padEnd(20)} ${help}`)
    .join("\n");

export const runHelp = (table: FlagTable): string => `sous run [PROMPT|-] [flags]: one prompt, headless

${flagLines(table)}

Ctrl-C once: the agent hands in what it has. Twice: it stops at once. Nothing is lost: sous run --resume ID goes on.
exit codes: 0 succeeded, 1 failed, 2 usage, 3 limit, 4 needs a person, 5 partial or empty, 6 budget, 130/143/129 signals

examples
  sous run "which function writes an event to the journal?"
  sous run --mode yolo --output jsonl "run the tests and tell me what fails" | tee events.jsonl
  echo "explain this repo" | sous run -
  git diff | sous run "review this change"             what is piped comes after the words
  npm test 2>&1 | sous run "why does this fail?" -     with -, however long it takes to come
  sous run --continue "and now the same for the other file"`;

export const plainHelp = (table: FlagTable): string => `sous --plain [PROMPT] [flags]: a conversation, line by line

At a question y runs it once, a always, n does not; other words refuse it and go to the model; Enter alone does
nothing. What you type while the lead works is read before its next step. Modes, typed anywhere:
  /u human: you type the commands, /c confirm: you are asked first, /y yolo: nothing is asked, /h help, /q quit
Through a pipe each line is a prompt; one that comes before a question was shown never answers it.

${flagLines(some(table, ["model", "mode", "agent", "continue", "resume", "trust", "help"]))}
and all other flags of sous run but --output: see sous run --help

examples
  sous --plain
  sous --plain --continue
  sous --plain --mode yolo "make the tests pass"`;

const some = (table: FlagTable, names: readonly string[]): FlagTable =>
  Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));

export const sessionsHelp = (
  table: FlagTable,
): string => `sous sessions [list|search TEXT|show ID|tree ID|export ID|rm ID…] [flags]

  list        the sessions of this project, newest first; --all: of every project
  search TEXT where something was said or printed, newest sessions first
  show ID     one session's whole conversation
  tree ID     a lead and everything below it
  export ID   one session as a file: --format md, jsonl (every event) or atif (Agent Trajectory Interchange Format)
  rm ID…      removes sessions for good
ID is a session id, the start of one, "last" (the newest of this project), or a child: its id or name, or ID/S1.
A child comes with all below it.

${flagLines(table)}

examples
  sous sessions
  sous sessions list --json
  sous sessions search "segmentation fault"
  sous sessions export last --format md -o review.md
  sous sessions show last`;

export function flagLines(table: FlagTable): string {
  const rows = Object.entries(table).map(([name, spec]) => ({
    left: `${spec.short ? `-${spec.short}, ` : "    "}--${name}${spec.value ? ` ${spec.value}` : ""}`,
    help: spec.help,
  }));
  const width = Math.max(...rows.map((row) => row.left.length));
  const lines = rows.flatMap((row) =>
    wrapped(row.help, MOST_COLUMNS - width - 4).map(
      (help, at) => `  ${(at === 0 ? row.left : "").padEnd(width)}  ${help}`,
    ),
  );
  return ["flags", ...lines].join("\n");
}

const MOST_COLUMNS = 120;

/** In lines of at most so many characters, cut between words. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
