// Reads a command with a parser of bash. Whatever is not known to be harmless in itself is a doubt: the list of what
// runs counts only where there is none.
import {
  type Assignment,
  type Command,
  type HereDoc,
  type HereString,
  type ParameterExpansionPart,
  type Pipeline,
  type Redirect,
  type SyntaxNode,
  type Word,
  forEachChild,
  parse,
} from "unbash";
import type { ShellPart, ShellReading } from "./shell-reading.ts";
import { unwrap } from "./unwrap.ts";

const MOST_CHARS = 50_000;
const MOST_PARTS = 500;
const MOST_OPEN = 100;

export function readShell(command: string): ShellReading {
  const reader = newReader();
  if (command.length > MOST_CHARS) reader.doubtful(`it is longer than ${MOST_CHARS} characters`);
  // What a terminal hides, and what the shell and the parser may take differently.
  // eslint-disable-next-line no-control-regex
  else if (/[\u0000-\u0008\u000b-\u001f\u007f\u0085\u00a0\u2028\u2029]/.test(command))
    reader.doubtful("it holds control characters");
  else if (isTangled(command)) reader.doubtful("it is nested too deep");
  else
    try {
      reader.visit(parse(command));
    } catch {
      // The parser, and the walk over what it found, go as deep as the command does.
      reader.doubtful("it is nested too deep");
    }
  return reader.reading();
}

/** More open at once than anybody writes: reading it could take very long. */
function isTangled(command: string): boolean {
  let [open, ticks] = [0, 0];
  for (const char of command) {
    if (char === "(" || char === "{" || char === "[") open++;
    else if (char === ")" || char === "}" || char === "]") open = Math.max(0, open - 1);
    else if (char === "`") ticks++;
    if (open > MOST_OPEN || ticks > MOST_PARTS) return true;
  }
  return false;
}

type Reader = {
  doubtful(why: string): void;
  visit(node: SyntaxNode): void;
  reading(): ShellReading;
};

function newReader(): Reader {
  const parts: ShellPart[] = [];
  const writes: string[] = [];
  const reads: string[] = [];
  let doubt: string | undefined;
  let feeding = 0;
  const doubtful = (why: string): void => void (doubt ??= why);

  const visit = (node: SyntaxNode): void => {
    if (parts.length > MOST_PARTS) return doubtful(`it runs more than ${MOST_PARTS} commands`);
    const why = doubtAbout(node);
    if (why !== undefined) doubtful(why);
    const fed = isFed(node);
    if (fed) feeding++;
    if (node.type === "Command") simple(node);
    if (node.type === "Redirect") redirect(node);
    if (node.type === "HereDoc" || node.type === "HereString") hereText(node);
    if (node.type === "Pipeline") pipeline(node);
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

  function simple(command: Command): void {
    const words = [...(command.name ? [command.name] : []), ...command.args];
    const sets = [...command.prefix, ...command.args].flatMap((one) => (one.type === "Assignment" ? [one.name] : []));
    if (!command.name) {
      if (sets.length > 0) parts.push({ words: [], text: textOf(command), sets });
      return;
    }
    const values = words.map((word) => (word.type === "Assignment" ? assignmentText(word) : literal(word)));
    const found = unwrap({ words: values, text: textOf(command), sets }, 0, readInner, doubtful);
    parts.push(...(feeding > 0 ? found.map((part) => ({ ...part, fed: true as const })) : found));
  }

  /** A command in a text, as in `sh -c "…"`: its parts are for rules that deny. */
  function readInner(command: string): readonly ShellPart[] {
    const inner = readShell(command);
    writes.push(...inner.writes);
    if (inner.doubt !== undefined) doubtful(inner.doubt);
    return inner.parts;
  }

  function redirect({ operator, target, descriptor }: Redirect): void {
    if (descriptor?.type === "FileDescriptorVariable") doubtful("it sets a variable to a file descriptor");
    const name = target && literal(target);
    if (name === undefined || name === null) return doubtful("where it redirects to is known only when it runs");
    if ((operator === ">&" || operator === "<&") && /^\d*-?$/.test(name)) return;
    if (/^\/dev\/(tcp|udp)\//.test(name)) return doubtful("it opens a network connection");
    if (operator === "<") reads.push(name);
    else if (name !== "/dev/null") writes.push(name);
  }

  function hereText(node: HereDoc | HereString): void {
    if (node.descriptor?.type === "FileDescriptorVariable") doubtful("it sets a variable to a file descriptor");
    if (node.type === "HereDoc" && !node.closing) doubtful("a text in it has no end");
  }

  return {
    doubtful,
    visit,
    reading: () => ({ ...(doubt !== undefined && { doubt }), parts, writes, reads }),
  };
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

const assignmentText = (one: Assignment): string | null => {
  const value = one.value.type === "Word" ? literal(one.value) : null;
  return value === null ? null : `${one.name}${one.append ? "+" : ""}=${value}`;
};

/** The word as the program gets it, or null where the shell makes something else of it. */
function literal(word: Word): string | null {
  if (/^~|[=:]~/.test(word.text)) return null;
  for (const part of word.parts ?? []) {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") continue;
    if (part.type === "DoubleQuoted" && part.parts.every((one) => one.type === "Literal")) continue;
    return null;
  }
  return word.value;
}

/** Nodes that are understood here, and hold nothing that runs but their children. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["Script", "Statement", "CompoundList", "AndOr", "Pipeline", "Negation", "Time", "Command", "Word", "Literal"],
  ...["SingleQuoted", "DoubleQuoted", "AnsiCQuoted", "CommandExpansion", "ProcessSubstitution", "Assignment"],
  ...["If", "Elif", "While", "Subshell", "BraceGroup", "Case", "CaseItem", "Redirected", "Glob", "BraceExpansion"],
  ...["Redirect", "HereDoc", "HereDocBody", "HereDocDelimiter", "HereString", "FileDescriptor", "SimpleExpansion"],
  ...["Default", "Remove", "Replace", "TestCommand", "TestLogical", "TestNot", "TestGroup"],
]);

function doubtAbout(node: SyntaxNode): string | undefined {
  if (node.type === "Script" && (node.errors?.length ?? 0) > 0) return "it is not sound bash";
  if ((node.type === "CommandExpansion" || node.type === "ProcessSubstitution") && !node.script)
    return "a substitution in it cannot be read";
  if (node.type === "ParameterExpansion") return doubtAboutParameter(node);
  // A loop sets its variable: one that programs listen to would change what they do.
  if (node.type === "For") return /^[a-z][a-z0-9_]{0,15}$/.test(node.name.text) ? undefined : "it sets a variable";
  // Comparisons of numbers evaluate what they are given, which can run commands.
  if (node.type === "TestBinary") return node.operator.startsWith("-") ? "it compares numbers in [[ ]]" : undefined;
  if (node.type === "TestUnary") return /^-[vRN]$/.test(node.operator) ? "it asks for a variable in [[ ]]" : undefined;
  return PLAIN.has(node.type) ? undefined : `it uses ${describe(node.type)}`;
}

function doubtAboutParameter({ prefix, index, operation }: ParameterExpansionPart): string | undefined {
  if (prefix === "!") return "it reads a variable by another's name";
  if (index) return "it reads an element of an array";
  if (operation && !PLAIN.has(operation.type)) return "it changes a variable's value in a way that may run commands";
  if (operation?.type === "Default" && operation.operator.includes("=")) return "it sets a variable";
  return undefined;
}

/** `ArithmeticExpansion` as words. */
const describe = (type: string): string => type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
