// Reads a command with a parser of bash: what it runs and opens, and its text printed anew. Whatever is not known to be
// harmless in itself is a doubt: the list of what runs counts only where there is none.
import {
  type Assignment,
  type Command,
  type For,
  type HereDoc,
  type HereString,
  type Pipeline,
  type Redirect,
  type Script,
  type Word,
  type SyntaxNode,
  forEachChild,
  parse,
} from "unbash";
import { doubtAbout } from "./doubt-about.ts";
import { carriedBy } from "./carried.ts";
import { namesListened, setsListened } from "./listened-variables.ts";
import { oddGaps } from "./odd-gaps.ts";
import { printShell } from "./print-shell.ts";
import { wordValue } from "./read-word.ts";
import { addToGit, isReadingGit } from "./read-only-git.ts";
import { type ReadingBudget, readingBudget } from "./reading-budget.ts";
import { revealedBy } from "./revealed.ts";
import type { ShellPart, ShellReading } from "./shell-reading.ts";
import { startsArguments } from "./starts-arguments.ts";
import { unwrap } from "./unwrap.ts";

const MOST_CHARS = 50_000;
const MOST_PARTS = 500;
const MOST_OPEN = 100;
/** In characters. */
const WORD_COST = 8;
const TOO_MUCH = "there is too much in it to read";

export const readShell = (command: string): ShellReading => read(command, readingBudget());

function read(command: string, budget: ReadingBudget): ShellReading {
  const reader = newReader(budget);
  const reason = whyNotParsed(command);
  if (reason !== undefined || !budget.spend(command.length)) {
    reader.unread(reason ?? TOO_MUCH);
    return reader.reading();
  }
  try {
    const script = parse(command);
    if ((script.errors?.length ?? 0) > 0) reader.unread("it is not sound bash");
    const odd = oddGaps(command, script);
    if (odd !== undefined) reader.unread(odd);
    if (/[\u0085\u00a0\u2028\u2029]/.test(command)) reader.doubtful("it holds characters that look like blanks");
    reader.visit(script);
    if (!reader.isWhole()) return reader.reading();
    return reader.reading(printShell(script, reader), (parts) => printInert(script, reader, parts));
  } catch {
    // The parser, and the walk over what it found, go as deep as the command does.
    reader.unread("it is nested too deep");
    return reader.reading();
  }
}

/** Only where each git was found again: what is printed for one that is missed would not be held. */
function printInert(script: Script, reader: Reader, parts: readonly ShellPart[]): string | undefined {
  const wanted = parts.filter(isReadingGit).length;
  if (wanted === 0) return undefined;
  let found = 0;
  const text = printShell(script, reader, (words) => {
    const added = addToGit(words);
    if (added) found++;
    return added;
  });
  return found === wanted ? text : undefined;
}

function whyNotParsed(command: string): string | undefined {
  if (command.length > MOST_CHARS) return `it is longer than ${MOST_CHARS} characters`;
  // What a terminal hides, and what the shell and the parser may take differently.
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(command) || !command.isWellFormed())
    return "it holds control characters";
  return isTangled(command) ? "it is nested too deep" : undefined;
}

/** More open at once than anybody writes: reading it could take very long. */
function isTangled(command: string): boolean {
  let [open, ticks] = [0, 0];
  for (const char of withoutHereTexts(command)) {
    if (char === "(" || char === "{" || char === "[") open++;
    else if (char === ")" || char === "}" || char === "]") open = Math.max(0, open - 1);
    else if (char === "`") ticks++;
    if (open > MOST_OPEN || ticks > MOST_PARTS) return true;
  }
  return false;
}

/** Lines of a here-document whose end is quoted are text, whatever stands in them. */
function withoutHereTexts(command: string): string {
  if (!command.includes("<<")) return command;
  let end: string | undefined;
  const kept: string[] = [];
  for (const line of command.split("\n")) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined;
      continue;
    }
    kept.push(line);
    const found = /<<-?[ \t]{0,20}(?:'(\w{1,99})'|"(\w{1,99})")/.exec(line);
    end = found?.[1] ?? found?.[2];
  }
  return kept.join("\n");
}

type Reader = {
  unread(reason: string): void;
  doubtful(reason: string): void;
  evaluates(): void;
  literal(value: string): void;
  visit(node: SyntaxNode): void;
  /** Nothing was left unread so far. */
  isWhole(): boolean;
  /** With the text that was printed of it. */
  reading(text?: string, inert?: (parts: readonly ShellPart[]) => string | undefined): ShellReading;
};

