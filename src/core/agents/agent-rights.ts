// What a definition may do, as one text to compare: everything that it says but its words. Pure.
import type { Draft } from "./draft.ts";
import type { AgentFields } from "./definition.ts";

/** What changes how it talks and how long it works, and nothing of what it can reach. All else is a right. */
const WORDS: ReadonlySet<keyof AgentFields> = new Set([
  "description",
  "prompt",
  "initialPrompt",
  "model",
  "effort",
  "temperature",
  "color",
  "icon",
  "maxTurns",
  "timeout",
  "outputSchema",
  "summarize",
]);

/** The fields in which two drafts may not do the same; `name` where they are not called the same. */
export function changedRights(before: Draft, now: Draft): readonly string[] {
  const was = rightsIn(before);
  const is = rightsIn(now);
  return [...new Set([...was.keys(), ...is.keys()])].filter((field) => was.get(field) !== is.get(field)).toSorted();
}

function rightsIn({ name, aliases = [], form, fields, refusals }: Draft): Map<string, string> {
  const rights = Object.entries(fields).filter(([field]) => !WORDS.has(field as keyof AgentFields));
  const refused = refusals.map(({ field }) => [field, "refused"] as const);
  return new Map([
    ["name", JSON.stringify([name, aliases, form])],
    ...rights.map(([field, value]) => [field, JSON.stringify(value)] as const),
    ...refused,
  ]);
}
