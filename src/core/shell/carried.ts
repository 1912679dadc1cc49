// Commands that a program is given as text, in a word or after a sign in one: `flock f -c '…'`, `--to-command=…`, `!…`.
// They are looked at for rules that deny, and for nothing else.
import type { ShellPart, ShellReading } from "./shell-reading.ts";
import { nameOf } from "./unwrap.ts";
import { OTHER_WRAPPERS } from "./wrappers.ts";

/** Programs that give such texts to a shell. */
const TO_A_SHELL: ReadonlySet<string> = new Set([
  ...[
    ...OTHER_WRAPPERS,
    "git",
    "make",
    "gmake",
    "tar",
    "bsdtar",
    "split",
    "csplit",
    "rsync",
    "env",
    "xargs",
    "timeout",
  ],
]);

/** More than anybody writes. */
const MOST_TEXTS = 20;

export type Carried = { readonly parts: readonly ShellPart[]; readonly unread?: string };

export function carriedBy(part: ShellPart, read: (text: string) => ShellReading): Carried | undefined {
  const program = nameOf(part.words[0]) ?? "";
  if (program === "sed") return sedScripts(part.words).every(isPlainSed) ? undefined : SED;
  if (!TO_A_SHELL.has(program) || (program === "git" && isMessage(part.words))) return undefined;
  const texts = [...part.words.slice(1), ...(part.sets.length > 0 ? [part.text] : [])].flatMap((word) =>
    word === null ? [] : textsIn(word),
  );
  if (texts.length === 0) return undefined;
  if (texts.length > MOST_TEXTS)
    return { parts: [], unread: `${program} is given too many texts that may be commands` };
  const readings = texts.map(read);
  const unread = readings.find((one) => one.unread !== undefined)?.unread;
  return { parts: readings.flatMap(({ parts }) => parts), ...(unread !== undefined && { unread }) };
}

/** What git only records. */
const isMessage = (words: ShellPart["words"]): boolean => words[1] === "commit" || words[1] === "tag";

/** A word that is more than a name, and what follows the signs in it after which a command may stand. */
function textsIn(word: string): readonly string[] {
  if (!/[\s'"\\$`;&|<>(){}]/.test(word)) return [];
  const value = /^[\w.:-]*=(?:\w+=)?/.exec(word)?.[0].length ?? 0;
  const rest = word.slice(value).replace(/^!/, "");
  const behind = rest.indexOf("::");
  return behind >= 0 ? [rest.slice(behind + 2)] : [rest];
}

const SED: Carried = { parts: [], unread: "a script of sed can run commands" };

function sedScripts(words: ShellPart["words"]): readonly string[] {
  const args = words.slice(1);
  const given = args.flatMap((word, at) => {
    if (word === null) return [];
    if (/^-[a-zA-Z]*e$|^--expression$/.test(word)) return [args[at + 1] ?? ""];
    const joined = /^(?:-[a-zA-Z]*?e|--e[a-z]*=)([^]+)$/.exec(word);
    return joined ? [joined[1]!] : [];
  });
  if (given.length > 0 || args.some((word) => /^(?:-[a-zA-Z]*f|--fi)/.test(word ?? ""))) return given;
  const first = args.find((word) => word === null || !word.startsWith("-"));
  return typeof first === "string" ? [first] : [];
}

const ADDRESS = /(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/I?)/.source;
/** Addresses and commands of one letter, and substitutions whose flags run and write nothing. */
const STATEMENT = (): RegExp =>
  new RegExp(
    `(?:${ADDRESS}(?:,[+~]?${ADDRESS})? ?!?)?(?:[pdqDGHNPxhgnl={}]+|[aic](?:\\\\\\n?| )[^\\n]*|[sy]([/|#,:@])(?:(?!\\1)[^\\\\\\n]|\\\\[^])*\\1(?:(?!\\1)[^\\\\\\n]|\\\\[^])*\\1[gpiI\\d]*)?[;\\s}]*`,
    "y",
  );

function isPlainSed(script: string): boolean {
  if (script.length > 5_000) return false;
  const statement = STATEMENT();
  for (let at = 0; at < script.length;) {
    const found = statement.exec(script);
    if (!found || found[0] === "") return false;
    at += found[0].length;
    statement.lastIndex = at;
  }
  return true;
}
