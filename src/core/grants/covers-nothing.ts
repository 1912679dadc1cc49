// Whether a grant covers no call at all: then it is no grant, and a person who gives it is told why. Pure.
import { type Rule, takesUse } from "../rules.ts";
import { readShell } from "../shell/read-shell.ts";
import { wordsOf } from "../shell/rule-covers.ts";
import { beyondGrants, moves } from "../shell/uncovered.ts";
import { neverGranted } from "./never-granted.ts";

/** The reason; undefined where it may cover some call. */
export function coversNothing({ tool, spec }: Rule): string | undefined {
  if (spec === undefined) return undefined;
  if (tool === "Bash") return nothingOfCommands(wordsOf(spec).words);
  if (!takesUse(tool)) return `the uses of ${tool} are not told apart, so only ${tool} as a whole can be allowed`;
  if (tool === "WebFetch" && !spec.startsWith("domain:")) return "a use of WebFetch is domain:HOST";
  return undefined;
}

/** The very words of the grant, as a command in a trusted folder: if they are not covered, nothing that begins with them is. */
function nothingOfCommands(words: readonly string[]): string | undefined {
  const never = neverGranted({ words });
  if (never !== undefined) return never;
  const reading = readShell(words.join(" "));
  if (reading.doubt !== undefined) return reading.doubt;
  if (moves(reading)) return "it changes the folder, and a grant is for commands in the project's folder";
  return reading.parts
    .filter(({ wraps }) => wraps !== true)
    .map((part) => beyondGrants(part, { roots: [], trusted: true }))
    .find((reason) => reason !== undefined);
}
