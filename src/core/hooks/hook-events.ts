// The moments at which a hook can step in, and what the matcher of each is compared with.
export const HOOK_EVENTS = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PermissionRequest",
  "Notification",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export const isHookEvent = (name: string): name is HookEvent => (HOOK_EVENTS as readonly string[]).includes(name);

/** What plain words on stdout, exit 0, are taken for: only here do they reach the model. */
export const takesPlainText = (event: HookEvent): boolean => event === "UserPromptSubmit" || event === "SessionStart";

/** Where exit 2 or `decision: "block"` holds something back; elsewhere it can only be told. */
export const canBlock = (event: HookEvent): boolean =>
  event === "PreToolUse" ||
  event === "PermissionRequest" ||
  event === "UserPromptSubmit" ||
  event === "Stop" ||
  event === "PreCompact";

/** Where the reason of a block is for the model, because what it is about has already happened. */
export const tellsModel = (event: HookEvent): boolean => event === "PostToolUse" || event === "PostToolUseFailure";
