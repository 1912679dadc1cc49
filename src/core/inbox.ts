// The inbox of a tree: what waits for a person or a parent, and what a person should know, folded from the journal.
// What asks has an event of its own; results, stalls and budget stops are read from the records that say so anyway.
// Pure.
import { type Always, type Granted, isOffered } from "./grants.ts";
import type { Recorded } from "./events.ts";
import type { AgentPath, CallId, ItemId, SessionId } from "./ids.ts";
import type { JsonObject } from "./json.ts";
import { textOf } from "./messages.ts";
import type { Reach } from "./permissions.ts";
import { presentTask, type SessionState } from "./session-state.ts";

/** The exact call that an approval binds to. */
export type ApprovalAsked = {
  readonly tool: string;
  readonly input: JsonObject;
  readonly reach: readonly Reach[];
  readonly because: string;
  /** The rule that would allow it without asking. */
  readonly allowWith: string;
  /** Nothing asks but the mode. */
  readonly byMode?: boolean;
  /** What "always" would store, or why it is not offered. */
  readonly always?: Always;
};

export type Asked =
  | { readonly kind: "approval"; readonly call: CallId; readonly approval: ApprovalAsked }
  | {
      readonly kind: "question";
      readonly call: CallId;
      readonly to: "person" | "parent";
      readonly text: string;
      readonly options?: readonly string[];
    }
  /** In human mode: which command is run as the agent's action. */
  | { readonly kind: "command"; readonly call: CallId; readonly text: string }
  | { readonly kind: "note"; readonly text: string };

export type ItemKind = Asked["kind"] | "result" | "stall" | "budget";

/** To an approval, to a question, to what only wants to be known. */
export type Answer =
  | {
      readonly allow: true;
      /** What was allowed for good with it. */
      readonly granted?: Granted;
      /** Why it could not be stored: it is allowed this once. */
      readonly notKept?: string;
    }
  | { readonly allow: false; readonly reason?: string }
  | { readonly text: string }
  | { readonly seen: true };

export type Answered = { readonly answer: Answer; readonly by: string; readonly at: number };

/** When a surface showed an item to a person, and when the input came that answers it. */
export type Seen = { readonly shownAt: number; readonly typedAt: number };

/** Whether input is no answer to an item, because it came before the item was asked and shown. */
export const isBlind = ({ at }: Pick<Item, "at">, { shownAt, typedAt }: Seen): boolean =>
  !(shownAt >= at && typedAt >= shownAt);

export type Item = {
  readonly id: ItemId;
  readonly kind: ItemKind;
  readonly session: SessionId;
  readonly path: AgentPath;
  readonly agent: string;
  /** What the agent was given to do; bounded. */
  readonly task?: string;
  /** What it is about; bounded. */
  readonly text: string;
  readonly at: number;
  readonly call?: CallId;
  readonly approval?: ApprovalAsked;
  readonly to?: "person" | "parent";
  readonly options?: readonly string[];
  answered?: Answered;
  /** Nobody waits for an answer any more: its call ended without one, or its run goes on. */
  closed: boolean;
  /** Why, where nobody had answered it. */
  lapsed?: string;
};

export type Items = {
  readonly all: Map<ItemId, Item>;
  /** What is asked and not answered, by the call that waits. */
  readonly waiting: Map<string, Item>;
  /** What is answered and whose call has not ended, by that call: an answer is spent with it. */
  readonly unspent: Map<string, Item>;
  /** The tree stands at its budget. */
  paused: Item | undefined;
};

/** Of a question; of what only wants to be known. */
const ASKED_CHARS = 8_000;
const TEXT_CHARS = 500;
const TASK_CHARS = 200;

export const newItems = (): Items => ({ all: new Map(), waiting: new Map(), unspent: new Map(), paused: undefined });

