// What of git only reads, by its subcommand and the options that keep it so.
import { type ProgramOptions, type ReadOnly, pathsOf } from "./read-only-options.ts";

export function gitPart(args: readonly string[]): ReadOnly {
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

const GIT: Readonly<Record<string, ProgramOptions>> = {
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
