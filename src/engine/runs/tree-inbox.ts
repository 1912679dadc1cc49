// The inbox of a running tree: puts what asks on record once, waits for the answer wherever it comes from, and parks
// what waits for a person when nobody works any more and no person is there.
import { type Grants, isOffered } from "../../core/grants.ts";
import { ruleText } from "../../core/rules.ts";
import { questionReport } from "../../core/child-report.ts";
import type { Approvals, DurableEvent, Origin } from "../../core/events.ts";
import type { InputId, ItemId, SessionId } from "../../core/ids.ts";
import {
  type Answer,
  type Answered,
  type ApprovalAsked,
  type Asked,
  type Item,
  type Seen,
  TakenBack,
  approvalBytes,
  freeItemId,
  isPut,
  openItems,
  unspentAnswer,
} from "../../core/inbox.ts";
import type { Inbox, Parked } from "../../ports/inbox.ts";
import type { Asker, Decision, Person } from "../../ports/person.ts";
import { linked, orAborted } from "../../std/abort.ts";
import { type Given, type KeepGrants, answerItem } from "./answer-item.ts";
import type { AtRest } from "./at-rest.ts";
import { type Tree, originOf } from "./tree.ts";

export type TreeInbox = {
  of(origin: Origin): Inbox;
  /** `seen`: when the surface showed it and the answer was typed; an answer from before is refused. */
  answer(id: ItemId, answer: Answer, by: string, seen?: Seen): Promise<Given>;
  /** Words for a session that waits with a question: whether they answered it. Approvals are not answered by words. */
  reply(session: SessionId, words: string, from: "person" | "parent"): Promise<boolean>;
  /** Whether everybody waits: asked whenever a run begins to wait or ends; the end of a call is seen here. */
  look(): void;
};

/** Who answers in this process, if anybody; what happens to approvals where nobody does. */
export type InboxKit = {
  readonly person?: Person;
  readonly approvals?: Approvals;
  /** How answers given here are signed. */
  readonly answersAs?: string;
  /** What the person has allowed for good; left out, nothing can be. */
  readonly grants?: Pick<Grants, "now"> & { readonly keep: KeepGrants };
};

type Outcome = "answered" | "no answer" | "switched" | Parked;
/** `here`: the person of this process is being asked. */
type Waiter = { readonly item: Item; here: boolean; end(how: Outcome): void };
type AskHere = (signal: AbortSignal) => Promise<{ readonly answer: Answer; readonly seen?: Seen } | undefined>;

const never = new AbortController().signal;

