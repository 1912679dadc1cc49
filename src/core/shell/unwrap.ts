// Programs that run other programs: what they run is a part of its own, so that every rule reaches it.
import { aboutBuiltin } from "./builtins.ts";
import type { ReadingBudget } from "./reading-budget.ts";
import type { ShellPart } from "./shell-reading.ts";
import { OTHER_WRAPPERS, PLAIN_WRAPPERS, type PlainWrapper, SHELLS, xargsCommand } from "./wrappers.ts";

type Words = ShellPart["words"];

/** What the reading of one command is told on the way. */
export type Unwrapping = {
  readonly budget: ReadingBudget;
  /** The parts of a command in a text, as in `sh -c "…"`. */
  readInner(command: string): readonly ShellPart[];
  doubtful(reason: string): void;
  /** A doubt after which programs may be missing. */
  unread(reason: string): void;
  evaluates(): void;
};

const DEEPEST = 8;
/** In characters that could be parsed instead. */
const WORD_COST = 8;

/** The part itself, and everything it is known to run. */
export function unwrap(part: ShellPart, reading: Unwrapping, depth = 0): readonly ShellPart[] {
  const { unread, readInner } = reading;
  const program = nameOf(part.words[0]);
  if (program === undefined) {
    // Rules that deny take it for any program.
    reading.doubtful("what program it runs is known only when it runs");
    return [part];
  }
  if (depth > DEEPEST || !reading.budget.spend(WORD_COST * (1 + part.words.length))) {
    unread("too many programs in it run other programs");
    return [];
  }
  const inner = (words: Words): readonly ShellPart[] =>
    words.length === 0 ? [] : unwrap(partOf(words, part), reading, depth + 1);
  const opaque = (reason: string): ShellPart => ({ ...part, opaque: reason });
  const runsLater = (): void => unread(`what ${program} runs is known only when it runs`);

  // It only says what a word means.
  if (program === "command" && /^-[vV]$/.test(part.words[1] ?? "")) return [part];
  if (Object.hasOwn(PLAIN_WRAPPERS, program)) {
    const rest = afterOptions(part.words, PLAIN_WRAPPERS[program]!);
    // With options that are not known here it cannot be told where the inner command begins.
    if (rest === undefined) {
      if (part.words.includes(null)) runsLater();
      return [opaque(`${program} runs another program`), ...guessed(part, inner)];
    }
    // A file of that name somewhere may be anything.
    if (part.words[0] !== program) return [opaque(`${part.words[0]} may be any program`), ...inner(rest)];
    return rest.length === 0 ? [part] : [{ ...part, wraps: true }, ...inner(rest)];
  }
  if (SHELLS.has(program))
    return [opaque(`${program} runs what it is given`), ...shellParts(part, runsLater, readInner)];
  if (program === "eval") {
    const words = part.words.slice(1);
    if (words.includes(null)) runsLater();
    return [opaque("eval runs what it is given"), ...readInner(words.map((word) => word ?? "").join(" "))];
  }
  if (program === "find" || program === "fd" || program === "fdfind") return [...findParts(part, inner)];
  if (program === "xargs") {
    const words = xargsCommand(part.words);
    if (!words && part.words.includes(null)) runsLater();
    return [opaque("xargs runs another program"), ...(words ? inner(words) : guessed(part, inner))];
  }
  if (OTHER_WRAPPERS.has(program)) {
    if (part.words.includes(null)) runsLater();
    return [opaque(`${program} runs another program`), ...guessed(part, inner)];
  }
  return builtinParts(part, reading);
}

/** A program by its name alone, wherever it stands. */
export const nameOf = (word: string | null | undefined): string | undefined =>
  word === null || word === undefined ? undefined : (word.split("/").at(-1) ?? word);

function partOf(words: Words, { fed }: Pick<ShellPart, "fed">): ShellPart {
  return { words, text: words.map((word) => word ?? "…").join(" "), sets: [], ...(fed && { fed }) };
}

function builtinParts(part: ShellPart, { doubtful, unread, evaluates, readInner }: Unwrapping): readonly ShellPart[] {
  const { doubt, unread: missing, evaluates: evaluated, code } = aboutBuiltin(part.words);
  if (doubt !== undefined) doubtful(doubt);
  if (missing !== undefined) unread(missing);
  if (evaluated) evaluates();
  const [program, file] = part.words;
  if ((program === "source" || program === ".") && (file === null || isPassing(file)))
    unread("what it reads commands from is known only when it runs");
  return [part, ...(code === undefined ? [] : readInner(code))];
}

/** What a file of that name holds is made by the command itself. */
const isPassing = (file: string | undefined): boolean => /^\/(dev|proc)\//.test(file ?? "");

function shellParts(
  { words, fed }: ShellPart,
  runsLater: () => void,
  readInner: Unwrapping["readInner"],
): readonly ShellPart[] {
  const at = words.findIndex((word) => word !== null && /^-[a-zA-Z]+$/.test(word) && word.includes("c"));
  if (words.includes(null)) runsLater();
  if (at >= 0) {
    // Options may stand between `-c` and its text.
    const command = words.slice(at + 1).find((word) => !/^[-+]/.test(word ?? "")) ?? words[at + 1];
    return command ? readInner(command) : [];
  }
  const file = words.slice(1).find((word) => !/^[-+]/.test(word ?? ""));
  const isVersion = words.length === 2 && words[1] === "--version";
  if (!isVersion && (file === undefined ? fed : isPassing(file ?? undefined))) runsLater();
  return [];
}

/** undefined: its options are not all known. */
function afterOptions(words: Words, { options, operands }: PlainWrapper): Words | undefined {
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === null || word === undefined) return undefined;
    if (word === "--") {
      at++;
      break;
    }
    if (!word.startsWith("-")) break;
    if (!options.test(word)) return undefined;
  }
  const rest = words.slice(at + operands);
  const [first] = rest;
  // `env A=b program` sets variables, which no rule for the program covers.
  return first === null || first?.includes("=") || words.slice(at, at + operands).includes(null) ? undefined : rest;
}

/** Any word may be where the inner command begins: each is tried, for rules that deny. */
function guessed(part: ShellPart, inner: (words: Words) => readonly ShellPart[]): readonly ShellPart[] {
  const starts = part.words.flatMap((word, at) =>
    at > 0 && word !== null && /^[\w./-]+$/.test(word) && hasLetter(word) && !word.startsWith("-") ? [at] : [],
  );
  return starts.slice(0, 5).flatMap((at) => inner(part.words.slice(at)));
}

const hasLetter = (word: string): boolean => /[a-zA-Z]/.test(nameOf(word) ?? "");

const FIND_RUNS: ReadonlySet<string> = new Set([
  ...["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"],
]);

function* findParts(part: ShellPart, inner: (words: Words) => readonly ShellPart[]): Iterable<ShellPart> {
  const { words } = part;
  const runs = words.some((word) => word === null || FIND_RUNS.has(word) || /^-(delete|fprint|fls)/.test(word));
  yield runs ? { ...part, opaque: "find may run programs or change files" } : part;
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === "-delete") yield partOf(["rm"], part);
    if (word === null || word === undefined || !FIND_RUNS.has(word)) continue;
    const end = words.findIndex((one, n) => n > at && (one === ";" || one === "+"));
    const run = words.slice(at + 1, end < 0 ? undefined : end);
    // The name of a file that is found stands for it.
    yield* inner(run.map((one) => (one?.includes("{}") ? null : one)));
    at = end < 0 ? words.length : end;
  }
}
