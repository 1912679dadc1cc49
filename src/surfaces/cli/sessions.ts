// `sous sessions`: what was done, for people and programs.
import { EXPORT_FORMATS } from "../../host/export.ts";
import { knownMask } from "../../host/known-mask.ts";
import { isWithin, ROOT } from "../../core/ids.ts";
import { type Address, findAddress } from "../../host/control/find-address.ts";
import { type Scope, scopeOf } from "../../host/project-scope.ts";
import {
  listSessions,
  readState,
  removeSession,
  sessionIds,
  type SessionRow,
  standing,
} from "../../host/session-store.ts";
import { stateDirOf } from "../../host/state-dir.ts";
import { count } from "../../std/count.ts";
import { nearest } from "../../std/nearest.ts";
import { commands } from "./commands.ts";
import { exportOne } from "./export.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { type Cell, type Column, fitTable, terminalWidth } from "./fit-table.ts";
import { sessionsHelp } from "./help.ts";
import { messageText } from "./message-text.ts";
import { createOutput } from "./output.ts";
import { plainJson, plainText } from "./plain-text.ts";
import { search } from "./search.ts";
import { shownIds } from "./shown-ids.ts";
import { onlyAPerson } from "./only-a-person.ts";
import { UsageError } from "./usage-error.ts";