export type TreeInboxParts = {
  readonly tree: Pick<Tree, "writer" | "kit" | "stateOf" | "refOf">;
  readonly rest: AtRest;
  away<T>(session: SessionId, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** The call that waits for this child returns, so that its parent can hear it. */
  toBackground(child: SessionId): Promise<void>;
};

export function createTreeInbox({ tree, rest, away, toBackground }: TreeInboxParts): TreeInbox {
  const { writer, stateOf } = tree;
  const { person, approvals = "deny", answersAs = "the person", grants } = tree.kit;
  const waiters = new Map<ItemId, Waiter>();
  const answering = new Map<ItemId, Promise<unknown>>();
  const { items } = writer.state;
  writer.subscribe((event) => {
    if (event.type === "item.answered") {
      waiters.get(event.item)?.end("answered");
      if ("granted" in event.answer) answerByGrant();
    }
    if (event.type === "tool.ended") look();
    if (event.type === "mode.changed" && event.mode === "yolo") answerByMode();
    if (event.type === "mode.changed" && event.mode !== "human") handBack();
  });

  async function answer(id: ItemId, given: Answer, by: string, seen?: Seen): Promise<Given> {
    while (answering.has(id)) await answering.get(id)?.catch(() => {});
    const done = answerItem(writer, id, given, by, grants?.keep, seen).finally(() => answering.delete(id));
    answering.set(id, done);
    return done;
  }

  /** The person who changed the mode has answered what only the mode asked. */
  function answerByMode(): void {
    for (const { item } of waiters.values())
      if (item.approval?.byMode) answer(item.id, { allow: true }, "the mode yolo").catch(() => {});
  }

  /** Whose model goes on instead of the person. */
  function handBack(): void {
    for (const waiter of waiters.values()) if (waiter.item.kind === "command") waiter.end("switched");
  }

  /** What others wait for is answered, too, where nothing is left of it that was not allowed for good. */
  function answerByGrant(): void {
    const now = new Set(grants?.now().map(ruleText));
    for (const { item } of waiters.values()) {
      const always = item.approval?.always;
      if (isOffered(always) && always.rules.every((rule) => now.has(rule)))
        answer(item.id, { allow: true }, "what you always allow").catch(() => {});
    }
  }

  async function add(origin: Origin, id: ItemId, asked: Asked): Promise<Item> {
    if (!isPut(items, id)) {
      const event: DurableEvent = { type: "item.added", item: id, ...asked };
      const { seq } = await writer.record(origin, event, never);
      await writer.durable(seq, origin, never);
    }
    const item = items.all.get(id);
    if (!item) throw new Error(`the item ${id} was recorded and is not there`);
    return item;
  }

  async function wait(
    origin: Origin,
    item: Item,
    signal: AbortSignal,
    askHere?: AskHere,
  ): Promise<Answered | Exclude<Outcome, "answered">> {
    if (item.answered) return item.answered;
    const asking = linked(signal);
    const { promise: ended, resolve } = Promise.withResolvers<Outcome>();
    const end = (how: Outcome): void => void (waiters.delete(item.id) && resolve(how));
    const waiter: Waiter = { item, here: askHere !== undefined, end };
    waiters.set(item.id, waiter);
    const here = askHere && hear(askHere);
    async function hear(ask: AskHere): Promise<void> {
      for (;;) {
        const given = await ask(asking.signal);
        if (given && (await answer(item.id, given.answer, answersAs, given.seen)).is === "blind") continue;
        if (given) return;
        // They have left without an answer.
        waiter.here = false;
        return look();
      }
    }
    // Answered elsewhere, the question here is withdrawn: that is no fault.
    const settled = here ? Promise.race([ended, here.then(() => ended)]) : ended;
    try {
      const how = await away(origin.session, signal, () =>
        rest.during(
          origin.session,
          item.call,
          () => waiters.has(item.id),
          () => orAborted(settled, signal),
        ),
      );
      if (how !== "answered") return how;
      if (!item.answered) throw new Error(`the item ${item.id} was answered without an answer`);
      return item.answered;
    } finally {
      waiters.delete(item.id);
      here?.catch(() => {});
      asking.unlink();
      asking.abort(new TakenBack(item));
    }
  }

  /** A parent that has let its children's questions be is not waited for; for a person everything stands still. */
  function look(): void {
    if (waiters.size === 0 || !rest.nobodyWorks()) return;
    const all = [...waiters.values()];
    const forPerson = all.filter(({ item }) => item.to !== "parent");
    if (forPerson.length > 0) {
      if (!forPerson.some(({ here }) => here)) for (const waiter of all) waiter.end("parked");
      return;
    }
    const asks = new Set(all.map(({ item }) => item.session));
    const parentOf = (item: Item): SessionId | undefined => stateOf(item.session)?.opened?.spawnedBy?.session;
    for (const waiter of all) {
      const parent = parentOf(waiter.item);
      if (!parent || !asks.has(parent)) waiter.end("no answer");
    }
  }

  /** The question in the parent's mailbox, once. A parent that is held by the child's own call is let go. */
  async function tellParent(origin: Origin, item: Item): Promise<void> {
    const input = `input-${item.id}` as InputId;
    const child = stateOf(origin.session);
    const parent = origin.parent && stateOf(origin.parent);
    if (!child || !parent) return;
    if (!parent.admitted.has(input)) {
      const content = questionReport(item);
      const asked: DurableEvent = { type: "input.admitted", input, from: "child", how: "steer", content };
      await writer.record(originOf(parent), asked, never);
    }
    if (!tree.refOf(child)?.background) await toBackground(origin.session);
  }

  async function reply(session: SessionId, words: string, from: "person" | "parent"): Promise<boolean> {
    const asked = openItems(items).find(
      (item) => item.session === session && (item.to === "parent" || (item.to === "person" && from === "person")),
    );
    if (!asked) return false;
    const by = from === "parent" ? "its parent" : "a person";
    return (await answer(asked.id, { text: words }, by)).is === "taken";
  }

  const of = (origin: Origin): Inbox => ({
    async approve(asked, call, signal) {
      const bytes = approvalBytes(asked);
      const known = unspentAnswer(items, origin.session, call, bytes);
      if (known) return decisionOf(known.answer);
      if (!person && approvals !== "inbox")
        return {
          allow: false,
          reason: `${asked.because}, and nobody is there to ask; the rule ${asked.allowWith} would allow it`,
        };
      const item = await add(origin, freeItemId(items, origin.session, call, bytes), {
        kind: "approval",
        call,
        approval: asked,
      });
      const answered = await wait(
        origin,
        item,
        signal,
        person && (async (quit) => answerOf(await person.decide({ ...askerOf(item), ...asked }, quit), asked)),
      );
      return typeof answered === "string" ? "parked" : decisionOf(answered.answer);
    },
    async command(call, signal) {
      if (!person?.act && approvals !== "inbox") return "nobody";
      const agent = stateOf(origin.session)?.opened?.agent ?? "";
      const text = `You drive ${agent}: which command does it run next?`;
      const item = await add(origin, freeItemId(items, origin.session, call, text), { kind: "command", call, text });
      writer.show(origin, { type: "agent.waiting", for: "person", since: item.at, detail: "a command" });
      const here = person?.act?.bind(person);
      const answered = await wait(
        origin,
        item,
        signal,
        here && (async (quit) => textOf(await here(askerOf(item), quit))),
      );
      if (typeof answered === "string") return answered === "no answer" ? "parked" : answered;
      return { text: "text" in answered.answer ? answered.answer.text : "" };
    },
    async ask(question, call, signal) {
      const item = await add(origin, freeItemId(items, origin.session, call, question.text), {
        kind: "question",
        call,
        ...question,
      });
      if (question.to === "parent" && !item.answered) await tellParent(origin, item);
      const waitsFor = question.to;
      writer.show(origin, { type: "agent.waiting", for: waitsFor, since: item.at, detail: item.text });
      const here = waitsFor === "person" ? person?.reply?.bind(person) : undefined;
      const answered = await wait(
        origin,
        item,
        signal,
        here && (async (quit) => textOf(await here({ ...askerOf(item), ...question }, quit))),
      );
      if (typeof answered === "string") return answered === "switched" ? "no answer" : answered;
      return { text: "text" in answered.answer ? answered.answer.text : "" };
    },
  });

  return { of, answer, reply, look };
}

const textOf = (words: string | undefined): { readonly answer: Answer } | undefined =>
  words === undefined ? undefined : { answer: { text: words } };

const askerOf = ({ id, path, agent, task }: Item): Asker => ({
  item: id,
  path,
  agent,
  ...(task !== undefined && { task }),
});

/** For good is what was offered and shown, and nothing else. */
function answerOf({ seen, ...decision }: Decision, { always }: ApprovalAsked): { answer: Answer; seen?: Seen } {
  const answer: Answer = !decision.allow
    ? decision
    : { allow: true, ...(decision.always && isOffered(always) && { granted: always }) };
  return { answer, ...(seen && { seen }) };
}

function decisionOf(answer: Answer): Decision {
  if (!("allow" in answer)) return { allow: false, reason: "the answer was no answer to an approval" };
  if (answer.allow) return { allow: true };
  return { allow: false, reason: answer.reason ?? "The person said no." };
}