/** `session` is the event's, before the event. */
export function foldItems(items: Items, event: Recorded, session: SessionState): void {
  switch (event.type) {
    case "item.added":
      return addAsked(items, event, session);
    case "item.answered": {
      const item = items.all.get(event.item);
      // The first answer is the answer.
      if (!item || item.answered || item.closed) return;
      item.answered = { answer: event.answer, by: event.by, at: event.time };
      forget(items, item);
      if (item.call !== undefined) items.unspent.set(waitKey(item.session, item.call), item);
      return;
    }
    case "tool.ended": {
      const key = waitKey(event.session, event.call);
      const item = items.waiting.get(key) ?? items.unspent.get(key);
      if (item) close(items, item, callEnd(textOf(event.outcome.said)));
      return;
    }
    case "assistant.replied":
      // Its calls are new ones: what was answered before is not for them.
      for (const item of items.unspent.values())
        if (item.session === event.session) close(items, item, "its agent went on");
      return;
    case "child.ended": {
      const child = session.children.get(event.child);
      const { status, summary, reason } = event;
      // Whoever waits for a child hears its result; that it did not succeed is for the person, too.
      if (child && (child.background || status !== "succeeded"))
        add(items, event, "result", child, `${status}: ${reason ?? (summary || "it said nothing")}`);
      return;
    }
    case "mode.changed":
      // The agents that were driven are handed back to their models.
      if (event.mode !== "human")
        for (const item of items.waiting.values())
          if (item.kind === "command") close(items, item, `the mode was changed to ${event.mode}`);
      return;
    case "run.interrupted":
      return closeOf(items, session, "its run was interrupted");
    case "run.ended":
      if (event.result.status === "stalled") add(items, event, "stall", whoIs(session), event.result.error?.message);
      return closeOf(items, session, `its run ended ${event.result.status}`);
    case "run.paused":
      // The budget is the tree's: however many of its runs stand at it, that is one thing to know.
      items.paused ??= add(items, event, "budget", whoIs(session), event.why);
      return;
    case "run.started":
      if (items.paused) close(items, items.paused, "its run goes on");
      return;
    default:
      return;
  }
}

/** The same for the same call, whatever crashed in between; another for any other bytes. */
export const itemId = (session: SessionId, call: CallId, bytes: string): ItemId =>
  `item-${hash(`${session}\n${call}\n${bytes}`)}` as ItemId;

/** The id under which a call asks: one that is not taken by another call, other bytes, or an answer that is spent. */
export function freeItemId(items: Items, session: SessionId, call: CallId, bytes: string): ItemId {
  for (let salt = ""; ; salt += "\n") {
    const id = itemId(session, call, bytes + salt);
    const item = items.all.get(id);
    if (!item || (isFor(item, session, call, bytes) && !isSpent(item))) return id;
  }
}

/** The answer to exactly this call, as long as the call has not ended. */
export function unspentAnswer(items: Items, session: SessionId, call: CallId, bytes: string): Answered | undefined {
  const item = items.unspent.get(waitKey(session, call));
  return item && isFor(item, session, call, bytes) ? item.answered : undefined;
}

const isFor = (item: Item, session: SessionId, call: CallId, bytes: string): boolean =>
  item.session === session &&
  item.call === call &&
  (item.approval === undefined || approvalBytes(item.approval) === bytes);

const isSpent = ({ answered, closed }: Item): boolean => answered !== undefined && closed;

/** The bytes that an approval binds to. */
export const approvalBytes = ({ tool, input }: Pick<ApprovalAsked, "tool" | "input">): string =>
  `${tool}\n${JSON.stringify(input)}`;

/** What can still be answered, oldest first; only of an agent and those below it where a path is given. */
export const openItems = ({ waiting }: Items, path?: AgentPath): Item[] =>
  [...waiting.values()].filter((item) => path === undefined || item.path === path || item.path.startsWith(`${path}::`));

/** What neither an answer nor its end has settled, of those below an agent; oldest first. */
export const unseenItems = ({ all }: Items, path: AgentPath): Item[] =>
  [...all.values()].filter((item) => !item.closed && !item.answered && item.path.startsWith(`${path}::`));

export const waitingItem = ({ waiting }: Items, session: SessionId, call: CallId): Item | undefined =>
  waiting.get(waitKey(session, call));

/** Whether a person has to do something about it. */
export const needsPerson = (item: Item): boolean =>
  !item.closed && !item.answered && (ASKS.has(item.kind) || item.to === "person");
const ASKS: ReadonlySet<ItemKind> = new Set(["approval", "command", "budget"]);

type Answerable = Pick<Item, "kind" | "options" | "approval">;

/** What somebody's words mean as the answer to an item; or why they mean nothing. */
export function answerFrom(item: Answerable, words: string): Answer | { readonly problem: string } {
  const said = words.trim();
  if (item.kind === "approval") {
    const [, word = "", reason = ""] = /^(\S*)\s*([\s\S]*)$/.exec(said) ?? [];
    if (/^y(es)?$/i.test(word) && reason === "") return { allow: true };
    if (/^no?$/i.test(word)) return { allow: false, ...(reason !== "" && { reason }) };
    if (/^always$/i.test(word) && reason === "") return alwaysFrom(item.approval?.always);
    return { problem: "an approval is answered with yes, with always, or with no and a reason" };
  }
  if (item.kind === "command")
    return said === "" ? { problem: "an agent that you drive needs a command" } : { text: words };
  if (item.kind !== "question") return { seen: true };
  if (said === "") return { problem: "a question needs words for an answer" };
  const chosen = /^\d+$/.test(said) ? item.options?.[Number(said) - 1] : undefined;
  return { text: chosen ?? said };
}

