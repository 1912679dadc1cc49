// Programs for which no grant counts, because what they do is decided by code that they are given: interpreters, shells,
// editors, and programs that run another one. Wrappers that the reading of a command knows are opaque there already.
import type { ShellPart } from "../shell/shell-reading.ts";
import { nameOf } from "../shell/unwrap.ts";

/** Why no grant can stand for this part; undefined where one may. */
export function neverGranted({ words }: Pick<ShellPart, "words">): string | undefined {
  const program = nameOf(words[0]);
  if (program === undefined) return undefined;
  const [verb, ...rest] = words.slice(1);
  const isKnownVerb = verb !== null && verb !== undefined && own(VERBS, program)?.includes(verb);
  if (RUNS_CODE.has(program.replace(VERSION, "")) && !isKnownVerb) return `${program} runs the code that it is given`;
  // After an option, which may take a word, any word may be the one that says what it does.
  const verbs = verb?.startsWith("-") ? rest : [verb];
  const runner = own(RUNNERS, program)?.find((one) => verbs.includes(one));
  if (runner !== undefined) return `${program} ${runner} runs another program`;
  const option = words.find((word) => word !== null && own(SCRIPT_OPTIONS, program)?.test(word));
  if (option === undefined) return undefined;
  return `${program} ${option} says which code it runs, or where`;
}

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** `python3.12`, `lua5.4`, `php8`. */
const VERSION = /(?<![\d.])-?\d+(\.\d+)*$/;

const RUNS_CODE: ReadonlySet<string> = new Set([
  ...["node", "nodejs", "deno", "bun", "tsx", "ts-node", "babel-node", "jiti", "esno", "python", "pypy", "ipython"],
  ...["perl", "ruby", "irb", "jruby", "php", "lua", "luajit", "Rscript", "R", "julia", "java", "jshell", "groovy"],
  ...["scala", "kotlin", "kotlinc", "clojure", "clj", "bb", "elixir", "iex", "erl", "escript", "ghci", "runghc"],
  ...["runhaskell", "ocaml", "racket", "guile", "sbcl", "tclsh", "wish", "expect", "swipl", "octave", "osascript"],
  ...["pwsh", "powershell", "cmd", "nu", "elvish", "xonsh", "tcsh", "csh", "mksh", "rbash", "rzsh", "awk", "gawk"],
  ...["mawk", "nawk", "vi", "vim", "nvim", "view", "ex", "ed", "emacs", "nano", "m4", "bc", "dc", "sqlite", "psql"],
  ...["mysql", "mongosh", "redis-cli", "wine", "ansible", "ansible-playbook"],
]);

/** What programs that run code can also do, and is no more than the project's own code. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  bun: ["test", "install", "add", "remove", "build"],
  deno: ["test", "check", "lint", "fmt"],
};

/** Words after which a program runs another one, or code from elsewhere. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npm: ["exec", "x", "init", "create", "explore", "innit", "edit"],
  pnpm: ["dlx", "exec", "create", "x"],
  yarn: ["dlx", "exec", "create", "node", "workspace", "workspaces"],
  uv: ["run", "tool", "x"],
  pipx: ["run"],
  poetry: ["run", "shell"],
  pipenv: ["run", "shell"],
  pdm: ["run"],
  hatch: ["run", "shell"],
  rye: ["run"],
  conda: ["run"],
  mamba: ["run"],
  bundle: ["exec"],
  go: ["run", "generate", "tool"],
  dotnet: ["run", "exec", "script", "fsi"],
  nix: ["run", "shell", "develop", "eval"],
  git: ["bisect", "submodule", "filter-branch", "difftool", "mergetool"],
  gh: ["alias", "extension", "codespace"],
  corepack: ["npm", "pnpm", "yarn"],
  rails: ["runner", "console", "c"],
  artisan: ["tinker"],
  mix: ["run", "eval"],
};

/** Options by which a program is told what to run, where or with which settings. */
const SCRIPT_OPTIONS: Readonly<Record<string, RegExp>> = {
  make: /^(-[a-zA-Z]*[fCIE]|--(file|makefile|directory|include-dir|eval))/,
  gmake: /^(-[a-zA-Z]*[fCIE]|--(file|makefile|directory|include-dir|eval))/,
  git: /^(-c|--config-env|--exec-path=|--upload-pack|--receive-pack|-x|--exec|--extcmd)/,
  npm: /^--(script-shell|node-options|prefix|globalconfig|userconfig)|^-C/,
  pnpm: /^--(script-shell|node-options|dir|shell-mode)|^-C/,
  cargo: /^(--config|-Z|-C|--manifest-path)/,
  go: /^--?(exec|toolexec|C|overlay|modfile|vettool)/,
  gradle: /^(-I|--init-script|-b|--build-file|-p|--project-dir)/,
  mvn: /^(-f|--file|-s|--settings)/,
  tar: /^(--to-command|--use-compress-program|-I|--checkpoint-action|-F|--info-script|--rsh-command)/,
  rsync: /^(-e|--rsh|--rsync-path)/,
};
