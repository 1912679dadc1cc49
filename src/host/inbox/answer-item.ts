// A person's answer to an item of any tree: by the tree's host where one is alive, else under the tree's lock.
import { systemClock, systemRandom } from "../../adapters/clock/system-clock.ts";
import { type Answered, answerFrom } from "../../core/inbox.ts";
import { type Mask, hasMask } from "../../core/mask.ts";
import { type Given, answerItem } from "../../engine/runs/answer-item.ts";
import { askHost } from "../control/ask-host.ts";
import { keepGrants } from "../grants.ts";
import { HostError } from "../host-error.ts";
import { openSession } from "../open-session.ts";
import { sessionIds } from "../session-store.ts";
import { type InboxRow, itemsOf, listItems } from "./list-items.ts";

export type Desk = { readonly stateDir: string; readonly mask: Mask };

export type Outcome = {
  readonly item: InboxRow;
  /** False: somebody was quicker, or nobody waits for it any more. */
  readonly taken: boolean;
  readonly answered?: Answered;
};

/** How long others who hold the tree for a moment are waited for. */
const PATIENCE_MS = 10_000;

export async function answerFromOutside(desk: Desk, id: string, words: string, by: string): Promise<Outcome> {
  const item = await findItem(desk.stateDir, id);
  const answer = answerFrom(item, words);
  if ("problem" in answer) throw new HostError(`${item.id}: ${answer.problem}`);
  if ("allow" in answer && answer.allow && hasMask(JSON.stringify(item.approval?.input)))
    throw new HostError(
      `${item.id} has a secret in it that is not shown here: approve it at the terminal of its run, or answer no`,
    );
  const request = { op: "answer", item: item.id, words, by };
  for (const until = systemClock.ticks() + PATIENCE_MS; ;) {
    const reply = await askHost({ stateDir: desk.stateDir, tree: item.tree, request, repeatable: true });
    if (reply !== "left") {
      if (!reply.ok) throw new HostError(String(reply["problem"]), "failed");
      return outcomeOf(item, reply["taken"] === true, reply["answered"] as Answered | undefined, by);
    }
    const given = await underLock(desk, item, words, by);
    if (given?.is === "unknown") throw unknown(item.id);
    if (given) return outcomeOf(item, given.is === "taken", given.item.answered, by);
    if (systemClock.ticks() > until) throw new HostError(`session ${item.tree} is held by others: try again`, "failed");
    await systemClock.sleep(20 + systemRandom.next() * 60);
  }
}

/** Undefined when somebody else has the tree just now. */
async function underLock(
  { stateDir, mask }: Desk,
  item: InboxRow,
  words: string,
  by: string,
): Promise<Given | undefined> {
  const session = await openSession(stateDir, item.tree, "existing", () => {}, mask).catch((error: unknown) => {
    if (error instanceof HostError && error.code === "held") return undefined;
    throw error;
  });
  if (!session) return undefined;
  try {
    const answer = answerFrom(item, words);
    if ("problem" in answer) throw new HostError(`${item.id}: ${answer.problem}`);
    return await answerItem(session.writer, item.id, answer, by, keepGrants(stateDir));
  } finally {
    await session.log.close();
  }
}

/** Asked twice because the first reply was lost, the answer is still ours. */
const outcomeOf = (item: InboxRow, taken: boolean, answered: Answered | undefined, by: string): Outcome => ({
  item,
  taken: taken || answered?.by === by,
  ...(answered && { answered }),
});

/** By its id or the start of it; what waits is meant before what has an answer. */
async function findItem(stateDir: string, wanted: string): Promise<InboxRow> {
  const fits = ({ id }: InboxRow): boolean => id.startsWith(wanted) || id.startsWith(`item-${wanted}`);
  const open = wanted === "" ? [] : (await listItems(stateDir, false)).filter(fits);
  if (open.length > 1) throw new HostError(`"${wanted}" fits ${open.length} items: give more of the id (sous inbox)`);
  if (open[0]) return open[0];
  for (const tree of sessionIds(stateDir).toReversed()) {
    const found = wanted === "" ? undefined : (await itemsOf(stateDir, tree).catch(() => [])).find(fits);
    if (found) return found;
  }
  throw unknown(wanted);
}

const unknown = (id: string): HostError => new HostError(`there is no item "${id}"; see sous inbox --all`);
