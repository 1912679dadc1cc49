// What became of a tool call: one half for the model, one for people and receipts.
import type { Said } from "./messages.ts";

/** What really happened, as data: the stuff of receipts. */
export type Facts = {
  readonly command?: { readonly text: string; readonly exitCode: number | null; readonly timedOut?: boolean };
  readonly files?: readonly {
    readonly path: string;
    readonly change: "created" | "changed" | "deleted";
    readonly hash?: string;
    readonly added?: number;
    readonly removed?: number;
  }[];
  readonly read?: { readonly path: string };
  /** Where the whole output stands when only its head and tail were said. */
  readonly artifact?: { readonly path: string; readonly bytes: number };
};

export type ToolOutcome =
  | { readonly ok: true; readonly said: readonly Said[]; readonly facts?: Facts }
  | {
      readonly ok: false;
      readonly why: "refused" | "failed" | "interrupted";
      readonly said: readonly Said[];
      readonly facts?: Facts;
    };
