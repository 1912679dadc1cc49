// What of git only reads, by a closed grammar of each verb: options that are known whole, revisions, and paths. A word
// that could be a revision or a path is judged as both. What is not certainly one of these asks.
import type { ReadOnly } from "./read-only-options.ts";
import type { ShellPart } from "./shell-reading.ts";
import { PLAIN_WRAPPERS } from "./wrappers.ts";

type Verb = {
  /** Whole options, with their value where it belongs to the same word; these show no contents. */
  readonly names: RegExp;
  /** The same for options with which it shows what files hold or held. */
  readonly contents?: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** Whatever its options are. */
  readonly alwaysContents?: true;
  /** It takes no operands: more words would change something. */
  readonly bare?: true;
  /** Options that keep it from looking into other repositories, and from starting what drivers name. */
  readonly added?: (words: readonly string[]) => readonly string[];
};

/** The paths that it reads; undefined where it is not known to only read. */
export function gitPart(args: readonly string[]): ReadOnly {
  const { verb, words } = split(args);
  if (!verb) return undefined;
  const paths: string[] = [];
  let contents = verb.alwaysContents ?? false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      paths.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith("-")) {
      const named = asRevisionOrPath(word);
      if (!named) return undefined;
      paths.push(...named);
    } else if (verb.valued?.test(word)) {
      contents ||= /^-[SG]$/.test(word);
      at += 1;
      if (at >= words.length) return undefined;
    } else if (verb.contents?.test(word)) contents = true;
    else if (!verb.names.test(word)) return undefined;
  }
  if (verb.bare && paths.length > 0) return undefined;
  // Signs before a path give it another meaning.
  if (paths.some((path) => path.startsWith(":") || path === "" || path === "-")) return undefined;
  return { paths, git: contents ? "contents" : "names" };
}

/** Whether a part is git that only reads: it is run with more words than it was given. */
export const isReadingGit = ({ words, sets }: ShellPart): boolean =>
  words[0] === "git" &&
  sets.length === 0 &&
  words.every((word) => word !== null) &&
  gitPart(words.slice(1)) !== undefined;

/** What such a command is given besides, so that no other repository's configuration counts; undefined for any other. */
export function addToGit(words: ShellPart["words"]): { at: number; words: readonly string[] } | undefined {
  const git = words.indexOf("git");
  if (git < 0 || (git > 0 && !Object.hasOwn(PLAIN_WRAPPERS, words[0] ?? ""))) return undefined;
  if (!isReadingGit({ words: words.slice(git), text: "", sets: [] })) return undefined;
  const { verb, before, words: given } = split(words.slice(git + 1) as readonly string[]);
  return { at: git + 1 + before.length + 1, words: verb?.added?.(given) ?? [] };
}

function split(args: readonly string[]) {
  const before = args[0] === "--no-pager" ? args.slice(0, 1) : [];
  const [name, ...words] = args.slice(before.length);
  return { before, words, verb: name !== undefined && Object.hasOwn(VERBS, name) ? VERBS[name] : undefined };
}

/** As a path, and as the path in a revision (`HEAD:src/a.ts`); undefined for what could mean more. */
function asRevisionOrPath(word: string): readonly string[] | undefined {
  const [, revision, path] = /^([^:]*):(.*)$/s.exec(word) ?? [];
  if (revision === undefined || path === undefined) return [word];
  return /^[\w@][\w@^~{}./-]*$/.test(revision) && path !== "" ? [word, path] : undefined;
}

const whole = (...options: readonly RegExp[]): RegExp =>
  new RegExp(`^(?:${options.map(({ source }) => source).join("|")})$`, "s");