function alwaysFrom(always: Always | undefined): Answer | { readonly problem: string } {
  if (isOffered(always)) return { allow: true, granted: always };
  const why = always ? `: ${always.not}` : "";
  return { problem: `always is not offered here${why}; answer yes for this once, or no and a reason` };
}

/** Why a question is taken back: somebody else has answered it, or nobody waits for the answer any more. */
export class TakenBack extends Error {
  readonly answered: Answered | undefined;
  constructor({ answered }: Pick<Item, "answered">) {
    super(
      answered ? `answered by ${answered.by}: ${answerText(answered.answer)}` : "nobody waits for an answer any more",
    );
    this.answered = answered;
  }
}

export function answerText(answer: Answer): string {
  if ("text" in answer) return answer.text;
  if ("seen" in answer) return "seen";
  if (answer.allow && answer.notKept !== undefined) return `yes, this once: ${answer.notKept}`;
  if (answer.allow) return answer.granted ? `always: ${answer.granted.rules.join(", ")}` : "yes";
  return answer.reason ? `no: ${answer.reason}` : "no";
}

/** What stands for the run itself, and for no open call, goes with it. */
function closeOf(items: Items, { session, batch }: SessionState, why: string): void {
  for (const item of items.waiting.values())
    if (item.session === session && item.call !== undefined && !batch?.open.has(item.call)) close(items, item, why);
}

/** One that was closed can be put again: its run ended meanwhile, and goes on where it was. */
export const isPut = ({ all }: Items, id: ItemId): boolean => {
  const item = all.get(id);
  return item !== undefined && !item.closed;
};

function addAsked(items: Items, event: Recorded & { type: "item.added" }, session: SessionState): void {
  if (isPut(items, event.item)) return;
  const item: Item = {
    id: event.item,
    kind: event.kind,
    ...whoIs(session),
    text: bounded(event.kind === "approval" ? approvalText(event.approval) : event.text, ASKED_CHARS),
    at: event.time,
    ...(event.kind !== "note" && { call: event.call }),
    ...(event.kind === "approval" && { approval: event.approval }),
    ...(event.kind === "question" && { to: event.to }),
    ...(event.kind === "question" && event.options && { options: event.options }),
    closed: false,
  };
  items.all.set(item.id, item);
  if (item.call !== undefined) items.waiting.set(waitKey(item.session, item.call), item);
}

type Who = Pick<Item, "session" | "path" | "agent" | "task">;

function add(items: Items, event: Recorded, kind: ItemKind, { session, path, agent }: Who, text = ""): Item {
  const id = itemId(session, "" as CallId, `${kind} ${event.seq}`);
  const item: Item = { id, kind, session, path, agent, text: bounded(text), at: event.time, closed: false };
  items.all.set(id, item);
  return item;
}

function whoIs(state: SessionState): Who {
  const { session, path, opened } = state;
  const given = presentTask(state);
  return { session, path, agent: opened?.agent ?? "", ...(given !== "" && { task: bounded(given, TASK_CHARS) }) };
}

function close(items: Items, item: Item, why: string): void {
  item.closed = true;
  if (!item.answered) item.lapsed = why;
  forget(items, item);
}

const callEnd = (said: string): string => bounded(`its call ended${said === "" ? "" : `: ${said.trim()}`}`, TASK_CHARS);

function approvalText({ tool, input }: ApprovalAsked): string {
  const { command, file_path: file, url } = input;
  const what = [command, file, url].find((one) => typeof one === "string");
  return `${tool} ${typeof what === "string" ? what : JSON.stringify(input)}`;
}

function forget(items: Items, item: Item): void {
  const { waiting, unspent } = items;
  const key = item.call !== undefined && waitKey(item.session, item.call);
  if (key !== false && waiting.get(key) === item) waiting.delete(key);
  if (key !== false && unspent.get(key) === item) unspent.delete(key);
  if (items.paused === item) items.paused = undefined;
}

const waitKey = (session: SessionId, call: CallId): string => `${session} ${call}`;
const bounded = (text: string, most = TEXT_CHARS): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** FNV-1a over UTF-16 units, twice with different beginnings: 48 bits are enough for the items of one person. */
function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9dc5811c;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x01000193) ^ (a >>> 13);
  }
  return `${(a >>> 0).toString(16).padStart(8, "0")}${(b >>> 16).toString(16).padStart(4, "0")}`;
}