export const sessionsFlags = {
  json: { help: "for programs" },
  all: { help: "of every project, not only of the one this folder belongs to" },
  force: { help: "rm: also what an agent changed in a copy of its own" },
  format: { takes: EXPORT_FORMATS, short: "f", value: "FORM", help: "of an export: md, jsonl or atif" },
  output: { takes: "text", short: "o", value: "FILE", help: "export into this file" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions are kept" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

export async function sessions(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("sessions", sessionsFlags, words);
  const output = createOutput(1);
  const errors = createOutput(2);
  const stateDir = stateDirOf(process.env, flags["state-dir"]);
  const [verb = "list", ...ids] = rest;
  const mask = knownMask(process.env).text;
  const say = (line: string): void => output.line(plainText(mask(line)));
  const json = flags.json ?? false;
  const scope: Scope = flags.all ? "all" : await scopeOf(process.cwd(), process.env);
  if (flags.help) say(sessionsHelp(sessionsFlags));
  else if (verb === "list") await list(stateDir, scope, json, say, (line) => errors.line(`sous: ${line}`));
  else if (verb === "search") await search(stateDir, scope, ids, json, say);
  else if (verb === "export") {
    const wishes = { id: onlyOne(verb, ids), scope, format: flags.format, file: flags.output };
    await exportOne(stateDir, wishes, mask, output, errors);
  } else if (verb === "show" || verb === "tree") {
    const address = await findAddress(stateDir, onlyOne(verb, ids), scope);
    const record = await readState(stateDir, address.tree);
    for (const notice of record.notices) errors.line(`sous: ${plainText(notice)}`);
    await errors.drained();
    if (verb === "show") show(record, address, json, say);
    else tree(record, address, json, say);
  } else if (verb === "rm") {
    onlyAPerson("remove a session");
    if (ids.length === 0) throw new UsageError("sous sessions rm needs the id of a session");
    for (const wanted of ids) {
      const { tree: id, path } = await findAddress(stateDir, wanted, scope);
      if (path !== ROOT) throw new UsageError(`sous sessions rm removes whole sessions; ${wanted} is ${path} of ${id}`);
      await removeSession(stateDir, id, flags.force ?? false);
      if (!json) say(`removed ${id}`);
    }
    if (json) say(plainJson({ removed: ids.length }));
  } else {
    const verbs = commands["sessions"]?.verbs ?? [];
    const close = nearest(verb, verbs);
    throw new UsageError(
      `sous sessions has no "${verb}"${close ? `; did you mean ${close}?` : ""} (${verbs.join(", ")})`,
    );
  }
  await Promise.all([output.drained(), errors.drained()]);
  return 0;
}

function onlyOne(verb: string, ids: readonly string[]): string {
  const [id] = ids;
  if (ids.length !== 1 || id === undefined)
    throw new UsageError(
      `sous sessions ${verb} needs one session or agent: its id, the start of it, "last", or ID/CHILD`,
    );
  return id;
}

type Say = (line: string) => void;

async function list(stateDir: string, scope: Scope, json: boolean, say: Say, warn: Say): Promise<void> {
  const rows = await listSessions(stateDir, scope);
  if (json) return say(plainJson(rows));
  const others = sessionIds(stateDir).length - rows.length;
  if (rows.length === 0) say(scope === "all" ? "no sessions yet" : `no sessions yet in ${plainText(scope.root)}`);
  const idOf = shownIds(stateDir);
  for (const line of fitTable(COLUMNS, rows.map(cells(idOf)), terminalWidth())) say(line);
  if (scope !== "all" && others > 0) say(`(${count(others, "session")} of other projects: sous sessions --all)`);
  const newer = rows.filter(({ newerFormat }) => newerFormat !== undefined).length;
  if (newer > 0)
    warn(
      `${count(newer, "session")} ${newer === 1 ? "was" : "were"} written by a newer version of Sous (marked "newer") and can only be read here: update Sous to go on`,
    );
}

const COLUMNS: readonly Column[] = [
  { head: "ID", whole: true },
  { head: "STATUS" },
  { head: "STARTED", goes: 2 },
  { head: "COST", right: true, goes: 1 },
  { head: "TITLE", least: 24 },
  { head: "FOLDER", least: 12, goes: 0 },
];

const cells =
  (idOf: (id: SessionRow["id"]) => string) =>
  (row: SessionRow): Cell[] =>
    [
      idOf(row.id),
      row.newerFormat === undefined ? row.status : `${row.status} (newer)`,
      row.startedAt.slice(0, 16).replace("T", " "),
      row.costUsd === null ? "$ ?" : `$${row.costUsd.toFixed(4)}`,
      plainText(row.title.replace(/\s+/g, " ").trim()),
      `(${plainText(row.cwd)})`,
    ].map((text) => ({ text }));

type SessionRecord = Awaited<ReturnType<typeof readState>>;

/** An agent is shown with all below it. */
function show({ owned, state, events }: SessionRecord, { path }: Address, json: boolean, say: Say): void {
  if (json) return say(plainJson(events.filter((event) => isWithin(path, event.path))));
  for (const session of state.sessions.values()) {
    if (!isWithin(path, session.path)) continue;
    const { opened } = session;
    say(
      `session ${session.session} ${session.path}: ${standing(session.status, owned)}, ${count(session.turns, "turn")}, ${count(session.toolCalls, "tool call")}`,
    );
    if (opened) say(`agent ${opened.agent}, model ${opened.model}, folder ${plainText(opened.binding.cwd)}`);
    for (const message of session.messages) say(`\n${messageText(message)}`);
    if (session.result?.error) say(`\n${session.result.status}: ${plainText(session.result.error.message)}`);
  }
}

function tree({ owned, state }: SessionRecord, { path }: Address, json: boolean, say: Say): void {
  const below = [...state.sessions.values()].filter((session) => isWithin(path, session.path));
  const nodes = below.map((session) => ({
    id: session.session,
    path: session.path,
    agent: session.opened?.agent ?? "",
    status: standing(session.status, owned),
    turns: session.turns,
    toolCalls: session.toolCalls,
  }));
  if (json) return say(plainJson(nodes));
  for (const node of nodes) {
    const depth = node.path.split("::").length - 1;
    say(
      `${"  ".repeat(depth)}${node.path} ${node.agent} ${node.status} (${count(node.turns, "turn")}, ${count(node.toolCalls, "tool call")}) ${node.id}`,
    );
  }
}
