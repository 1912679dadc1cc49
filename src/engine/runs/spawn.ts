// Makes a child: from a request to a recorded session that has everything it needs to run, now or after a crash.
import type { ChildSettings, Origin, SessionOpened } from "../../core/events.ts";
import { type AgentPath, type CallId, childPath, sessionId } from "../../core/ids.ts";
import { text } from "../../core/messages.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Clock, Random } from "../../ports/clock.ts";
import type { SpawnRequest } from "../../ports/spawner.ts";
import { admit } from "../sessions/mailbox.ts";
import type { Hooks } from "../hooks/hooks.ts";
import type { ChildHooks } from "./child-hooks.ts";
import type { RunParts } from "./launch.ts";
import type { TreeWriter } from "./tree-writer.ts";

/** What a child is to be, found from its definition, the call and the parent. */
export type ChildDraft = {
  readonly agent: string;
  readonly settings: ChildSettings;
  readonly opened: Pick<SessionOpened, "protocol" | "capability" | "model" | "binding" | "permissions" | "version">;
};

export type ChildParts = Omit<RunParts, "spawner">;

export type SpawnKit = {
  readonly limits: { readonly maxConcurrent: number; readonly maxDepth: number; readonly maxAgents: number };
  readonly clock: Clock;
  readonly random: Random;
  /** Ends with the tree: what runs in the background hangs on it. */
  readonly treeSignal: AbortSignal;
  readonly hooks?: Hooks;
  draft(request: SpawnRequest, parent: SessionState): Promise<ChildDraft | { readonly problem: string }>;
  /** Made from the child's record alone; `close` ends what the run began. */
  parts(child: SessionState): Promise<{ readonly parts: ChildParts; close(): Promise<void> }>;
  transcriptOf(path: AgentPath): string;
};

const never = new AbortController().signal;

export async function makeChild(
  kit: SpawnKit,
  writer: TreeWriter,
  parent: Origin,
  request: SpawnRequest,
  call: CallId,
  number: number,
  hooks: ChildHooks,
): Promise<{ readonly child: SessionState } | { readonly problem: string }> {
  const { sessions } = writer.state;
  const state = sessions.get(parent.session);
  if (!state) return { problem: "the parent has no session" };
  const refused = overLimit(kit, parent, sessions.size);
  if (refused !== undefined) return { problem: refused };
  const draft = await kit.draft(request, state);
  if ("problem" in draft) return draft;
  const session = sessionId(kit.random.uuid());
  const origin: Origin = { session, path: childPath(parent.path, number), parent: parent.session };
  const spawnedBy = { session: parent.session, call };
  const title = request.prompt.trim().split("\n")[0]?.slice(0, 80) ?? "";
  const { agent, opened, settings } = draft;
  const told = await hooks.start(
    {
      session,
      path: origin.path,
      parent,
      agent,
      cwd: opened.binding.cwd,
      ...(settings.hooks && { hooks: settings.hooks }),
    },
    request.model ?? opened.model,
  );
  const child: ChildSettings =
    told.length === 0 ? settings : { ...settings, task: [settings.task, ...told].join("\n\n") };
  await writer.record(
    origin,
    { type: "session.opened", agent, ...opened, trigger: "spawn", spawnedBy, child, title },
    never,
  );
  const made = sessions.get(session);
  if (!made) throw new Error(`${origin.path} was recorded and is not there`);
  await noteChild(writer, parent, made, call);
  return { child: made };
}

/** The parent's record of its child; a crash may have come before it. */
export async function noteChild(writer: TreeWriter, parent: Origin, child: SessionState, call: CallId): Promise<void> {
  if (writer.state.sessions.get(parent.session)?.children.has(child.session)) return;
  const { background = false, name } = child.opened?.child ?? {};
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
    },
    never,
  );
  await writer.durable(seq, parent, never);
}

/** The task enters the child's mailbox once, whenever it first runs. */
export async function admitTask(kit: SpawnKit, writer: TreeWriter, child: SessionState, origin: Origin): Promise<void> {
  if (child.admitted.size > 0) return;
  const content = [text(child.opened?.child?.task ?? "")];
  await admit(writer, origin, { from: "parent", how: "prompt", content }, kit.random, never);
}

function overLimit({ limits }: SpawnKit, parent: Origin, agents: number): string | undefined {
  const depth = parent.path.split("::").length;
  if (depth > limits.maxDepth)
    return `children may be nested ${limits.maxDepth} deep, and ${parent.path} is at that depth: do it yourself`;
  if (agents >= limits.maxAgents) return `too many subagents: this tree already has ${agents} agents, its limit`;
  return undefined;
}