function newReader(budget: ReadingBudget): Reader {
  const parts: ShellPart[] = [];
  const writes: string[] = [];
  const reads: string[] = [];
  const loops: string[] = [];
  let [doubt, missing, reveals]: (string | undefined)[] = [];
  let [feeding, evaluated, carried] = [0, false, false];
  const doubtful = (reason: string): void => void (doubt ??= reason);
  const unread = (reason: string): void => {
    doubtful(reason);
    missing ??= reason;
  };
  const evaluates = (): void => void (evaluated = true);
  /** A text that would be a command if something evaluated it. */
  const literal = (value: string): void => void (carried ||= /[$`]/.test(value));

  const visit = (node: SyntaxNode): void => {
    if (parts.length > MOST_PARTS) return unread(`it runs more than ${MOST_PARTS} commands`);
    const reason = doubtAbout(node);
    if (reason !== undefined) doubtful(reason);
    const listened = setsListened(node);
    if (listened !== undefined) unread(listened);
    const revealed = revealedBy(node, loops);
    reveals ??= revealed.reason;
    reads.push(...revealed.reads);
    const fed = isFed(node);
    if (fed) feeding++;
    if (node.type === "Command") simple(node);
    if (node.type === "Redirect") redirect(node);
    if (node.type === "HereDoc" || node.type === "HereString") hereText(node);
    if (node.type === "Pipeline") pipeline(node);
    else if (node.type === "For") loop(node);
    else forEachChild(node, visit);
    if (fed) feeding--;
  };

  /** All but the first get what comes before them. */
  function pipeline({ prefixes, commands: [first, ...others] }: Pipeline): void {
    for (const node of [...prefixes, ...(first ? [first] : [])]) visit(node);
    feeding++;
    for (const node of others) visit(node);
    feeding--;
  }

  function loop(node: For): void {
    forEachChild(node, (child) => {
      if (child === node.body) loops.push(node.name.text);
      visit(child);
    });
    loops.pop();
  }

  function simple(command: Command): void {
    const words = [...(command.name ? [command.name] : []), ...command.args];
    const sets = [...command.prefix, ...command.args].flatMap((one) => (one.type === "Assignment" ? [one.name] : []));
    const text = textOf(command);
    if (!command.name) {
      if (sets.length > 0) parts.push({ words: [], text, sets });
      return;
    }
    if (!budget.spend(WORD_COST * words.length)) return unread(TOO_MUCH);
    const values = words.map((word) => (word.type === "Assignment" ? assignmentText(word) : wordValue(word)));
    const single = words.flatMap((word, at) => (values[at] === null && isSingle(word) ? [at] : []));
    const fed = feeding > 0 && { fed: true as const };
    const part = { words: values, text, sets, ...fed, ...(single.length > 0 && { single }) };
    parts.push(...unwrap(part, { budget, readInner, doubtful, unread, evaluates }).map(withCarried));
  }

  function withCarried(part: ShellPart): ShellPart {
    const listened = namesListened(part, part.opaque !== undefined || startsArguments(part) !== "nothing");
    if (listened !== undefined) unread(listened);
    const texts = carriedBy(part, (text) => read(text, budget));
    return texts ? { ...part, carried: texts } : part;
  }

  /** A command in a text, as in `sh -c "…"`: its parts are for rules that deny. */
  function readInner(command: string): readonly ShellPart[] {
    const inner = read(command, budget);
    writes.push(...inner.writes);
    reads.push(...inner.reads);
    if (inner.unread !== undefined) unread(inner.unread);
    if (inner.doubt !== undefined) doubtful(inner.doubt);
    return inner.parts;
  }

  function redirect({ operator, target, descriptor }: Redirect): void {
    if (descriptor?.type === "FileDescriptorVariable") doubtful("it sets a variable to a file descriptor");
    const name = target && wordValue(target);
    if (name === undefined || name === null) return doubtful("where it redirects to is known only when it runs");
    if ((operator === ">&" || operator === "<&") && /^\d*-?$/.test(name)) return;
    if (/^\/dev\/(tcp|udp)\//.test(name)) return doubtful("it opens a network connection");
    if (operator === "<") reads.push(name);
    else if (name !== "/dev/null") writes.push(name);
  }

  function hereText(node: HereDoc | HereString): void {
    if (node.descriptor?.type === "FileDescriptorVariable") doubtful("it sets a variable to a file descriptor");
  }

  function reading(text?: string, printInertly?: (parts: readonly ShellPart[]) => string | undefined): ShellReading {
    if (evaluated && carried) unread("it evaluates values, and a text in it may be a command");
    const inert = missing === undefined ? printInertly?.(parts) : undefined;
    return {
      ...(inert !== undefined && { inert }),
      ...(doubt !== undefined && { doubt }),
      ...(reveals !== undefined && { reveals }),
      ...(missing !== undefined ? { unread: missing } : text !== undefined && { text }),
      ...{ parts, writes, reads },
    };
  }
  return { unread, doubtful, evaluates, literal, visit, isWhole: () => missing === undefined, reading };
}

/** With all that is in it: what a command reads, a program that it starts may read instead. */
const isFed = (node: SyntaxNode): boolean =>
  (node.type === "Command" || node.type === "Redirected") &&
  node.redirects.some((one) => one.type !== "Redirect" || one.operator.startsWith("<"));

const textOf = (command: Command): string => {
  const words = [...command.prefix, ...(command.name ? [command.name] : []), ...command.suffix];
  return words
    .map((word) => ("text" in word ? word.text : ""))
    .join(" ")
    .trim();
};

/** What commands print, in double quotes: it is not split, and `"$@"` is not among it. */
function isSingle(word: Word | Assignment): boolean {
  const [only, ...others] = word.type === "Word" ? (word.parts ?? []) : [];
  if (only?.type !== "DoubleQuoted" || others.length > 0) return false;
  return only.parts.every(({ type }) => type === "Literal" || type === "CommandExpansion");
}

const assignmentText = (one: Assignment): string | null => {
  const value = one.value.type === "Word" ? wordValue(one.value) : null;
  return value === null ? null : `${one.name}${one.append ? "+" : ""}=${value}`;
};
