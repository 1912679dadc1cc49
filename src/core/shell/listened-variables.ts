// Variables by which bash itself runs something, or finds other programs: after one of them is set, in whatever way, it
// cannot be told what runs.
import type { SyntaxNode } from "unbash";
import type { ShellPart } from "./shell-reading.ts";

const NAMES = "PS4|BASH_CMDS|BASH_ALIASES|BASH_ENV|ENV|PROMPT_COMMAND|PATH|IFS|SHELLOPTS|BASHOPTS|BASH_FUNC_\\w*";
const NAME = new RegExp(`^(?:${NAMES})$`);
const SETTING = new RegExp(`^(?:${NAMES})(?:%%|\\(\\))?(?:\\[|\\+?=)`);
/** As a word of a builtin that sets variables, also right behind an option. */
const NAMED = new RegExp(`^(?:-[a-zA-Z]{1,9}?)?(?:${NAMES})(?:$|[[+=%])`);

const SETS: ReadonlySet<string> = new Set([
  ...["declare", "typeset", "local", "export", "readonly", "read", "mapfile", "readarray", "printf", "getopts", "wait"],
  ...["let", "builtin", "command"],
]);

const because = (name: string): string => `it sets ${name}, by which the shell may run something else`;

/** Of one node alone; undefined where it sets none of them. */
export function setsListened(node: SyntaxNode): string | undefined {
  if (node.type === "Command") {
    const reading = node.name?.text === "read";
    const name = node.prefix.flatMap((one) => (one.type === "Assignment" ? [one.name] : [])).find(isListened);
    // `IFS= read` is about this one line.
    return name === undefined || (name === "IFS" && reading) ? undefined : because(name);
  }
  if (node.type === "For" && isListened(node.name.text)) return because(node.name.text);
  if (node.type === "ParameterExpansion" && node.operation?.type === "Default" && isListened(node.parameter))
    return node.operation.operator.includes("=") ? because(node.parameter) : undefined;
  return undefined;
}

/** By the words of a part: of a builtin, or of a program that runs another with variables. */
export function namesListened({ words, sets }: ShellPart, mayStart: boolean): string | undefined {
  const [program, ...args] = words;
  if (program !== "read" && SETS.has(program ?? "") && sets.some(isListened)) return because(sets.find(isListened)!);
  const pattern = SETS.has(program ?? "") ? NAMED : mayStart ? SETTING : undefined;
  const found = pattern && args.find((word) => word !== null && pattern.test(word));
  return found ? because(found.slice(0, 40)) : undefined;
}

const isListened = (name: string): boolean => NAME.test(name);
