// Whether a program may start what its arguments name. The list of those that do not is closed: any other program may,
// and a rule that denies looks for its words among the arguments.
import type { ShellPart } from "./shell-reading.ts";

/** "named": what is written in its arguments. "any": an argument that is known only when it runs, too. */
export type Starts = "nothing" | "named" | "any";

export function startsArguments({ words, wraps, sets }: ShellPart): Starts {
  const [program, ...args] = words;
  if (wraps || program === null || program === undefined) return "nothing";
  const own = /^(?:\/(?:usr\/)?(?:local\/)?s?bin\/)?([^/]+)$/.exec(program)?.[1];
  // A file of the project is a script like any other.
  if (own === undefined) return "named";
  if (SCRIPTED.has(own)) return "named";
  if (own === "git" ? !isPlainGit(args) : !NEVER.has(own)) return own === "git" ? "named" : "any";
  // An option or a variable can tell a program what to start.
  const told = sets.length > 0 || args.some(isStarting);
  return told ? "named" : "nothing";
}

/** A program takes the beginning of an option's name for the whole of it. */
const STARTING = [
  ...[
    "pre",
    "exec",
    "command",
    "compress-program",
    "use-compress-program",
    "to-command",
    "rsh",
    "rsh-command",
    "pager",
  ],
  ...["filter", "strip-program", "hostname-bin", "upload-pack", "receive-pack", "ext-diff", "open-files-in-pager"],
  ...["extcmd", "checkpoint-action", "info-script", "eval", "wrapper"],
];
function isStarting(word: string | null): boolean {
  const name = /^--?([a-z][a-z-]+)/.exec(word ?? "")?.[1];
  return (
    name !== undefined &&
    STARTING.some((one) => name.startsWith(one) || (word!.startsWith("--") && one.startsWith(name)))
  );
}

const NEVER: ReadonlySet<string> = new Set([
  ...["pwd", "true", "false", ":", "echo", "printf", "uname", "nproc", "seq", "basename", "dirname", "which", "type"],
  ...["ls", "cat", "tac", "head", "tail", "nl", "wc", "stat", "file", "du", "df", "cut", "uniq", "sort", "comm", "cmp"],
  ...["realpath", "readlink", "md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "grep", "egrep", "fgrep", "rg"],
  ...["find", "fd", "fdfind", "diff", "patch", "tr", "tee", "paste", "join", "fold", "fmt", "expand", "rev", "column"],
  ...["cp", "mv", "rm", "rmdir", "mkdir", "touch", "ln", "chmod", "chown", "chgrp", "install", "truncate", "mktemp"],
  ...["date", "sleep", "kill", "pkill", "pgrep", "ps", "id", "whoami", "hostname", "test", "[", "cd", "exit", "return"],
  ...["break", "continue", "shift", "set", "shopt", "export", "declare", "typeset", "local", "readonly", "unset"],
  ...["read", "mapfile", "readarray", "getopts", "umask", "ulimit", "pushd", "popd", "dirs", "wait", "jobs", "let"],
  ...["source", ".", "trap", "alias", "unalias", "times", "disown", "caller", "hash", "jq", "yq", "tsc", "prettier"],
  ...["eslint", "oxlint", "biome", "stylelint", "vitest", "jest", "mocha", "pytest", "mypy", "ruff", "black", "flake8"],
  ...["rustc", "rustfmt", "gofmt", "gcc", "g++", "clang", "javac", "gzip", "gunzip", "bzip2", "xz", "unzip", "curl"],
  ...["base64", "xxd", "od", "hexdump", "strings", "iconv", "lsof", "free", "uptime", "history", "command", "less"],
]);

/** They run scripts and tasks that stand elsewhere; what is written in their arguments may be one, too. */
const SCRIPTED: ReadonlySet<string> = new Set([
  ...[
    "node",
    "deno",
    "bun",
    "tsx",
    "python",
    "python2",
    "python3",
    "pip",
    "pip3",
    "ruby",
    "perl",
    "php",
    "lua",
    "java",
  ],
  ...["npm", "pnpm", "yarn", "cargo", "go", "make", "cmake", "ninja", "mvn", "gradle", "dotnet", "composer", "bundle"],
  ...["gem", "poetry", "uv", "awk", "gawk", "mawk", "sed", "tar", "rsync", "psql", "sqlite3", "mysql", "gh", "glab"],
  ...[
    "apt",
    "apt-get",
    "brew",
    "dnf",
    "yum",
    "apk",
    "terraform",
    "helm",
    "sous",
    "claude",
    "code",
    "vim",
    "vi",
    "nano",
  ],
]);

const GIT_PLAIN: ReadonlySet<string> = new Set([
  ...["add", "commit", "status", "log", "diff", "show", "push", "pull", "fetch", "checkout", "switch", "branch"],
  ...["merge", "stash", "tag", "reset", "restore", "mv", "rm", "init", "rev-parse", "rev-list", "ls-files", "ls-tree"],
  ...["blame", "describe", "remote", "cherry-pick", "revert", "clean", "reflog", "shortlog", "cat-file", "merge-base"],
]);

/** A known subcommand, and no option that names a program. */
function isPlainGit(args: ShellPart["words"]): boolean {
  const verb = args.find((word, at) => word === null || (!word.startsWith("-") && args[at - 1] !== "-C"));
  if (verb === null || verb === undefined) return verb === undefined;
  const before = args.slice(0, args.indexOf(verb));
  if (before.some((word) => word === null || !/^(--no-pager|-P|-C|--no-optional-locks)$|^[^-]/.test(word)))
    return false;
  return (
    GIT_PLAIN.has(verb) &&
    !args.some((word) => /^-[xO]|^[\w.+-]+::/.test(word ?? "") || (word?.startsWith("--") && isStarting(word)))
  );
}
