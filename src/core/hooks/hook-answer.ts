// What a hook answers, as the JSON a command prints or the value a function returns.
import type { JsonObject } from "../json.ts";

export type HookAnswer = {
  /** false ends the agent's run. */
  readonly continue?: boolean;
  readonly stopReason?: string;
  /** For the person. */
  readonly systemMessage?: string;
  readonly decision?: "approve" | "block" | "allow" | "deny" | "ask";
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName?: string;
    readonly permissionDecision?: "allow" | "deny" | "ask" | "defer";
    readonly permissionDecisionReason?: string;
    /** Replaces the whole input of the call. */
    readonly updatedInput?: JsonObject;
    readonly additionalContext?: string;
    /** Of PermissionRequest. */
    readonly decision?: { readonly behavior: "allow" | "deny"; readonly message?: string };
  };
};

/** How a hook ended. */
export type HookEnd =
  | { readonly is: "exited"; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly is: "returned"; readonly answer: unknown }
  /** It could not be started, was killed, threw, or took too long. */
  | { readonly is: "broke"; readonly why: string };
