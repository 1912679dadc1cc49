// Commands that only read, by program and by the options that keep them so: everything not in the table asks.
import type { ShellPart } from "./shell-reading.ts";

/** The paths such a command reads; undefined when it is not known to only read. */
export type ReadOnly =
  | {
      readonly paths: readonly string[];
      /** What is below the paths is read too. */
      readonly deep?: boolean;
      /** It is git, and shows what files hold or held, or less than that. */
      readonly git?: "contents" | "names";
    }
  | undefined;

type Program = {
  /** Short options that may be joined, and may end in a number. */
  readonly short?: string;
  readonly long?: readonly string[];
  /** Options whose value is the next word. */
  readonly valued?: readonly string[];
  /** How many operands come before the paths: a pattern. */
  readonly skip?: number;
  /** More operands than this would be written to. */
  readonly most?: number;
  /** Its operands are no paths. */
  readonly noPaths?: true;
};

const nothing: Program = { noPaths: true };
const lines: Program = { short: "ncqvz", long: ["lines", "bytes", "quiet", "verbose"], valued: ["-n", "-c"] };
const sums: Program = { short: "bt", long: ["binary", "text"] };
const searching: Program = {
  short: "iIvwxcnlLhHsoqEFGPrabmABC",
  long: [
    ...["ignore-case", "invert-match", "word-regexp", "line-regexp", "count", "line-number", "files-with-matches"],
    ...["files-without-match", "no-filename", "with-filename", "only-matching", "extended-regexp", "fixed-strings"],
    ...["recursive", "include", "exclude", "exclude-dir", "max-count", "context", "after-context", "before-context"],
  ],
  valued: ["-m", "-A", "-B", "-C"],
  skip: 1,
};

const PROGRAMS: Readonly<Record<string, Program>> = {
  pwd: nothing,
  true: nothing,
  false: nothing,
  ":": nothing,
  echo: { ...nothing, short: "neE" },
  uname: { ...nothing, short: "asnrvmpio" },
  nproc: { ...nothing, long: ["all"] },
  seq: { ...nothing, short: "w0123456789" },
  basename: { ...nothing, short: "az" },
  dirname: { ...nothing, short: "z" },
  which: { ...nothing, short: "a" },
  ls: {
    short: "aAlhtrRSF1dgiGnopsuUXBQ",
    long: ["all", "almost-all", "human-readable", "reverse", "recursive", "directory", "classify"],
  },
  cat: { short: "AbeEnstTuv", long: ["number", "show-all", "show-ends", "number-nonblank"] },
  tac: {},
  head: lines,
  tail: lines,
  nl: { short: "b" },
  wc: { short: "lwcmL", long: ["lines", "words", "bytes", "chars"] },
  stat: { short: "cLt", long: ["format", "printf", "terse"], valued: ["-c"] },
  file: { short: "bihkL", long: ["brief", "mime", "mime-type"] },
  du: { short: "shackdx", long: ["summarize", "human-readable", "max-depth", "all", "total"], valued: ["-d"] },
  cut: { short: "dfcbs", long: ["delimiter", "fields", "characters", "complement"], valued: ["-d", "-f", "-c", "-b"] },
  uniq: { short: "cdiu", long: ["count", "repeated", "unique", "ignore-case"], most: 1 },
  sort: { short: "nrufhbdgiMRVk", long: ["numeric-sort", "reverse", "unique"], valued: ["-k"] },
  comm: { short: "123" },
  cmp: { short: "bls" },
  realpath: { short: "emqsz" },
  readlink: { short: "efmnqsvz" },
  md5sum: sums,
  sha1sum: sums,
  sha256sum: sums,
  grep: searching,
  egrep: searching,
  fgrep: searching,
  rg: {
    short: "iSsvwxclnNHFoqgtTABCmu",
    long: [
      ...["ignore-case", "smart-case", "case-sensitive", "word-regexp", "line-number", "no-line-number", "count"],
      ...["files-with-matches", "fixed-strings", "glob", "type", "type-not", "hidden", "no-ignore", "max-count"],
      ...["context", "after-context", "before-context", "only-matching", "multiline", "sort", "heading", "no-heading"],
    ],
    valued: ["-g", "-t", "-T", "-A", "-B", "-C", "-m"],
    skip: 1,
  },
};

