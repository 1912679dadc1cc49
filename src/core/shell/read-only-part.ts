// Commands that only read, by program and by the options that keep them so: everything not in the table asks.
import { gitPart } from "./read-only-git.ts";
import { type ProgramOptions, type ReadOnly, pathsOf } from "./read-only-options.ts";
import type { ShellPart } from "./shell-reading.ts";

const nothing: ProgramOptions = { noPaths: true };
const lines: ProgramOptions = { short: "ncqvz", long: ["lines", "bytes", "quiet", "verbose"], valued: ["-n", "-c"] };
const sums: ProgramOptions = { short: "bt", long: ["binary", "text"] };
const searching: ProgramOptions = {
  short: "iIvwxcnlLhHsoqEFGPrabmABC",
  long: [
    ...["ignore-case", "invert-match", "word-regexp", "line-regexp", "count", "line-number", "files-with-matches"],
    ...["files-without-match", "no-filename", "with-filename", "only-matching", "extended-regexp", "fixed-strings"],
    ...["recursive", "include", "exclude", "exclude-dir", "max-count", "context", "after-context", "before-context"],
  ],
  valued: ["-m", "-A", "-B", "-C"],
  skip: 1,
};

const PROGRAMS: Readonly<Record<string, ProgramOptions>> = {
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
