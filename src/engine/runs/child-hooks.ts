// The hooks around a child's run: SubagentStart and SubagentStop once each, whatever ends it and however often the
// process dies in between, and the child's own hooks while it runs.
import type { ChildSettings, Mode, Origin } from "../../core/events.ts";
import type { AgentPath, SessionId } from "../../core/ids.ts";
import type { HookPlace } from "../../core/hooks/hook-input.ts";
import { readHooks } from "../../core/hooks/read-hooks.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { OwedStop, TreeState } from "../../core/tree-state.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { TreeWriter } from "./tree-writer.ts";

export type HookedChild = {
  readonly session: SessionId;
  readonly path: AgentPath;
  readonly parent: Origin;
  readonly agent: string;
  readonly cwd: string;
  /** Its definition's own. */
  readonly hooks?: ChildSettings["hooks"];
};

export type ChildHooks = {
  /** Step 4 of a spawn: SubagentStart, unless it stands already. Gives what the child is to be told besides its task. */
  start(child: HookedChild, requestedModel: string): Promise<readonly string[]>;
  /** Step 11: the child's own hooks act until the returned function is called, which must be after `stop`. */
  scope(child: Pick<HookedChild, "path" | "hooks">): () => void;
  /** SubagentStop, if SubagentStart stands without one. */
  stop(session: SessionId, end: ChildEnd): Promise<void>;
  /** SubagentStop for those of a subtree that a dead process left, but not for those that are still to go on. */
  stopLeft(below: AgentPath, goesOn: (session: SessionId) => boolean): Promise<void>;
};

export type ChildEnd = { readonly status: string; readonly output: string };

const never = new AbortController().signal;
/** Who stops a tree does not wait for its hooks much longer. */
const WHEN_STOPPED_MS = 5_000;

export function createChildHooks(writer: TreeWriter, clock: Clock, hooks: Hooks | undefined): ChildHooks {
  const owed = writer.state.owedStops;
  const stopping = new Map<SessionId, Promise<void>>();
  const scoped = new Set<AgentPath>();

  const hearsOf = ({ path, hooks: own }: HookedChild): boolean =>
    hooks !== undefined &&
    (own !== undefined || hooks.hears("SubagentStart", path) || hooks.hears("SubagentStop", path));

  async function fireStop(session: SessionId, left: OwedStop, end: ChildEnd): Promise<void> {
    const { path, agent, parent } = left;
    const place = placeIn({ session, path, parent, agent, cwd: cwdOf(session, parent.session) }, writer.state.mode);
    const late = new AbortController();
    const over = new AbortController();
    if (end.status === "cancelled")
      clock.sleep(WHEN_STOPPED_MS, over.signal).then(
        () => late.abort(new Error("its agent was stopped")),
        () => {},
      );
    const fields = { stop_hook_active: false, status: end.status, last_assistant_message: end.output } as const;
    await hooks?.fire("SubagentStop", place, fields, late.signal);
    over.abort(null);
    await writer.record(
      parent,
      { type: "hook.fired", event: "SubagentStop", child: session, childPath: path, agent },
      never,
    );
  }

  function scope({ path, hooks: own }: Pick<HookedChild, "path" | "hooks">): () => void {
    if (!hooks || !own || scoped.has(path)) return () => {};
    const { set, everywhere } = readHooks(own, "definition");
    const close = hooks.scope(path, set, everywhere);
    scoped.add(path);
    return () => {
      scoped.delete(path);
      close();
    };
  }

  /** The hooks of an agent that does not run, and of those above it: they hear its end as if it did. */
  function scopeUpwards(session: SessionId | undefined): (() => void)[] {
    const opened = session && writer.state.sessions.get(session)?.opened;
    const path = session && writer.state.sessions.get(session)?.path;
    if (!opened || !path) return [];
    const own = opened.child?.hooks;
    return [scope({ path, ...(own && { hooks: own }) }), ...scopeUpwards(opened.spawnedBy?.session)];
  }

  const cwdOf = (...sessions: SessionId[]): string =>
    sessions.flatMap((one) => writer.state.sessions.get(one)?.opened?.binding.cwd ?? [])[0] ?? "/";

  const stop: ChildHooks["stop"] = (session, end) => {
    const left = owed.get(session);
    if (!left) return Promise.resolve();
    const under = stopping.get(session) ?? fireStop(session, left, end).finally(() => stopping.delete(session));
    stopping.set(session, under);
    return under;
  };

  return {
    scope,
    async start(child, requestedModel) {
      const { session, path, agent, parent } = child;
      if (!hooks || owed.has(session) || !hearsOf(child)) return [];
      const { seq } = await writer.record(
        parent,
        { type: "hook.fired", event: "SubagentStart", child: session, childPath: path, agent },
        never,
      );
      await writer.durable(seq, parent, never);
      const place = placeIn(child, writer.state.mode);
      return (await hooks.fire("SubagentStart", place, { model: requestedModel }, never)).context;
    },
    stop,
    async stopLeft(below, goesOn) {
      if (owed.size === 0) return;
      const left = [...owed].filter(([session, { path }]) => path.startsWith(`${below}::`) && !goesOn(session));
      // The deepest first: an agent stops after its children.
      for (const [session, { parent }] of left.toSorted(([, a], [, b]) => b.path.length - a.path.length)) {
        const state = writer.state.sessions.get(session);
        const unscope = scopeUpwards(state ? session : parent.session);
        const { status = "interrupted", output = state?.lastText ?? "" } = state?.result ?? {};
        await stop(session, { status, output }).finally(() => unscope.forEach((close) => close()));
      }
    },
  };
}

/** A recorded child, as its hooks see it. */
export function hookedChild({ sessions }: TreeState, { session, path, opened }: SessionState): HookedChild {
  const above = opened?.spawnedBy && sessions.get(opened.spawnedBy.session);
  const higher = above?.opened?.spawnedBy?.session;
  const own = opened?.child?.hooks;
  return {
    session,
    path,
    parent: {
      session: above?.session ?? session,
      path: above?.path ?? path,
      ...(higher && { parent: higher }),
    },
    agent: opened?.agent ?? "",
    // Its parent's: its own copy may not be made yet, or be gone.
    cwd: above?.opened?.binding.cwd ?? opened?.binding.cwd ?? "/",
    ...(own && { hooks: own }),
  };
}

function placeIn({ session, path, parent, agent, cwd }: HookedChild, mode: Mode): HookPlace {
  return { origin: { session, path, parent: parent.session }, agent, cwd, mode, toldTo: parent };
}
