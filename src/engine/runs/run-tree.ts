// One tree of runs: a lead and its children. It owns who runs and nothing else; what a child is made of comes from the
// host, what a session can do with its children is `spawner.ts`, what people can is `controls.ts`.
import type { Origin } from "../../core/events.ts";
import type { SessionId } from "../../core/ids.ts";
import type { RunResult } from "../../core/run-result.ts";
import type { SessionState } from "../../core/session-state.ts";
import { isSpoken } from "../../core/fold-session.ts";
import type { Inbox } from "../../ports/inbox.ts";
import type { Spawner } from "../../ports/spawner.ts";
import { createAtRest } from "./at-rest.ts";
import { type Place, createChildRuns } from "./child-runs.ts";
import { type Controls, createControls } from "./controls.ts";
import { deliver, isDelivering } from "./deliveries.ts";
import { type RunHandle, launch } from "./launch.ts";
import type { ChildParts, SpawnKit } from "./spawn-kit.ts";
import { createSpawner } from "./spawner.ts";
import { createTree, freshResult, isEnd } from "./tree.ts";
import { type TreeInbox, createTreeInbox } from "./tree-inbox.ts";
import type { TreeWriter } from "./tree-writer.ts";

export type RunTree = {
  launchLead(origin: Origin, parts: ChildParts): RunHandle;
  readonly controls: Controls;
  /** A person's answer to an item of the inbox, from wherever it comes. */
  answer: TreeInbox["answer"];
};

export function createRunTree(writer: TreeWriter, kit: SpawnKit): RunTree {
  const tree = createTree(writer, kit);
  const inboxOf = (origin: Origin): Inbox => inbox.of(origin);
  const look = (): void => inbox.look();
  const runs = createChildRuns({ tree, spawnerOf, inboxOf, words, recover, onEnd: look });
  const live = (): Set<SessionId> => new Set([...tree.handles.keys(), ...runs.live()]);
  const rest = createAtRest({ live, stateOf: tree.stateOf, busy: () => isDelivering(tree, live()), onWait: look });
  const inbox: TreeInbox = createTreeInbox({ tree, rest, away: runs.away, toBackground });
  const controls = createControls({ tree, runs, behind, reply: inbox.reply });

  function spawnerOf(parent: Origin): Spawner {
    return createSpawner({ tree, runs, rest, controls, behind }, parent);
  }

  async function toBackground(child: SessionId): Promise<void> {
    await controls.background(child, "parent");
  }

  function behind(parent: Origin, child: SessionState, place?: Place): Promise<RunResult> {
    const result = runs.run(child, kit.treeSignal, place);
    result
      .then(() => deliver(tree, child))
      // Only a log that cannot be written fails here, and that has already ended the run that owns it.
      .catch(() => {})
      .finally(() => {
        tree.wakes.wake(parent.session);
        look();
      });
    return result;
  }

  /** Children that a dead process left: those in the background are taken up again, or their results delivered. */
  async function recover(parent: Origin): Promise<void> {
    tree.ending.delete(parent.session);
    await tree.hooks.stopLeft(parent.path, (session) => !isEnd(tree.stateOf(session)?.status ?? "cut off"));
    for (const ref of tree.refsOf(parent.session)) {
      const child = tree.stateOf(ref.session);
      if (!child || !ref.background || ref.ended) continue;
      if (freshResult(child, ref)) await deliver(tree, child);
      else await tree.inTurn(ref.session, async () => void behind(parent, child));
    }
  }

  /**
   * What an interrupted run waits for. Where a person broke in, a person may still speak, for as long as the host
   * gives them; where the parent did, nobody will once it only waits for its children.
   */
  async function words(session: SessionId, signal: AbortSignal): Promise<"words" | "nobody"> {
    const state = tree.stateOf(session);
    const parent = state?.opened?.spawnedBy?.session;
    const isTold = (): boolean => state?.waiting.some(isSpoken) ?? false;
    const isLeft = (): boolean => state?.held?.by === "parent" && (!parent || tree.idle.has(parent));
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const late = kit.heldMs === undefined ? never : kit.clock.sleep(kit.heldMs, until).catch(() => {});
    const told = tree.wakes.until(session, () => isTold() || isLeft(), until);
    await runs.away(session, signal, () => Promise.race([told, late])).finally(() => over.abort(null));
    return isTold() ? "words" : "nobody";
  }

  return {
    controls,
    answer: inbox.answer,
    launchLead(origin, parts) {
      const steering = {
        spawner: spawnerOf(origin),
        inbox: inbox.of(origin),
        purse: tree.purse,
        words: (signal: AbortSignal) => words(origin.session, signal),
      };
      const handle = launch(writer, origin, { ...parts, ...steering }, () => recover(origin));
      tree.handles.set(origin.session, handle);
      const result = handle.result.finally(() => {
        tree.handles.delete(origin.session);
        tree.ending.delete(origin.session);
      });
      return { ...handle, result };
    },
  };
}

const never = new Promise<void>(() => {});
