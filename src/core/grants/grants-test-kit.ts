// What grant tests start from: the verdict on a command in the project /p, with its operands where no link leads away.
import { posix } from "node:path";
import type { Always } from "../grants.ts";
import { type Question, type Reach, type Verdict, judge } from "../permissions.ts";
import { noRules, parseRule } from "../rules.ts";
import { readShell } from "../shell/read-shell.ts";

export function run(command: string): Extract<Reach, { may: "run" }> {
  const reading = readShell(command);
  const words = reading.parts.flatMap((part) => part.words.slice(1).filter((word) => word !== null));
  const operands = Object.fromEntries(words.map((word) => [word, posix.resolve("/p", word)]));
  return { may: "run", command, reading, reads: [], operands };
}

export function verdict(
  tool: string,
  reach: Reach,
  grants: readonly string[] = [],
  more: Partial<Question> = {},
): Verdict {
  return judge({
    tool,
    reach: [reach],
    roots: ["/p"],
    places: { cwd: "/p", home: "/home" },
    mode: "confirm",
    rules: noRules,
    trusted: true,
    repository: { top: "/p" },
    outcomeUnknown: false,
    grants: {
      project: "/p",
      now: () => grants.map((rule) => parseRule(rule)!),
      mayKeep: (text) => !text.includes("sk-secret"),
    },
    ...more,
  });
}

/** The rules that "always" would store, or why there are none. */
export function offered(
  tool: string,
  reach: Reach,
  grants: readonly string[] = [],
  more: Partial<Question> = {},
): unknown {
  const found = verdict(tool, reach, grants, more) as { always?: Always };
  return found.always && ("rules" in found.always ? found.always.rules : found.always.not);
}
