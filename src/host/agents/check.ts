// Checks definition files as they would be loaded: everything that is wrong with them, before anything runs.
import { dirname, resolve } from "node:path";
import { definitionFiles } from "../../adapters/definitions/definition-files.ts";
import type { AgentDefinition, Problem } from "../../core/agents/definition.ts";
import { definitionOf, type FileReading } from "../../core/agents/draft.ts";
import { createFileReader } from "../../engine/agents/file-reader.ts";
import { ruleText } from "../../core/rules.ts";
import type { FileAt } from "../../engine/agents/find-files.ts";
import { idleKeys } from "../../core/agents/idle-keys.ts";
import { lookupKey, stemOf } from "../../core/agents/agent-names.ts";
import { HostError } from "../host-error.ts";
import { checkHooks } from "./check-hooks.ts";
import { knownTools } from "./tool-names.ts";
import { toolProblems } from "./tool-problems.ts";

export type CheckedFile = {
  readonly file: string;
  readonly ok: boolean;
  readonly name: string;
  readonly description: string;
  readonly tools: "inherit" | readonly string[];
  readonly problems: readonly Problem[];
};

/** Files about a folder, not agents in it. */
const ABOUT = /^(readme|contributing|changelog|license|index)$/i;

/** Of files that are not checked only the names are used: `known` are those of other sources. */
export async function checkAgents(
  paths: readonly string[],
  cwd: string,
  known: readonly AgentDefinition[] = [],
): Promise<readonly CheckedFile[]> {
  const read = createFileReader(definitionFiles);
  const listings = await Promise.all(paths.map((path) => filesAt(resolve(cwd, path))));
  const files = listings
    .flat()
    .map((file) => ({ ...file, source: { kind: "user", priority: 20, file: file.path } as const }));
  const readings = await read(files);
  const beside = await Promise.all([...new Set(files.map(({ path }) => dirname(path)))].map(besides));
  const others = await createFileReader(definitionFiles)(beside.flat());
  const drafts = [...others, ...readings].flatMap(({ reading }) => ("draft" in reading ? [reading.draft] : []));
  const names = [...known, ...drafts].flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const checked = readings.map(({ file, reading }) => checkOne(file.path, reading, { cwd, names }));
  const given = new Set(paths.map((path) => resolve(cwd, path)));
  return [
    ...checked.filter(({ file, ok }) => ok || given.has(file) || !ABOUT.test(stemOf(file))),
    ...listings.flatMap(({ problems }) => problems),
  ];
}

async function filesAt(path: string) {
  const listing = await definitionFiles.list({ path, endings: [".md", ".json"] });
  if (!listing.exists) throw new HostError(`${path} does not exist`);
  const problems = listing.problems.map(({ file, message }) => failed(file, [{ line: 1, message, severity: "error" }]));
  return Object.assign([...listing.files], { problems });
}

/** The agents that stand beside one. */
async function besides(folder: string): Promise<readonly FileAt[]> {
  const { files } = await definitionFiles.list({ path: folder, endings: [".md", ".json"] });
  return files.map((file) => ({ ...file, source: { kind: "user", priority: 20, file: file.path } as const }));
}

type Around = { readonly cwd: string; readonly names: readonly string[] };

function checkOne(file: string, reading: FileReading, around: Around): CheckedFile {
  if (!("draft" in reading)) return failed(file, reading.problems);
  // A profile may be meant for an agent of another source: without a prompt it is no mistake.
  const draft =
    reading.draft.form === "patch"
      ? { ...reading.draft, fields: { prompt: "", ...reading.draft.fields } }
      : reading.draft;
  const definition = definitionOf(draft);
  const problems = [...definition.problems, ...toolProblems(definition), ...otherProblems(definition, around)].toSorted(
    (a, b) => a.line - b.line,
  );
  const { name, description, tools, launchable } = definition;
  const ok = launchable === true && problems.every(({ severity }) => severity !== "error");
  const list = launchable === true ? tools : tools === "inherit" ? [] : tools;
  return { file, ok, name, description, tools: list === "inherit" ? list : list.map(ruleText), problems };
}

/** What only shows when it is launched, or never. */
function otherProblems(definition: AgentDefinition, { cwd, names }: Around): Problem[] {
  const { hooks, lines = {}, source } = definition;
  const at = (field: keyof typeof lines): number => lines[field] ?? source.line ?? 1;
  const keys = new Map(names.map((name) => [lookupKey(name), definition]));
  const called = knownTools.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  return [
    ...idleKeys(definition, (name) => keys.get(lookupKey(name)), names),
    ...checkHooks(hooks, at("hooks"), [...called, "Agent", "Task"], cwd),
  ];
}

const failed = (file: string, problems: readonly Problem[]): CheckedFile => ({
  file,
  ok: false,
  name: stemOf(file),
  description: "",
  tools: [],
  problems,
});
