// What a hook is given: Claude Code's field names, and where in the tree it happened.
import type { Mode, Origin } from "../events.ts";
import { ROOT, type AgentPath, type SessionId } from "../ids.ts";
import type { Json, JsonObject } from "../json.ts";
import type { SessionState } from "../session-state.ts";
import type { HookEvent } from "./hook-events.ts";

type ToolCall = { readonly tool_name: string; readonly tool_input: JsonObject; readonly tool_use_id: string };

/** What each event brings, besides what all of them have. */
export type HookFields = {
  readonly PreToolUse: ToolCall;
  readonly PostToolUse: ToolCall & { readonly tool_response: Json; readonly duration_ms: number };
  readonly PostToolUseFailure: ToolCall & {
    readonly error: string;
    readonly is_interrupt: boolean;
    readonly duration_ms: number;
  };
  readonly UserPromptSubmit: { readonly prompt: string };
  readonly SessionStart: { readonly source: "startup" | "resume"; readonly model: string };
  readonly SessionEnd: { readonly reason: string };
  readonly Stop: { readonly stop_hook_active: boolean; readonly last_assistant_message: string };
  /** `model`: the one that was asked for. */
  readonly SubagentStart: { readonly model: string };
  readonly SubagentStop: {
    readonly stop_hook_active: false;
    readonly status: string;
    readonly last_assistant_message: string;
  };
  readonly PreCompact: { readonly trigger: "auto"; readonly custom_instructions: "" };
  readonly PermissionRequest: ToolCall & { readonly reason: string };
  readonly Notification: { readonly message: string; readonly notification_type: string };
};

export type HookCommon = {
  /** The lead's session, which names the tree. */
  readonly session_id: SessionId;
  /** The lead's. */
  readonly transcript_path: string;
  readonly cwd: string;
  readonly permission_mode: "default" | "bypassPermissions";
  /** `ROOT`, `ROOT::S1`, … */
  readonly agent_path: AgentPath;
  /** Only of a child. */
  readonly agent_id?: SessionId;
  readonly agent_type?: string;
  readonly parent_id?: SessionId;
  readonly agent_transcript_path?: string;
};

export type HookInput<E extends HookEvent = HookEvent> = E extends HookEvent
  ? HookCommon & { readonly hook_event_name: E } & HookFields[E]
  : never;

/** Who it happens to. */
export type HookPlace = {
  readonly origin: Origin;
  readonly agent: string;
  readonly cwd: string;
  readonly mode: Mode;
  /** Whose record takes what is told about it, where it is not its own. */
  readonly toldTo?: Origin;
};

/** What is the same for a whole tree. */
export type HookTree = { readonly tree: SessionId; transcriptOf(path: AgentPath): string };

export const placeOf = ({ session, path, opened }: SessionState, mode: Mode): HookPlace => ({
  origin: { session, path, ...(opened?.spawnedBy && { parent: opened.spawnedBy.session }) },
  agent: opened?.agent ?? "",
  cwd: opened?.binding.cwd ?? "/",
  mode,
});

export function hookInput<E extends HookEvent>(
  { tree, transcriptOf }: HookTree,
  { origin, agent, cwd, mode }: HookPlace,
  event: E,
  fields: HookFields[E],
): HookInput<E> {
  const common: HookCommon = {
    session_id: tree,
    transcript_path: transcriptOf(ROOT),
    cwd,
    permission_mode: mode === "yolo" ? "bypassPermissions" : "default",
    agent_path: origin.path,
    ...(origin.path !== ROOT && {
      agent_id: origin.session,
      agent_type: agent,
      agent_transcript_path: transcriptOf(origin.path),
      ...(origin.parent && { parent_id: origin.parent }),
    }),
  };
  return { ...common, hook_event_name: event, ...fields } as unknown as HookInput<E>;
}

/** What the matcher of a hook is compared with; undefined where the event has nothing to match. */
export function matchedBy(input: HookInput): string | undefined {
  switch (input.hook_event_name) {
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
    case "PermissionRequest":
      return input.tool_name;
    case "SubagentStart":
    case "SubagentStop":
      return input.agent_type ?? "";
    case "SessionStart":
      return input.source;
    case "SessionEnd":
      return input.reason;
    case "PreCompact":
      return input.trigger;
    case "Notification":
      return input.notification_type;
    case "UserPromptSubmit":
    case "Stop":
      return undefined;
  }
}