/** Only fields of a commit: others start a program that checks signatures. */
const FIELD =
  /%(?:[%nHhTtPpdDSesfbBm]|[+\- ][sbBdD]|[ac][nNeElLdDrtiIsh]|x[0-9a-fA-F]{2}|C(?:red|green|blue|reset|auto)|C\([a-z0-9 ,#]+\)|[<>]\(\d+(?:,\w+)?\))/;
const FORMAT = new RegExp(
  `--(?:format|pretty)=(?:oneline|short|medium|full|fuller|reference|raw|(?:t?format:)?(?:[^%]|${FIELD.source})*)`,
);

const LISTS = /--(?:stat(?:=\d+(?:,\d+)*)?|shortstat|numstat|name-only|name-status|summary|compact-summary)/;
const COLORS = /--(?:no-color|color(?:=(?:always|never|auto))?)/;
const RENAMES = /-M\d*%?|--find-renames(?:=\d+%?)?|--no-renames|--diff-filter=[A-Za-z*]+/;
const PATCH = new RegExp(
  [
    "-[puwbaWR]|-U\\d+|--(?:patch|unified=\\d+|text|minimal|patience|histogram|full-index|function-context|raw|check)",
    "--ignore-(?:all-space|space-change|space-at-eol|blank-lines)",
    "--diff-algorithm=(?:patience|minimal|histogram|myers)|--word-diff(?:=(?:color|plain|porcelain|none))?",
  ].join("|"),
);
const HISTORY = new RegExp(
  [
    "-\\d+|-n\\d+|-[iEFsq]|--(?:max-count|skip)=\\d+|--no-patch|--(?:since|after|until|before|author|committer|grep|date)=.*",
    "--(?:oneline|graph|all|branches|tags|remotes|decorate(?:=(?:short|full|auto|no))?|no-decorate|reverse|merges|no-merges)",
    "--(?:first-parent|abbrev-commit|no-abbrev-commit|follow|topo-order|date-order|all-match|invert-grep|full-history)",
    "--abbrev(?:=\\d+)?|--left-right|--no-walk",
  ].join("|"),
);
const SORT = /--sort=-?(?:committerdate|authordate|creatordate|refname|version:refname|v:refname)/;
const NEXT_WORD = /^(?:-[nSG]|--(?:max-count|skip|since|after|until|before|author|committer|grep))$/;

/** Another repository inside of this one has a configuration of its own, and git would ask a git in there for changes. */
const NOT_INSIDE = "--ignore-submodules=dirty";
/** Compared with files, the id shown would be one of that other repository, wherever it stands. */
const NOT_AT_ALL = "--ignore-submodules=all";
const PLAIN_DIFF = ["--no-ext-diff", "--no-textconv"];

/** Of a command as it is printed: whether changes inside submodules are missing in what it shows. */
export const leavesOutSubmodules = (command: string): boolean =>
  command.includes(NOT_AT_ALL) || new RegExp(`\\bstatus'? '?${NOT_INSIDE}`).test(command);

/** Whether a diff certainly compares only what is recorded, in commits and in the index. */
function comparesRecorded(words: readonly string[]): boolean {
  const end = words.indexOf("--");
  const before = end < 0 ? words : words.slice(0, end);
  if (before.some((word) => word === "--cached" || word === "--staged")) return true;
  const [first = "", second = ""] = before.filter((word) => !word.startsWith("-"));
  return RANGE.test(first) || (COMMIT.test(first) && COMMIT.test(second));
}

const RANGE = /^(?!\.+$)(?:.*[^./])?\.\.\.?(?:[^./].*)?$/s;
/** Where a file has such a name, too, git refuses. */
const COMMIT = /^(?:HEAD|@|[0-9a-f]{7,64})(?:[~^]\d*)*$/;

const VERBS: Readonly<Record<string, Verb>> = {
  // With -v it compares once more, and looks into submodules whatever it is told.
  status: {
    names: whole(
      /-(?=.)[sbz]*(?:u(?:no|normal|all)?)?/,
      /--(?:short|branch|long|porcelain(?:=v?[12])?|untracked-files(?:=(?:no|normal|all))?|show-stash)/,
      /--(?:ignored(?:=(?:traditional|no|matching))?|(?:no-)?ahead-behind|(?:no-)?renames)/,
    ),
    added: () => [NOT_INSIDE],
  },
  log: {
    names: whole(HISTORY, FORMAT, LISTS, COLORS, RENAMES),
    contents: whole(PATCH, /-[SG].+/s),
    valued: NEXT_WORD,
    added: () => [NOT_INSIDE, ...PLAIN_DIFF],
  },
  show: {
    names: whole(HISTORY, FORMAT, LISTS, COLORS, RENAMES, PATCH),
    valued: NEXT_WORD,
    alwaysContents: true,
    added: () => [NOT_INSIDE, ...PLAIN_DIFF],
  },
  diff: {
    names: whole(
      LISTS,
      COLORS,
      RENAMES,
      PATCH,
      /--(?:cached|staged|exit-code|quiet|merge-base|abbrev(?:=\d+)?)|-[qsz]/,
    ),
    alwaysContents: true,
    added: (words) => [comparesRecorded(words) ? NOT_INSIDE : NOT_AT_ALL, ...PLAIN_DIFF],
  },
  branch: { names: whole(/-[arv]+|--(?:all|remotes|list|show-current|verbose)/, COLORS, SORT), bare: true },
  "rev-parse": {
    names:
      /^(?:-q|--(?:quiet|show-toplevel|show-prefix|show-cdup|abbrev-ref|short(?:=\d+)?|verify|symbolic-full-name|is-inside-work-tree))$/,
  },
  "ls-files": {
    names:
      /^(?:-[comdstz]+|--(?:others|cached|modified|deleted|stage|exclude-standard|full-name|directory|error-unmatch))$/,
  },
  // It shows the lines of the one file that it is given.
  blame: {
    names: whole(/-[wesflntp]|-[MC]\d*|-L.+|--(?:porcelain|line-porcelain|show-email|date=.*)/),
    valued: /^-L$/,
  },
  describe: { names: /^--(?:tags|always|all|long|exact-match|first-parent|abbrev=\d+)$/ },
  remote: { names: /^(?:-v|--verbose)$/, bare: true },
  tag: { names: whole(/-l|--list|-n\d*/, SORT), bare: true },
};
