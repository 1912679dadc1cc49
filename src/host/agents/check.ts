// Checks definition files as they would be loaded: everything that is wrong with them, before anything runs.
import { resolve } from "node:path";
import { definitionFiles } from "../../adapters/definitions/definition-files.ts";
import type { AgentDefinition, Problem } from "../../core/agents/definition.ts";
import { definitionOf, type FileReading } from "../../core/agents/draft.ts";
import { resolveTools } from "../../core/agents/tool-set.ts";
import { createFileReader } from "../../engine/agents/file-reader.ts";
import { ruleText } from "../../core/rules.ts";
import { stemOf } from "../../core/agents/agent-names.ts";
import { HostError } from "../host-error.ts";
import { knownTools } from "./tool-names.ts";

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

export async function checkAgents(paths: readonly string[], cwd: string): Promise<readonly CheckedFile[]> {
  const read = createFileReader(definitionFiles);
  const listings = await Promise.all(paths.map((path) => filesAt(resolve(cwd, path))));
  const files = listings
    .flat()
    .map((file) => ({ ...file, source: { kind: "user", priority: 20, file: file.path } as const }));
  const checked = (await read(files)).map(({ file, reading }) => checkOne(file.path, reading));
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

function checkOne(file: string, reading: FileReading): CheckedFile {
  if (!("draft" in reading)) return failed(file, reading.problems);
  // A profile may be meant for an agent of another source: without a prompt it is no mistake.
  const draft =
    reading.draft.form === "patch"
      ? { ...reading.draft, fields: { prompt: "", ...reading.draft.fields } }
      : reading.draft;
  const definition = definitionOf(draft);
  const problems = [...definition.problems, ...toolProblems(definition)].toSorted((a, b) => a.line - b.line);
  const { name, description, tools, launchable } = definition;
  const ok = launchable === true && problems.every(({ severity }) => severity !== "error");
  const list = launchable === true ? tools : tools === "inherit" ? [] : tools;
  return { file, ok, name, description, tools: list === "inherit" ? list : list.map(ruleText), problems };
}

function toolProblems(definition: AgentDefinition): Problem[] {
  if (definition.launchable !== true) return [];
  const servers = definition.tools === "inherit" ? [] : definition.tools.filter(({ tool }) => tool.startsWith("mcp__"));
  const offered = [
    ...knownTools,
    ...servers.map(({ tool }) => ({ name: tool.replace(/\*?$/, "__any") })),
    ...servers.map(({ tool }) => ({ name: tool })),
  ];
  const set = resolveTools(offered, definition);
  const line = definition.source.line ?? 1;
  if (!set.ok) return [{ line, message: set.reason, severity: "error" }];
  return set.notices.map((message) => ({ line, message, severity: "warning" }));
}

const failed = (file: string, problems: readonly Problem[]): CheckedFile => ({
  file,
  ok: false,
  name: stemOf(file),
  description: "",
  tools: [],
  problems,
});
