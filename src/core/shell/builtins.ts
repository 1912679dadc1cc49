// Builtins of bash, by what they may do to the reading of a command: a closed list of uses that change nothing, and for
// the others what they would have to be read for.
import type { ShellPart } from "./shell-reading.ts";

type Words = ShellPart["words"];

export type AboutBuiltin = {
  /** Why it is not certain what runs after it. */
  readonly doubt?: string;
  /** Programs that it names may not be found. */
  readonly unread?: string;
  /** It evaluates a subscript or an expression, and there may be commands in that. */
  readonly evaluates?: true;
  /** Commands that it is given as text. */
  readonly code?: string;
};

const nothing: AboutBuiltin = {};

export function aboutBuiltin(words: Words): AboutBuiltin {
  const [program, ...args] = words;
  if (program === null || program === undefined || !BUILTINS.has(program)) return nothing;
  if (Object.hasOwn(SAFE_USES, program) && SAFE_USES[program]!(args)) return nothing;
  const doubt = `${program} may set or evaluate variables, or change what later words mean`;
  const unsure = args.some((word) => word === null || word.includes("["));
  if (program === "trap" || program === "alias") return { doubt, ...aboutCode(program, args) };
  if (RUNS_CODE.test(program) || (/^(mapfile|readarray|hash|enable|jobs)$/.test(program) && args.some(isOption)))
    return { doubt, unread: `${program} can run commands that are not read` };
  if (program === "let" || unsure || args.some((word) => /^-[a-z]*[inv]/.test(word ?? "")))
    return { doubt, evaluates: true };
  return { doubt };
}

/** Builtins that are read elsewhere, as wrappers or shells, are not among them: `eval`, `exec`, `command`, `builtin`. */
const BUILTINS: ReadonlySet<string> = new Set([
  ...["printf", "test", "[", "wait", "jobs", "kill", "alias", "unalias", "source", ".", "trap", "enable", "hash"],
  ...["export", "declare", "typeset", "local", "readonly", "set", "shopt", "unset", "let", "read", "mapfile"],
  ...["readarray", "getopts", "bind", "complete", "compgen", "compopt", "fc", "history", "pushd", "popd", "dirs"],
  ...["ulimit", "umask", "caller", "coproc", "function", "disown", "bg", "fg", "suspend", "logout"],
]);

const RUNS_CODE = /^(bind|complete|compgen|compopt|fc|history|coproc|function|fg|bg)$/;

const isOption = (word: string | null): boolean => word === null || word.startsWith("-");

const SAFE_USES: Readonly<Record<string, (args: Words) => boolean>> = {
  printf: ([first]) => first !== null && !first?.startsWith("-"),
  wait: (args) => args.every((word) => word !== null && /^(-n|-f|\d+|%\d+)$/.test(word)),
  jobs: (args) => args.every((word) => word !== null && /^-[lnprs]+$/.test(word)),
  kill: (args) => !args.some((word) => word?.includes("[")),
  test: isSafeTest,
  "[": (args) => args.at(-1) === "]" && isSafeTest(args.slice(0, -1)),
};

const UNARY = /^-[abcdefghkprstuwxzGLNOSn]$/;
const BINARY = /^(=|==|!=|<|>|-(eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** `-v` and `-R` take a name whose subscript is evaluated: no word may turn out to be one of them. */
function isSafeTest(args: Words): boolean {
  const [first, second, third] = args;
  if (args.length < 2) return true;
  if (args.length === 2) return first === "!" || UNARY.test(first ?? "");
  if (args.length === 3) return BINARY.test(second ?? "") || (first === "!" && UNARY.test(second ?? ""));
  if (args.length === 4 && first === "!") return BINARY.test(third ?? "");
  return args.every((word) => word !== null && !/^-[vR]$/.test(word));
}

function aboutCode(program: string, args: Words): Pick<AboutBuiltin, "code" | "unread"> {
  if (args.includes(null)) return { unread: `what ${program} is given is known only when it runs` };
  const given = args as readonly string[];
  if (program === "alias") return { code: given.map((word) => word.replace(/^[^=]*=?/, "")).join("\n") };
  const action = given.find((word) => !/^-[lp]*$|^--$/.test(word));
  return given.length > 1 && action !== undefined ? { code: action } : {};
}
