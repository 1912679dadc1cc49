// What an agent may do with the work that its children left in copies of their own.
import type { FileChange } from "../core/tool-outcome.ts";
import type { Steered } from "./spawner.ts";

/** `id` is a child's id, path or name. */
export interface Copies {
  /** What stands in the copy and what applying would do, in words; `writes` are the real paths that it would change. */
  show(
    id: string,
    files: readonly string[],
  ): Promise<Steered<{ readonly said: string; readonly writes: readonly string[] }>>;
  /** All that is asked for or nothing; only what is in `allowed`. */
  apply(
    id: string,
    files: readonly string[],
    allowed: readonly string[],
  ): Promise<Steered<{ readonly said: string; readonly files: readonly FileChange[] }>>;
  /** As a branch of the repository that the copy was made from. */
  keep(id: string): Promise<Steered<{ readonly said: string }>>;
  discard(id: string): Promise<Steered<{ readonly said: string }>>;
}
