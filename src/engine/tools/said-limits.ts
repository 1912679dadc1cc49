// How much of one tool's text a conversation holds, and where the rest goes.
import type { Spill } from "../../std/bounded.ts";
import type { Facts } from "../../core/tool-outcome.ts";
import type { ToolWorld } from "./define-tool.ts";

/** In bytes. */
export const SAID_LIMITS = { head: 24_000, tail: 8_000 } as const;
const MOST_KEPT = 32 * 1024 * 1024;

export function spillInto(world: Pick<ToolWorld, "spill">, kept: (artifact: Facts["artifact"]) => void): Spill {
  return {
    cap: MOST_KEPT,
    open: () => {
      const file = world.spill();
      return { write: (chunk) => file.write(chunk), end: () => kept(file.end()) };
    },
  };
}

export const withArtifact = (said: string, artifact: Facts["artifact"]): string =>
  artifact ? `${said}\n[whole output: ${artifact.path}]` : said;
