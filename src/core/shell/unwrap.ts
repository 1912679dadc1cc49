// Programs that run other programs: what they run is a part of its own, so that every rule reaches it.
import type { ShellPart } from "./shell-reading.ts";

type Words = ShellPart["words"];
type ReadInner = (command: string) => readonly ShellPart[];

const DEEPEST = 8;

/** The part itself, and everything it is known to run. */
export function unwrap(
  part: ShellPart,
  depth: number,
  readInner: ReadInner,
  doubtful: (why: string) => void,
): readonly ShellPart[] {
  const program = nameOf(part.words[0]);
  if (program === undefined) {
    doubtful("what program it runs is known only when it runs");
    return [part];
  }
  if (depth > DEEPEST) {
    doubtful("its wrappers are nested too deep");
    return [part];
  }
  const inner = (words: Words): readonly ShellPart[] =>
    words.length === 0 ? [] : unwrap(partOf(words), depth + 1, readInner, doubtful);

  // It only says what a word means.
  if (program === "command" && /^-[vV]$/.test(part.words[1] ?? "")) return [part];
  if (Object.hasOwn(PLAIN_WRAPPERS, program)) {
    const rest = afterOptions(part.words, PLAIN_WRAPPERS[program]!);
    // With options that are not known here it cannot be told where the inner command begins.
    if (rest === undefined) {
      if (part.words.includes(null)) doubtful(`what ${program} runs is known only when it runs`);
      return [{ ...part, opaque: `${program} runs another program` }, ...guessed(part, inner)];
    }
    // A file of that name somewhere may be anything.
    if (part.words[0] !== program) return [{ ...part, opaque: `${part.words[0]} may be any program` }, ...inner(rest)];
    return rest.length === 0 ? [part] : [{ ...part, wraps: true }, ...inner(rest)];
  }
  if (SHELLS.has(program)) {
    const at = part.words.findIndex((word) => word !== null && /^-[a-z]*c[a-z]*$/.test(word));
    const command = at < 0 ? undefined : part.words[at + 1];
    if (command === null) doubtful(`what ${program} runs is known only when it runs`);
    return [{ ...part, opaque: `${program} runs what it is given` }, ...(command ? readInner(command) : [])];
  }
  if (program === "eval") {
    const words = part.words.slice(1);
    if (words.includes(null)) doubtful("what eval runs is known only when it runs");
    return [{ ...part, opaque: "eval runs what it is given" }, ...readInner(words.map((word) => word ?? "").join(" "))];
  }
  if (program === "find" || program === "fd" || program === "fdfind") return [...findParts(part, inner)];
  if (OTHER_WRAPPERS.has(program)) {
    if (part.words.includes(null)) doubtful(`what ${program} runs is known only when it runs`);
    return [{ ...part, opaque: `${program} runs another program` }, ...guessed(part, inner)];
  }
  if (EVALUATING.has(program) && (part.words[1] === null || part.words.some((word) => /^-[vRp]/.test(word ?? ""))))
    doubtful(`${program} may evaluate the name of a variable, which can run commands`);
  if (SHELL_CHANGERS.has(program)) doubtful(`${program} changes what later words mean`);
  return [part];
}

/** A program by its name alone, wherever it stands. */
export const nameOf = (word: string | null | undefined): string | undefined =>
  word === null || word === undefined ? undefined : (word.split("/").at(-1) ?? word);

const partOf = (words: Words): ShellPart => ({ words, text: words.map((word) => word ?? "…").join(" "), sets: [] });

/** They do nothing but run the rest of their words; the pattern says which options they may have, the number how many operands. */
const PLAIN_WRAPPERS: Readonly<Record<string, { readonly options: RegExp; readonly operands: number }>> = {
  timeout: {
    options: /^(-k\d+\w?|--kill-after=\d+\w?|-s[A-Z]+|--signal=[A-Z]+|--preserve-status|--foreground|-v|--verbose)$/,
    operands: 1,
  },
  nice: { options: /^(-n-?\d+|-\d+|--adjustment=-?\d+)$/, operands: 0 },
  nohup: { options: /^$/, operands: 0 },
  setsid: { options: /^(-w|--wait|-f|--fork|-c|--ctty)$/, operands: 0 },
  stdbuf: { options: /^-[ioe](L|0|\d+[KMG]?)$/, operands: 0 },
  ionice: { options: /^(-c\d|-n\d|-t)$/, operands: 0 },
  time: { options: /^-[pv]+$/, operands: 0 },
  command: { options: /^-p$/, operands: 0 },
  builtin: { options: /^$/, operands: 0 },
  env: { options: /^$/, operands: 0 },
};

/** undefined: its options are not all known. */
function afterOptions(words: Words, { options, operands }: { options: RegExp; operands: number }): Words | undefined {
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
    at > 0 && word !== null && /^[\w./-]*[a-zA-Z][\w.-]*$/.test(word) && !word.startsWith("-") ? [at] : [],
  );
  return starts.slice(0, 5).flatMap((at) => inner(part.words.slice(at)));
}

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "ash", "fish"]);

const OTHER_WRAPPERS: ReadonlySet<string> = new Set([
  ...["sudo", "doas", "su", "runuser", "xargs", "watch", "parallel", "exec", "busybox", "toybox", "ssh", "chroot"],
  ...["unshare", "nsenter", "setpriv", "strace", "ltrace", "gdb", "script", "flock", "chrt", "taskset", "systemd-run"],
  ...["docker", "podman", "kubectl", "npx", "pnpx", "bunx", "uvx", "entr", "rlwrap", "unbuffer", "proot", "fakeroot"],
  ...[
    "dbus-run-session",
    "screen",
    "tmux",
    "at",
    "batch",
    "crontab",
    "start-stop-daemon",
    "bwrap",
    "firejail",
    "faketime",
  ],
]);

/** Builtins after which a word may mean another program, or that run code themselves. */
const SHELL_CHANGERS: ReadonlySet<string> = new Set([
  ...["alias", "unalias", "source", ".", "trap", "enable", "hash", "export", "declare", "typeset", "local", "readonly"],
  ...[
    "set",
    "shopt",
    "unset",
    "let",
    "read",
    "mapfile",
    "readarray",
    "getopts",
    "bind",
    "complete",
    "compgen",
    "compopt",
  ],
  ...["fc", "history", "pushd", "popd", "ulimit", "umask", "coproc", "function", "caller", "dirs"],
]);

/** They take the name of a variable after some option, with an index that is evaluated. */
const EVALUATING: ReadonlySet<string> = new Set(["printf", "test", "[", "wait"]);

const FIND_RUNS: ReadonlySet<string> = new Set([
  "-exec",
  "-execdir",
  "-ok",
  "-okdir",
  "-x",
  "-X",
  "--exec",
  "--exec-batch",
]);

function* findParts(part: ShellPart, inner: (words: Words) => readonly ShellPart[]): Iterable<ShellPart> {
  const { words } = part;
  const runs = words.some((word) => word === null || FIND_RUNS.has(word) || /^-(delete|fprint|fls)/.test(word));
  yield runs ? { ...part, opaque: "find may run programs or change files" } : part;
  for (const [at, word] of words.entries()) {
    if (word === "-delete") yield partOf(["rm"]);
    if (word === null || !FIND_RUNS.has(word)) continue;
    const end = words.findIndex((one, n) => n > at && (one === ";" || one === "+"));
    yield* inner(words.slice(at + 1, end < 0 ? undefined : end));
  }
}