const GIT: Readonly<Record<string, Program>> = {
  status: { short: "sbuvz", long: ["short", "branch", "porcelain", "untracked-files", "ignored"] },
  log: {
    short: "pnS0123456789ig",
    long: [
      ...["oneline", "stat", "shortstat", "name-only", "name-status", "graph", "all", "decorate", "patch", "max-count"],
      ...["since", "until", "author", "grep", "reverse", "merges", "no-merges", "first-parent", "format", "pretty"],
      ...["abbrev-commit", "date", "follow", "numstat", "no-color", "no-patch"],
    ],
    valued: ["-n", "-S"],
  },
  show: {
    short: "pqs",
    long: ["stat", "name-only", "name-status", "oneline", "format", "pretty", "no-patch", "numstat"],
  },
  diff: {
    short: "pwbMU",
    long: [
      "stat",
      "shortstat",
      "numstat",
      "name-only",
      "name-status",
      "cached",
      "staged",
      "word-diff",
      "unified",
      "check",
    ],
  },
  branch: { short: "arv", long: ["all", "remotes", "list", "show-current", "verbose"], most: 0 },
  "rev-parse": {
    short: "q",
    long: ["show-toplevel", "abbrev-ref", "short", "verify", "git-dir", "is-inside-work-tree"],
  },
  "ls-files": { short: "comdsz", long: ["others", "cached", "modified", "deleted", "exclude-standard", "stage"] },
  blame: { short: "Lwes", valued: ["-L"] },
  describe: { long: ["tags", "always", "dirty", "abbrev"] },
  remote: { short: "v", most: 0 },
  tag: { short: "l", long: ["list"], most: 0 },
};

export function readOnlyPart({ words, sets, opaque, wraps }: ShellPart): ReadOnly {
  if (wraps) return { paths: [] };
  if (sets.length > 0 || opaque !== undefined || words.includes(null)) return undefined;
  const [program, ...args] = words as readonly string[];
  if (program === undefined) return undefined;
  if (program === "git") return gitPart(args);
  if (program === "find") return findPart(args);
  if (program === "sed") return sedPart(args);
  if (program === "command") return args.length === 2 ? { paths: [] } : undefined;
  const table = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  const paths = table && pathsOf(args, table);
  if (!paths || !isDeep(program, args)) return paths && { paths };
  return { paths: paths.length > 0 ? paths : ["."], deep: true };
}

const isDeep = (program: string, args: readonly string[]): boolean =>
  program === "rg" || (program.endsWith("grep") && args.some((arg) => /^-[a-zA-Z]*r|^--recursive$/.test(arg)));

/** The operands that are paths, or undefined when an option is not known to be harmless. */
function pathsOf(args: readonly string[], table: Program): readonly string[] | undefined {
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") operands.push(word);
    else if (!isKnown(word, table)) return undefined;
    else if (table.valued?.includes(word)) at++;
  }
  if (table.most !== undefined && operands.length > table.most) return undefined;
  return table.noPaths ? [] : operands.slice(table.skip ?? 0).filter((word) => word !== "-");
}

/** Only whole names: a program would take `--outp` for `--output`. */
function isKnown(word: string, { short = "", long = [], valued = [] }: Program): boolean {
  if (word.startsWith("--")) return long.includes(word.slice(2).split("=")[0] ?? "");
  if (valued.includes(word.slice(0, 2)) && word.length > 2) return true;
  const letters = word.slice(1).replace(/\d+$/, "");
  return [...letters].every((letter) => short.includes(letter));
}

function gitPart(args: readonly string[]): ReadOnly {
  const rest = args[0] === "--no-pager" ? args.slice(1) : args;
  const [verb, ...words] = rest;
  const table = verb !== undefined && Object.hasOwn(GIT, verb) ? GIT[verb] : undefined;
  const paths = table && pathsOf(words, table);
  const shows =
    verb === "show" ||
    verb === "diff" ||
    (verb === "log" && words.some((word) => /^-[a-zA-Z0-9]*[pS]|^--patch/.test(word)));
  return paths && { paths: paths.map((path) => path.replace(/^[^:]*:(?=.)/, "")), git: shows ? "contents" : "names" };
}

const FIND_TESTS =
  /^-(name|iname|path|ipath|wholename|type|maxdepth|mindepth|size|mtime|mmin|newer|regex|iregex|perm|user|group|printf)$/;
const FIND_WORDS = /^(-(not|o|a|and|or|print|print0|empty|prune|ls|true|false|readable|executable|depth)|!|\(|\))$/;

function findPart(args: readonly string[]): ReadOnly {
  const first = args.findIndex((word) => /^[-(!]/.test(word));
  const paths = first < 0 ? args : args.slice(0, first);
  for (let at = first < 0 ? args.length : first; at < args.length; at++) {
    const word = args[at] ?? "";
    if (FIND_TESTS.test(word)) at++;
    else if (!FIND_WORDS.test(word)) return undefined;
  }
  return { paths };
}

/** `sed -n 10,20p file` and nothing else: a script of sed can write and run. */
function sedPart(args: readonly string[]): ReadOnly {
  const [flag, script, ...paths] = args;
  const prints = flag === "-n" && /^\d+(,(\d+|\$))?p$/.test(script ?? "");
  return prints && paths.every((path) => !path.startsWith("-")) ? { paths } : undefined;
}
