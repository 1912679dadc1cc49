// `sous changes`: what the tools of a session made of files, and the way back; what agents changed in copies of their
// own, and the way in.
import { relative } from "node:path";
import { ROOT } from "../../core/ids.ts";
import {
  type ChangedFile,
  type Changes,
  chooseChanged,
  listChanges,
  revertChanges,
  sessionsWithChanges,
} from "../../host/changes.ts";
import { findAddress } from "../../host/control/find-address.ts";
import { diffOf } from "../../host/changes-diff.ts";
import { type Scope, scopeOf } from "../../host/project-scope.ts";
import { stateDirOf } from "../../host/state-dir.ts";
import { count } from "../../std/count.ts";
import { nearest } from "../../std/nearest.ts";
import { type CopyRow, type ShowTo, type ShowWishes, copyRows, copyText, decide, showCopy } from "./changed-copies.ts";
import { diffLines } from "./diff-text.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { createOutput } from "./output.ts";
import { confirmedRevert } from "./confirmed-revert.ts";
import { onlyAPerson } from "./only-a-person.ts";
import { plainJson, plainText } from "./plain-text.ts";
import { shownIds } from "./shown-ids.ts";
import { UsageError } from "./usage-error.ts";

export const changesFlags = {
  json: { help: "for programs" },
  all: { help: "of every project, not only of the one this folder belongs to" },
  stat: { help: "show: only which files, not what changed in them" },
  yes: { short: "y", help: "revert without asking" },
  force: { help: "revert also files that something else has changed" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions are kept" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const VERBS = ["list", "show", "apply", "keep", "discard", "revert"] as const;
const NOT_COVERED =
  "What commands (Bash) changed is not listed and not reverted: only Write and Edit keep what they replace.";
/** Reading every journal of years would take its time. */
const MOST_LISTED = 30;

export const changesHelp = `sous changes [list|show ID [FILE…]|apply ID [FILE…]|keep ID|discard ID|revert ID [FILE…]] [flags]

  list                 sessions that changed files, and agents with changes in copies of their own, newest first
  show ID [FILE…]      the files of one session or copy: what was done, how they are now, what applying would do, and
                       the diff, of all or of these files (--stat: without it)
  apply ID [FILE…]     brings the changes of an agent's copy into the project; nothing at all where one conflicts
  keep ID              makes them a branch of the project's repository
  discard ID           throws the copy away
  revert ID [FILE…]    takes the changes back, byte for byte, permission bits too; files it made are removed; asks
                       first, or with --yes does not
ID is a session id, the start of one, or "last" (the newest of this project); for a copy an agent as in sous ps: its id
or name, or last/ROOT::S1.
A file that something else has changed since is not reverted: nothing is.

flags
      --json             for programs
      --all              of every project, not only of the one this folder belongs to
      --stat             show: only which files, not what changed in them
  -y, --yes              revert without asking
      --force            revert also files that something else has changed
      --state-dir DIR    where sessions are kept
  -h, --help             this text

${NOT_COVERED}

examples
  sous changes
  sous changes show last
  sous changes show last/S1 --stat
  sous changes apply last/S1 src/main.ts
  sous changes revert last
  sous changes revert last src/main.ts`;

export async function changes(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("changes", changesFlags, words);
  const [output, errors] = [createOutput(1), createOutput(2)];
  const stateDir = stateDirOf(process.env, flags["state-dir"]);
  const [verb = "list", wanted, ...files] = rest;
  const json = flags.json ?? false;
  const say = (line: string): void => output.line(line);
  const to = { say, print: (line: string): void => output.prepared(line) };
  const scope: Scope = flags.all ? "all" : await scopeOf(process.cwd(), process.env);
  if (flags.help) say(changesHelp);
  else if (verb === "list") await list(stateDir, scope, json, say);
  else if (verb === "show") {
    const { tree, session } = await findAddress(stateDir, needed(verb, wanted), scope);
    const wishes = { files, json, stat: flags.stat ?? false };
    if (session !== tree) await showCopy(stateDir, tree, session, wishes, to);
    else {
      const [found, copies] = [await listChanges(stateDir, tree), await copyRows(stateDir, tree)];
      for (const notice of found.notices) errors.line(`sous: ${plainText(notice)}`);
      await errors.drained();
      await show(stateDir, found, copies, wishes, to);
    }
  } else if (verb === "apply" || verb === "keep" || verb === "discard") {
    onlyAPerson(`${verb} the changes of another`);
    await decide(stateDir, scope, needed(verb, wanted), { action: verb, files }, json, say);
  } else if (verb === "revert") {
    const { tree: session, path: agent } = await findAddress(stateDir, needed(verb, wanted), scope);
    if (agent !== ROOT)
      throw new UsageError(
        `sous changes revert takes a whole session, and some of its files; ${wanted} is ${agent} of it`,
      );
    onlyAPerson("take changes back");
    const wish = { files, from: process.cwd(), force: flags.force ?? false };
    if (!flags.yes && !(await confirmedRevert(await listChanges(stateDir, session), wish, fileText))) {
      await output.drained();
      return 1;
    }
    const done = await revertChanges(stateDir, session, wish);
    if (json) say(plainJson({ session, ...done }));
    else {
      for (const path of done.reverted) say(`reverted ${shown(path)}`);
      for (const path of done.untouched) say(`taken back already: ${shown(path)}`);
      if (done.reverted.length + done.untouched.length === 0) say("this session changed no files with its tools");
      say(NOT_COVERED);
    }
  } else {
    const close = nearest(verb, VERBS);
    throw new UsageError(
      `sous changes has no "${verb}"${close ? `; did you mean ${close}?` : ""} (${VERBS.join(", ")})`,
    );
  }
  await Promise.all([output.drained(), errors.drained()]);
  return 0;
}

function needed(verb: string, id: string | undefined): string {
  if (id === undefined)
    throw new UsageError(`sous changes ${verb} needs a session: its id, the start of it, or "last"`);
  return id;
}

type Say = (line: string) => void;

async function list(stateDir: string, scope: Scope, json: boolean, say: Say): Promise<void> {
  const all = await sessionsWithChanges(stateDir, scope);
  const rows: object[] = [];
  const idOf = shownIds(stateDir);
  let lines = 0;
  const tell = (line: string): void => {
    lines++;
    say(line);
  };
  for (const session of all.slice(0, MOST_LISTED)) {
    const { files, cwd } = await listChanges(stateDir, session);
    const copies = await copyRows(stateDir, session);
    if (!json) for (const copy of copies) tell(copyText(copy, idOf));
    rows.push(...copies);
    const left = files.filter((file) => file.state !== "as before").length;
    const [added, removed] = [sum(files, "added"), sum(files, "removed")];
    rows.push({ session, cwd, files: files.length, added, removed, left });
    if (json || files.length === 0) continue;
    tell(
      `${idOf(session)}  ${count(files.length, "file")} +${added} -${removed}${left === 0 ? ", all taken back" : ""}  ${plainText(cwd)}`,
    );
  }
  if (json) return say(plainJson(rows));
  if (lines === 0 && scope === "all") say("no session has changed files with its tools, or in copies of its agents");
  if (lines === 0 && scope !== "all")
    say("no session of this project has changed files with its tools, or in copies of its agents (--all: of any)");
  if (all.length > MOST_LISTED)
    say(`(older sessions are not listed, ${all.length - MOST_LISTED} of them: sous changes show ID)`);
}

async function show(
  stateDir: string,
  changed: Changes,
  copies: readonly CopyRow[],
  { files: named, json, stat }: ShowWishes,
  { say, print }: ShowTo,
): Promise<void> {
  const { session, cwd } = changed;
  const files = chooseChanged(changed, { files: named, from: process.cwd() });
  const diff = stat || files.length === 0 ? undefined : await diffOf(stateDir, changed, files);
  if (json) return say(plainJson({ session, cwd, files, ...(copies.length > 0 && { copies }), ...diff }));
  if (files.length === 0) say("this session changed no files with its tools");
  for (const file of files) say(fileText(file));
  for (const copy of copies) say(copyText(copy, shownIds(stateDir)));
  for (const line of diff ? diffLines(diff) : []) print(line);
  say(NOT_COVERED);
}

function fileText(file: ChangedFile): string {
  const mixed = file.mixed ? ", also changed by something else in between" : "";
  const what = file.before === null ? "created" : "changed";
  return `${what}  +${file.added} -${file.removed}  ${shown(file.path)}  (${count(file.edits, "edit")}; ${STATES[file.state]}${mixed})`;
}

const STATES: Readonly<Record<ChangedFile["state"], string>> = {
  "as left": "nobody has touched it since",
  "as before": "taken back already",
  "changed since": "changed by something else since",
  gone: "deleted since",
};

const sum = (files: readonly ChangedFile[], key: "added" | "removed"): number =>
  files.reduce((total, file) => total + file[key], 0);

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return plainText(near.startsWith("..") ? path : near);
}
