// The keys of a definition: ours, other spellings of them, and keys of other tools that are no mistakes.
import { nearest } from "../../std/nearest.ts";
import type { AgentFields } from "./definition.ts";

export type FieldName = "name" | keyof AgentFields;

const FIELDS: readonly FieldName[] = [
  "name",
  "description",
  "prompt",
  "tools",
  "disallowedTools",
  "model",
  "permissionMode",
  "maxTurns",
  "skills",
  "mcpServers",
  "hooks",
  "memory",
  "background",
  "effort",
  "isolation",
  "color",
  "icon",
  "initialPrompt",
  "spawns",
  "triggers",
  "capabilities",
  "inputSchema",
  "outputSchema",
  "temperature",
  "timeout",
  "exitVia",
  "summarize",
  "workspace",
  "protocol",
  "omitInstructions",
  "widen",
];

/** Claude Code's and the seeds' other words for the same. */
const SPELLINGS: Readonly<Record<string, FieldName>> = {
  id: "name",
  systemPrompt: "prompt",
  allowedTools: "tools",
  deniedTools: "disallowedTools",
  maxIterations: "maxTurns",
  omitClaudeMd: "omitInstructions",
  defaultWorkspace: "workspace",
};

/** Keys of other tools, kept as metadata without a word. */
const FOREIGN = new Set(
  [
    "agents",
    "author",
    "category",
    "handoffs",
    "hidden",
    "kind",
    "license",
    "mode",
    "observer",
    "tags",
    "target",
  ].concat(["argument-hint", "autoCompactWindow", "display_name", "user-invocable", "version", "variant"]),
);

/** Leaving one of these out would give an agent more than its author meant. */
export const GUARDED: ReadonlySet<FieldName> = new Set(["tools", "disallowedTools", "permissionMode", "hooks"]);

const plain = (key: string): string => key.replace(/[\s_\-\p{Cf}]/gu, "").toLowerCase();
const byPlain = new Map<string, FieldName>(
  [...FIELDS.map((name) => [name, name] as const), ...Object.entries(SPELLINGS)].map(([key, name]) => [
    plain(key),
    name,
  ]),
);

/** The field that a key means: `allowed-tools`, `Tools` and `max_turns` are understood. */
export const fieldOf = (key: string): FieldName | undefined => byPlain.get(plain(key));

/** Keys that begin a field where a head is no YAML: written exactly so, since prose is full of words and colons. */
const exact = new Set<string>([
  ...FIELDS,
  ...Object.keys(SPELLINGS),
  "author",
  "category",
  "license",
  "tags",
  "version",
]);
const hyphenated = /^(allowed|disallowed|permission|max|mcp)[-_](tools|mode|turns|servers)$/;
export const beginsField = (key: string): boolean => exact.has(key) || hyphenated.test(key);

/** The field that was probably meant by an unknown key. */
export function meantBy(key: string): FieldName | undefined {
  if (FOREIGN.has(key)) return undefined;
  // `tools:tools`, `[tools` and their like: damage around a key that must not be lost.
  const inside = key.split(/[^A-Za-z_-]+/).map(fieldOf);
  const guarded = inside.find((field) => field !== undefined && GUARDED.has(field));
  if (guarded) return guarded;
  const near = nearest(key, [...FIELDS, ...Object.keys(SPELLINGS)]);
  return near === undefined ? undefined : fieldOf(near);
}
