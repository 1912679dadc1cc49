// `sous changes`: what the tools of a session made of files, and the way back.
import { relative } from "node:path";
import { type ChangedFile, type Changes, listChanges, revertChanges, sessionsWithChanges } from "../../host/changes.ts";
import { findSession } from "../../host/session-store.ts";
import { stateDirOf } from "../../host/state-dir.ts";
import { nearest } from "../../std/nearest.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { createOutput } from "./output.ts";
import { plainText } from "./plain-text.ts";
import { UsageError } from "./usage-error.ts";

export const changesFlags = {
  json: { help: "for programs" },
  force: { help: "revert also files that something else has changed" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions are kept" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const VERBS = ["list", "show", "revert"] as const;
const NOT_COVERED =
  "What commands (Bash) changed is not listed and not reverted: only Write and Edit keep what they replace.";
/** Reading every journal of years would take its time. */
const MOST_LISTED = 30;

export const changesHelp = `sous changes [list|show ID|revert ID [FILE…]] [flags]

  list                 sessions that changed files, newest first
  show ID              the files of one session: what was done to them, and how they are now
  revert ID [FILE…]    takes the changes back, byte for byte, permission bits too; files it made are removed
ID is a session id, the start of one, or "last". A file that something else has changed since is not reverted: nothing is.

flags
      --json             for programs
      --force            revert also files that something else has changed
      --state-dir DIR    where sessions are kept
  -h, --help             this text

${NOT_COVERED}

examples
  sous changes
  sous changes show last
  sous changes revert last
  sous changes revert last src/main.ts`;

export async function changes(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("changes", changesFlags, words);
  const [output, errors] = [createOutput(1), createOutput(2)];
  const stateDir = stateDirOf(process.env, flags["state-dir"]);
  const [verb = "list", wanted, ...files] = rest;
  const json = flags.json ?? false;
  const say = (line: string): void => output.line(line);
  if (flags.help) say(changesHelp);
  else if (verb === "list") await list(stateDir, json, say);
  else if (verb === "show") {
    if (files.length > 0) throw new UsageError("sous changes show takes one session");
    const found = await listChanges(stateDir, await findSession(stateDir, needed(verb, wanted)));
    for (const notice of found.notices) errors.line(`sous: ${plainText(notice)}`);
    show(found, json, say);
  } else if (verb === "revert") {
    const session = await findSession(stateDir, needed(verb, wanted));
    const done = await revertChanges(stateDir, session, { files, from: process.cwd(), force: flags.force ?? false });
    if (json) say(JSON.stringify({ session, ...done }));
    else {
      for (const path of done.reverted) say(`reverted ${shown(path)}`);
      for (const path of done.untouched) say(`as before already: ${shown(path)}`);
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

async function list(stateDir: string, json: boolean, say: (line: string) => void): Promise<void> {
  const all = sessionsWithChanges(stateDir);
  const rows: object[] = [];
  for (const session of all.slice(0, MOST_LISTED)) {
    const { files, cwd } = await listChanges(stateDir, session);
    const left = files.filter((file) => file.state !== "as before").length;
    const [added, removed] = [sum(files, "added"), sum(files, "removed")];
    rows.push({ session, cwd, files: files.length, added, removed, left });
    if (json || files.length === 0) continue;
    say(
      `${session}  ${files.length} file(s) +${added} -${removed}${left === 0 ? ", all as before" : ""}  ${plainText(cwd)}`,
    );
  }
  if (json) return say(JSON.stringify(rows));
  if (rows.length === 0) say("no session has changed files with its tools");
  if (all.length > MOST_LISTED)
    say(`(${all.length - MOST_LISTED} older sessions are not listed: sous changes show ID)`);
}

function show({ session, cwd, files }: Changes, json: boolean, say: (line: string) => void): void {
  if (json) return say(JSON.stringify({ session, cwd, files }));
  if (files.length === 0) say("this session changed no files with its tools");
  for (const file of files) say(fileText(file));
  say(NOT_COVERED);
}

function fileText(file: ChangedFile): string {
  const mixed = file.mixed ? ", also changed by something else in between" : "";
  const what = file.before === null ? "created" : "changed";
  return `${what}  +${file.added} -${file.removed}  ${shown(file.path)}  (${file.edits} edit(s); ${file.state}${mixed})`;
}

const sum = (files: readonly ChangedFile[], key: "added" | "removed"): number =>
  files.reduce((total, file) => total + file[key], 0);

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return plainText(near.startsWith("..") ? path : near);
}
