// Turns the keys of one source into a draft: known keys typed, unknown ones kept, nothing guarded silently lost.
import type { Json } from "../json.ts";
import { cleanName } from "./agent-names.ts";
import { asText, jsonOf } from "./coerce.ts";
import type { AgentFields, DefinitionSource, Problem } from "./definition.ts";
import type { Draft, Refusal } from "./draft.ts";
import { fieldOf, GUARDED, meantBy } from "./field-names.ts";
import { fieldReaders } from "./field-readers.ts";
import type { Given } from "./given.ts";
import { readToolList } from "./tool-list.ts";

/** A plugin cannot bring what runs or decides outside of its own tools. */
const NOT_FOR_PLUGINS: readonly (keyof AgentFields)[] = ["hooks", "mcpServers", "permissionMode"];

export function readDraft(
  given: readonly Given[],
  fallbackName: string,
  source: DefinitionSource,
): Omit<Draft, "form"> {
  const fields: Record<string, unknown> = {};
  const metadata: [string, Json][] = [];
  const problems: Problem[] = [];
  const refusals: Refusal[] = [];
  const lines: Partial<Record<keyof AgentFields, number>> = {};
  let name = cleanName(fallbackName) || "agent";
  const warn = (line: number, message: string): void => void problems.push({ line, message, severity: "warning" });
  const refuse = (line: number, field: keyof AgentFields, reason: string): void => {
    refusals.push({ field, reason: line > 0 ? `${reason} (line ${line})` : reason });
    problems.push({ line, message: reason, severity: "error" });
  };

  for (const one of given) {
    const field = fieldOf(one.key);
    if (field === undefined) {
      metadata.push([one.key, jsonOf(one.value)]);
      const meant = meantBy(one.key);
      if (meant && meant !== "name" && GUARDED.has(meant) && !given.some(({ key }) => fieldOf(key) === meant))
        refuse(one.line, meant, `it has an unknown key "${one.key}": did you mean ${meant}?`);
      else if (meant) warn(one.line, `unknown key "${one.key}": did you mean ${meant}?`);
      continue;
    }
    if (field === "name") {
      const wanted = asText(one).value ?? "";
      const clean = cleanName(wanted);
      if (clean !== "") name = clean;
      if (clean !== wanted.trim()) warn(one.line, `the name "${oneLine(wanted)}" is taken as "${name}"`);
      continue;
    }
    if (source.kind === "plugin" && NOT_FOR_PLUGINS.includes(field)) {
      warn(one.line, `${field} of a plugin's agent is ignored`);
      continue;
    }
    if (one.line > 0) lines[field] = one.line;
    const { value, warning, refusal } = fieldReaders[field](one);
    if (value !== undefined) fields[field] = value;
    if (warning) warn(one.line, warning);
    if (refusal) refuse(one.line, field, refusal);
    if (field === "tools") addDenied(fields, one);
  }
  // Safe: every field was made by its own reader.
  const typed = fields as Partial<AgentFields>;
  for (const { tool } of watcherWrites(typed))
    refuse(source.line ?? 1, "tools", `a watcher must be read-only, and ${tool} is not`);
  const kept = { fields: typed, metadata: Object.fromEntries(metadata), problems, refusals };
  return { name, source, ...kept, recovered: false, ...(Object.keys(lines).length > 0 && { lines }) };
}

/** A map of tools can say no as well as yes; `*` in it stands for the rest. */
function addDenied(fields: Record<string, unknown>, given: Given): void {
  const list = readToolList(given.value);
  if (list.is !== "list") return;
  if (list.rules.some(({ tool }) => tool === "*")) fields["tools"] = "inherit";
  if (list.denied.length > 0)
    fields["disallowedTools"] = [
      ...((fields["disallowedTools"] as AgentFields["disallowedTools"]) ?? []),
      ...list.denied,
    ];
}

const WRITES = /^(write|edit|multiedit|notebookedit|bash)$/i;

function watcherWrites({ capabilities, tools }: Partial<AgentFields>) {
  if (!capabilities?.includes("watcher") || tools === undefined || tools === "inherit") return [];
  return tools.filter(({ tool }) => WRITES.test(tool));
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").slice(0, 60);
