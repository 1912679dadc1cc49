// What `sous agents` shows, for people and for programs.
import { relative } from "node:path";
import type { AgentDefinition, DefinitionSource, Problem } from "../../core/agents/definition.ts";
import { grantText } from "../../core/agents/tool-set.ts";
import { ruleText } from "../../core/rules.ts";
import type { RegistrySnapshot } from "../../host/agents.ts";
import type { CheckedFile } from "../../host/agents/check.ts";
import type { ImportedFile } from "../../host/agents/import.ts";
import { oneLine, plainText } from "./plain-text.ts";
import { count } from "../../std/count.ts";
import { cutToWidth, textWidth } from "../../std/text-width.ts";

export const sourceText = ({ kind, file, line }: DefinitionSource): string =>
  file === undefined
    ? kind === "cli-json"
      ? "--agents"
      : kind
    : `${kind} ${file}${line !== undefined && line > 1 ? `:${line}` : ""}`;

/** What else is wrong with a definition, besides what reading it has shown. */
type Further = (definition: AgentDefinition) => readonly Problem[];

/** `width`: of a terminal; elsewhere nothing is cut. */
export function listText(snapshot: RegistrySnapshot, further: Further, width: number | undefined): string[] {
  const lines: string[] = [];
  const fit = (line: string, name: string): string =>
    width === undefined ? line : cutToWidth(line, Math.max(width, textWidth(name)));
  for (const definition of snapshot.definitions) {
    const { name, description, source, launchable } = definition;
    const shown = plainText(name);
    lines.push(fit(`${shown.padEnd(NAME_ROOM)}  ${oneLine(description, Infinity)}`.trimEnd(), shown));
    if (source.file !== undefined || source.kind !== "built-in")
      lines.push(`    from ${plainText(sourceText(source))}`);
    for (const lower of snapshot.shadowedBy(definition)) lines.push(`    over ${plainText(sourceText(lower.source))}`);
    const refused = launchable === true ? further(definition).find(isError)?.message : launchable.refused;
    if (refused !== undefined) lines.push(`    cannot be launched: ${plainText(refused)}`);
  }
  const problems = problemsText(snapshot, further);
  return problems.length === 0 ? lines : [...lines, "", "problems", ...problems.map((problem) => `  ${problem}`)];
}

const NAME_ROOM = 24;
const isError = ({ severity }: Problem): boolean => severity === "error";

/** Of files, and of agents that stand in none. */
export const problemsText = ({ problems, definitions }: RegistrySnapshot, further: Further): string[] =>
  [
    ...problems,
    ...definitions.flatMap(({ problems: own, source }) =>
      source.file === undefined ? own.map((one) => ({ ...one, file: sourceText(source) })) : [],
    ),
    ...definitions.flatMap((one) =>
      further(one).map((problem) => ({ ...problem, file: one.source.file ?? sourceText(one.source) })),
    ),
  ]
    .filter(({ severity }) => severity !== "note")
    .map(({ file, line, message, severity }) => `${plainText(file)}:${line}: ${severity}: ${plainText(message)}`);

export const listJson = (snapshot: RegistrySnapshot) =>
  snapshot.definitions.map((definition) => summary(definition, snapshot.shadowedBy(definition)));

const summary = (definition: AgentDefinition, shadowed: readonly AgentDefinition[]) => ({
  name: definition.name,
  description: definition.description,
  source: definition.source,
  shadows: shadowed.map(({ source }) => source),
  tools: definition.tools === "inherit" ? definition.tools : definition.tools.map(ruleText),
  ...(definition.model !== undefined && { model: definition.model }),
  launchable: definition.launchable,
  recovered: definition.recovered,
  problems: definition.problems,
});

export const definitionJson = (definition: AgentDefinition, shadowed: readonly AgentDefinition[]) => ({
  ...definition,
  tools: definition.tools === "inherit" ? definition.tools : definition.tools.map(ruleText),
  disallowedTools: definition.disallowedTools.map(ruleText),
  shadows: shadowed.map(({ source }) => source),
});

/** Shown in lines of their own, or not for people. */
const APART = new Set([
  "name",
  "description",
  "prompt",
  "tools",
  "disallowedTools",
  "source",
  "problems",
  "aliases",
  "lines",
]);

export function definitionText(definition: AgentDefinition, shadowed: readonly AgentDefinition[]): string[] {
  const { name, aliases, description, prompt, tools, disallowedTools, source, problems } = definition;
  const settings = Object.entries(definition).filter(([key, value]) => !APART.has(key) && !isEmpty(value));
  return [
    `${plainText(name)}${aliases.length > 0 ? ` (also ${aliases.join(", ")})` : ""}`,
    `from: ${plainText(sourceText(source))}`,
    ...shadowed.map((lower) => `over: ${plainText(sourceText(lower.source))}`),
    `description: ${plainText(description)}`,
    `tools: ${grantText(tools)}`,
    ...(disallowedTools.length > 0 ? [`disallowedTools: ${grantText(disallowedTools)}`] : []),
    ...settings.map(
      ([key, value]) => `${key}: ${plainText(typeof value === "string" ? value : JSON.stringify(value))}`,
    ),
    ...problems.map(({ line, message, severity }) => `${severity}, line ${line}: ${plainText(message)}`),
    "",
    plainText(prompt),
  ];
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === false ||
  (typeof value === "object" && value !== null && Object.keys(value).length === 0);

export function checkText(files: readonly CheckedFile[], cwd: string): string[] {
  const lines = files.flatMap(({ file, ok, name, tools, problems }) => [
    `${ok ? "ok " : "not ok"} ${shortPath(file, cwd)}  ${oneLine(name, 60)}  tools: ${plainText(tools === "inherit" ? tools : tools.join(", ") || "none")}`,
    ...problems.map(
      ({ line, message, severity }) => `    ${shortPath(file, cwd)}:${line}: ${severity}: ${plainText(message)}`,
    ),
  ]);
  const bad = files.filter(({ ok }) => !ok).length;
  return [...lines, `${count(files.length, "file")}, ${bad === 0 ? "all ok" : `${bad} not ok`}`];
}

export function importText(files: readonly ImportedFile[], cwd: string, dryRun: boolean): string[] {
  return files.flatMap(({ file, to, told, skipped, markdown }) => {
    const from = shortPath(file, cwd);
    if (skipped !== undefined || to === undefined) return [`${from}: not imported: ${plainText(skipped ?? "")}`];
    return [
      `${from} ${dryRun ? "would be" : "is"} ${shortPath(to, cwd)}`,
      ...told.map((what) => `    ${plainText(what)}`),
      ...(dryRun && markdown !== undefined ? [plainText(markdown).replace(/^/gm, "    | ")] : []),
    ];
  });
}

function shortPath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return plainText(near === "" || near.startsWith("..") ? path : near);
}
