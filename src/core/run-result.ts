// The result object of a run: the last line of `--output json`, the payload of run.ended.
import type { AgentPath, SessionId } from "./ids.ts";
import type { Json } from "./json.ts";
import type { Cost } from "./usage.ts";

export type EndState =
  "succeeded" | "partial" | "empty" | "limit" | "stalled" | "failed" | "refused" | "cancelled" | "interrupted";
/** Not ends: the run can go on. */
export type HaltState = "parked" | "paused";

export type Receipt = {
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly commands: readonly { readonly command: string; readonly exitCode: number | null }[];
  readonly files: readonly {
    readonly path: string;
    readonly change: string;
    readonly hash?: string;
    readonly added?: number;
    readonly removed?: number;
  }[];
  readonly reads: readonly string[];
  readonly searches: readonly string[];
  readonly fetches: readonly string[];
  readonly models: readonly string[];
  /** Machine-made warnings: claims without calls, calls with unknown outcome. */
  readonly flags: readonly string[];
};

/** What a run left in a copy of its own. */
export type WorkspaceReport = {
  readonly isolation: "worktree" | "sandbox";
  readonly root: string;
  readonly branch: string;
  /** The folder that it is a copy of. */
  readonly source: string;
  readonly files: readonly {
    readonly path: string;
    readonly change: "created" | "changed" | "deleted";
    /** null: they are no lines. */
    readonly added: number | null;
    readonly removed: number | null;
  }[];
  /** Files that are not listed. */
  readonly more?: number;
  /** It held nothing of its own and is gone. */
  readonly released?: "clean";
  /** Why it cannot be told what is in it. */
  readonly problem?: string;
};

export type RunResult = {
  readonly status: EndState | HaltState;
  readonly output: string;
  /** The child's own shorter version of it, which is what its parent is told. */
  readonly summary?: string;
  readonly structured?: Json;
  readonly error?: { readonly code: string; readonly message: string; readonly remedy?: string };
  /** Who ended it, when it was cancelled. */
  readonly by?: string;
  readonly session: SessionId;
  readonly path: AgentPath;
  readonly agent: string;
  readonly model: string;
  readonly turns: number;
  readonly toolCalls: number;
  readonly durationMs: number;
  readonly usage: { readonly own: Cost; readonly tree: Cost };
  readonly receipt: Receipt;
  readonly transcript: string;
  /** The whole of a result that its parent was told in part. */
  readonly artifact?: { readonly path: string; readonly bytes: number };
  readonly children: readonly Json[];
  /** What stands in its own copy, where it has one. */
  readonly workspace?: WorkspaceReport;
  /** What it waits for, when it is parked. */
  readonly items?: readonly Json[];
};
