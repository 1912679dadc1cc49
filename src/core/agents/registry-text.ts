// The list of agents that a prompt shows: bounded however many there are, the likeliest first, every line harmless.
import type { AgentDefinition } from "./definition.ts";
import { isSpawnable } from "./may-spawn.ts";

export const DEFAULT_REGISTRY_BYTES = 3_000;
const CLIPS = [220, 140, 90] as const;
const HOW_TO_FIND = "any of them can be spawned by its name; `sous agents list` shows all";

/** `hint` is what the person asked: agents whose words overlap with it come before others of their kind. */
export function registryText(
  definitions: readonly AgentDefinition[],
  budgetBytes: number = DEFAULT_REGISTRY_BYTES,
  hint = "",
): string {
  const words = wordsOf(hint);
  const ranked = definitions
    .filter((definition) => definition.launchable === true && isSpawnable(definition))
    .map((definition) => ({ definition, rank: rank(definition, words, hint) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ definition }) => definition);
  for (const clip of CLIPS) {
    const whole = ranked.map((definition) => entry(definition, clip)).join("\n");
    if (bytes(whole) <= budgetBytes) return whole;
  }
  return shortened(ranked, budgetBytes);
}

function shortened(ranked: readonly AgentDefinition[], budgetBytes: number): string {
  const left = (count: number): string => `(${count} more agents are not listed: ${HOW_TO_FIND})`;
  let room = budgetBytes - bytes(left(ranked.length));
  const lines: string[] = [];
  for (const definition of ranked) {
    const line = entry(definition, CLIPS[2]);
    room -= bytes(line) + 1;
    if (room < 0) break;
    lines.push(line);
  }
  return [...lines, left(ranked.length - lines.length)].join("\n");
}

const entry = ({ name, description }: AgentDefinition, clip: number): string =>
  `- ${harmless(name, 80)}: ${harmless(gist(description), clip)}`;

/** What stands before examples and further paragraphs. */
function gist(description: string): string {
  const text = description.replaceAll("\\n", "\n");
  const before = text.split(/<\/?[a-z]|\n\s*\n/i)[0]?.trim();
  return before || text;
}

/** One line without tags, control characters and template marks: a description is data in somebody's prompt. */
function harmless(text: string, most: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/<[^>]*>?|>/g, "")
    .replace(/\{\{|\}\}/g, "")
    .replace(/ +/g, " ")
    .trim();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** An agent that the prompt names outright, then built-ins and the project's, then the words they share. */
function rank(definition: AgentDefinition, words: ReadonlySet<string>, hint: string): number {
  const { name, description, source } = definition;
  const named = name.length > 2 && hint.toLowerCase().includes(name.toLowerCase());
  const near = source.priority === 0 || source.priority >= 30 || source.kind === "agent-type";
  const shared = [...wordsOf(`${name} ${description}`)].filter((word) => words.has(word)).length;
  return (named ? 2_000_000 : 0) + (near ? 1_000_000 : 0) + shared;
}

const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 3),
  );

const bytes = (text: string): number => new TextEncoder().encode(text).length;
