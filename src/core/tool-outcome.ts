// What became of a tool call: one half for the model, one for people and receipts.
import type { Json } from "./json.ts";
import type { Said } from "./messages.ts";

export type SeenVersion = { readonly stamp: string; readonly hash?: string };

/** What really happened, as data: the stuff of receipts. */
export type Facts = {
  readonly command?: {
    readonly text: string;
    readonly exitCode: number | null;
    readonly timedOut?: boolean;
    /** It runs, or ran, in the background under this id: told once at its start and once at its end. */
    readonly shell?: string;
  };
  readonly files?: readonly FileChange[];
  /** `version` tells the file as it was seen from any other. */
  readonly read?: { readonly path: string; readonly version?: SeenVersion };
  readonly search?: { readonly tool: string; readonly pattern: string };
  readonly fetched?: { readonly url: string; readonly status: number };
  /** Where the whole output stands when only its head and tail were said. */
  readonly artifact?: { readonly path: string; readonly bytes: number };
};

export type FileChange = {
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
  /** The start of `after`, for people. */
  readonly hash?: string;
  readonly added?: number;
  readonly removed?: number;
  /** SHA-256 of what the file held before, which is kept for undo; null: it did not exist. */
  readonly before?: string | null;
  /** null: it is no longer there. */
  readonly after?: string | null;
  /** Its permission bits before. */
  readonly mode?: number;
  /** Folders that were made for it, outermost first. */
  readonly folders?: readonly string[];
};

/** A result; `structured` where one with a schema was asked for. */
export type HandedIn = { readonly output: string; readonly structured?: Json };

export type ToolOutcome =
  | {
      readonly ok: true;
      readonly said: readonly Said[];
      readonly facts?: Facts;
      /** The agent ends with this call; `output` is its result. */
      readonly ends?: HandedIn;
    }
  | {
      readonly ok: false;
      readonly why: "refused" | "failed" | "interrupted";
      readonly said: readonly Said[];
      readonly facts?: Facts;
      /** It was handed in as the agent's result and does not fit what was asked for. */
      readonly rejected?: { readonly output: string; readonly problem: string };
    };
