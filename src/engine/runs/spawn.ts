// Makes a child: from a request to a recorded session with everything it needs to run. What a step began is undone
// when a later one fails.
import type { ChildSettings, Origin, SessionOpened } from "../../core/events.ts";
import { type AgentPath, type CallId, type SessionId, childPath, sessionId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Clock, Random } from "../../ports/clock.ts";
import type { SpawnRequest } from "../../ports/spawner.ts";
import { admit } from "../sessions/mailbox.ts";
import type { RunParts } from "./launch.ts";
import type { TreeWriter } from "./tree-writer.ts";

/** What a child is to be, found from its definition, the call and the parent. */
export type ChildDraft = {
  readonly agent: string;
  readonly settings: ChildSettings;
  readonly opened: Pick<SessionOpened, "capability" | "model" | "binding" | "permissions" | "version">;
  /** The task as the child is given it, with the files it was handed. */
  readonly prompt: string;
};

export type ChildParts = Omit<RunParts, "spawner">;

export type SpawnKit = {
  readonly limits: { readonly maxConcurrent: number; readonly maxDepth: number; readonly maxAgents: number };
  readonly clock: Clock;
  readonly random: Random;
  /** Ends with the tree: what runs in the background hangs on it. */
  readonly treeSignal: AbortSignal;
  draft(request: SpawnRequest, parent: SessionState): Promise<ChildDraft | { readonly problem: string }>;
  parts(child: SessionState): Promise<ChildParts>;
};

export type ChildPlan = { readonly origin: Origin; readonly agent: string; readonly parts: ChildParts };

const never = new AbortController().signal;

export async function planChild(
  kit: SpawnKit,
  writer: TreeWriter,
  parent: Origin,
  request: SpawnRequest,
  call: CallId,
  number: number,
): Promise<ChildPlan | { readonly problem: string }> {
  const { sessions } = writer.state;
  const state = sessions.get(parent.session);
  if (!state) return { problem: "the parent has no session" };
  const depth = parent.path.split("::").length;
  if (depth > kit.limits.maxDepth)
    return {
      problem: `children may be nested ${kit.limits.maxDepth} deep, and ${parent.path} is at that depth: do it yourself`,
    };
  if (sessions.size >= kit.limits.maxAgents)
    return { problem: `too many subagents: this tree already has ${sessions.size} agents, its limit` };
  const draft = await kit.draft(request, state);
  if ("problem" in draft) return draft;
  const origin = newOrigin(parent, sessionId(kit.random.uuid()), childPath(parent.path, number));
  const opened = await writer.record(
    origin,
    {
      type: "session.opened",
      agent: draft.agent,
      ...draft.opened,
      trigger: "spawn_subagent",
      spawnedBy: { session: parent.session, call },
      child: draft.settings,
      title: request.prompt.trim().split("\n")[0]?.slice(0, 80) ?? "",
    },
    never,
  );
  const name = draft.settings.name;
  await writer.record(
    parent,
    {
      type: "child.started",
      child: origin.session,
      childPath: origin.path,
      agent: draft.agent,
      call,
      background: draft.settings.background,
      ...(name !== undefined && { name }),
    },
    never,
  );
  await admit(writer, origin, { from: "parent", how: "prompt", content: [text(draft.prompt)] }, kit.random, never);
  await writer.durable(opened.seq, origin, never);
  return reopen(kit, sessions.get(origin.session)!);
}

/** The same child, from its record: whatever became of its definition. */
export async function reopen(kit: SpawnKit, child: SessionState): Promise<ChildPlan> {
  const parent = child.opened?.spawnedBy?.session;
  const origin: Origin = { session: child.session, path: child.path, ...(parent && { parent }) };
  return { origin, agent: child.opened?.agent ?? "", parts: await kit.parts(child) };
}

const newOrigin = (parent: Origin, session: SessionId, path: AgentPath): Origin => ({
  session,
  path,
  parent: parent.session,
});
