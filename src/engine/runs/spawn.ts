// Makes a child: from a request to a recorded session that has everything it needs to run, now or after a crash.
import type { ChildSettings, Origin, SessionOpened } from "../../core/events.ts";
import { type AgentPath, type CallId, childPath, sessionId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Clock, Random } from "../../ports/clock.ts";
import type { SpawnRequest } from "../../ports/spawner.ts";
import { admit } from "../sessions/mailbox.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { RunParts } from "./launch.ts";
import { type Tree, originOf } from "./tree.ts";
import type { InboxKit } from "./tree-inbox.ts";
import type { TreeWriter } from "./tree-writer.ts";

/** What a child is to be, found from its definition, the call and the parent. */
export type ChildDraft = {
  readonly agent: string;
  readonly settings: ChildSettings;
  readonly opened: Pick<SessionOpened, "protocol" | "capability" | "model" | "binding" | "permissions" | "version">;
};

export type ChildParts = Omit<RunParts, "spawner" | "inbox">;

export type SpawnKit = InboxKit & {
  readonly limits: { readonly maxConcurrent: number; readonly maxDepth: number; readonly maxAgents: number };
  readonly clock: Clock;
  readonly random: Random;
  /** Ends with the tree: what runs in the background hangs on it. */
  readonly treeSignal: AbortSignal;
  /** How long a run that a person interrupted waits for words; left out, for ever. */
  readonly heldMs?: number;
  readonly hooks?: Hooks;
  draft(request: SpawnRequest, parent: SessionState): Promise<ChildDraft | { readonly problem: string }>;
  /** Made from the child's record alone; `close` ends what the run began. */
  parts(child: SessionState): Promise<{ readonly parts: ChildParts; close(): Promise<void> }>;
  transcriptOf(path: AgentPath): string;
};

const never = new AbortController().signal;

export type NewChild = {
  readonly draft: ChildDraft;
  readonly call: CallId;
  /** As the caller named it. */
  readonly model?: string;
  readonly title: string;
  readonly item?: number;
  readonly history?: NonNullable<SessionOpened["history"]>;
  /** It waits to be spoken to. */
  readonly idle?: boolean;
  /** Sets it to work. Until this is done nobody else can do anything with it. */
  begin?(child: SessionState): void;
};

export async function makeChild(
  tree: Tree,
  parent: Origin,
  { draft, call, model: wished, title, item, history, idle = false, begin }: NewChild,
): Promise<{ readonly child: SessionState } | { readonly problem: string }> {
  const { kit, writer, inTurn, numbers } = tree;
  const refused = overLimit(kit, parent, writer.state.sessions.size);
  if (refused !== undefined) return { problem: refused };
  const session = sessionId(kit.random.uuid());
  const origin: Origin = { session, path: childPath(parent.path, numbers.next(parent)), parent: parent.session };
  const { agent, settings } = draft;
  const { protocol, capability, model, binding, permissions, version } = draft.opened;
  const hooked = { session, path: origin.path, parent, agent, cwd: binding.cwd };
  const told = idle
    ? []
    : await tree.hooks.start({ ...hooked, ...(settings.hooks && { hooks: settings.hooks }) }, wished ?? model);
  return inTurn(session, async () => {
    await writer.record(
      origin,
      {
        type: "session.opened",
        agent,
        ...(protocol && { protocol }),
        capability,
        model,
        binding,
        permissions,
        version,
        trigger: history ? "fork" : "spawn",
        spawnedBy: { session: parent.session, call, ...(item !== undefined && { item }) },
        child: told.length === 0 ? settings : { ...settings, task: [settings.task, ...told].join("\n\n") },
        title: title.trim().split("\n")[0]?.slice(0, 80) ?? "",
        ...(history && { history }),
      },
      never,
    );
    const child = tree.stateOf(session);
    if (!child) throw new Error(`${origin.path} was recorded and is not there`);
    await noteChild(writer, parent, child, idle);
    begin?.(child);
    return { child };
  });
}

/** The parent's record of its child; a crash may have come before it. */
export async function noteChild(writer: TreeWriter, parent: Origin, child: SessionState, idle = false): Promise<void> {
  if (writer.state.sessions.get(parent.session)?.children.has(child.session)) return;
  const { background = false, name } = child.opened?.child ?? {};
  const call = child.opened?.spawnedBy?.call ?? ("" as CallId);
  const { seq } = await writer.record(
    parent,
    {
      type: "child.started",
      child: child.session,
      childPath: child.path,
      agent: child.opened?.agent ?? "",
      call,
      background,
      ...(name !== undefined && { name }),
      ...(idle && { idle }),
    },
    never,
  );
  await writer.durable(seq, parent, never);
}

/** The task enters the child's mailbox once, whenever it first runs; what it is told later, likewise. */
export async function admitWords({ kit, writer, refOf }: Tree, child: SessionState): Promise<void> {
  const origin = originOf(child);
  const task = child.opened?.child?.task ?? "";
  if (child.admitted.size === 0 && task !== "")
    await admit(writer, origin, { from: "parent", how: "prompt", content: [text(task)] }, kit.random, never);
  const { resumed } = refOf(child) ?? {};
  if (!resumed || child.admitted.has(resumed.input)) return;
  const { input, content, by } = resumed;
  const from = by === "parent" ? by : "person";
  const { seq } = await writer.record(origin, { type: "input.admitted", input, from, how: "prompt", content }, never);
  await writer.durable(seq, origin, never);
}

function overLimit({ limits }: SpawnKit, parent: Origin, agents: number): string | undefined {
  const depth = parent.path.split("::").length;
  if (depth > limits.maxDepth)
    return `children may be nested ${limits.maxDepth} deep, and ${parent.path} is at that depth: do it yourself`;
  if (agents >= limits.maxAgents) return `too many subagents: this tree already has ${agents} agents, its limit`;
  return undefined;
}
