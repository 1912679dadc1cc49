// How each field of a definition is read.
import { type Network, domainProblem } from "../domains.ts";
import { type JsonObject, isObject } from "../json.ts";
import { readHooks } from "../hooks/read-hooks.ts";
import { readSchema } from "../results/result-schema.ts";
import { LEAST_SUMMARY, type SummaryWish } from "../results/summary-wish.ts";
import type { AgentFields, Capability, McpServer, Trigger, WorkspaceWish } from "./definition.ts";
import { type Reading, asFlag, asNames, asNumber, asObject, asText, asWord, ignored, jsonOf } from "./coerce.ts";
import type { Given } from "./given.ts";
import { readToolList } from "./tool-list.ts";

type Readers = { readonly [Field in keyof AgentFields]-?: (given: Given) => Reading<NonNullable<AgentFields[Field]>> };

const ISOLATIONS = ["shared", "worktree", "sandbox", "custom"] as const;
const MODES = ["default", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "plan"] as const;
const CAPABILITIES = ["primary", "subtask", "watcher", "orchestrator"] as const;
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

export const fieldReaders: Readers = {
  description: asText,
  prompt: asText,
  initialPrompt: asText,
  color: asText,
  icon: asText,
  tools: (given) => {
    const list = readToolList(given.value);
    if (list.is === "inherit") return { value: "inherit" };
    if (list.is === "unreadable")
      return { refusal: `its tools cannot be read: ${list.why}`, ...(list.rules && { value: list.rules }) };
    return { value: list.rules, ...(list.dropped && { warning: list.dropped }) };
  },
  disallowedTools: (given) => {
    const list = readToolList(given.value);
    if (list.is === "inherit") return { value: given.value === null ? [] : [{ tool: "*" }] };
    if (list.is === "unreadable") return { refusal: `its disallowedTools cannot be read: ${list.why}` };
    return { value: list.rules };
  },
  permissionMode: (given) => {
    if (given.value === "manual") return { value: "default" };
    const read = asWord(given, MODES);
    return read.warning ? { refusal: `its permissionMode cannot be read: ${read.warning}` } : read;
  },
  hooks: (given) => {
    const read = asObject(given);
    if (read.warning) return { refusal: `its hooks cannot be read: ${read.warning}` };
    const { problems } = readHooks(read.value, "definition");
    return problems.length > 0 ? { ...read, refusal: `its hooks cannot be used: ${problems.join("; ")}` } : read;
  },
  model: (given) => {
    const first = Array.isArray(given.value) ? { ...given, value: given.value[0] ?? null } : given;
    const { value = "" } = asText(first);
    if (/^(|inherit|default)$/i.test(value)) return {};
    const warning = /\s/.test(value) ? `"${value}" is a display name, no model id: the parent's model is used` : "";
    return { value, ...(warning && { warning }) };
  },
  maxTurns: (given) => asNumber(given, (turns) => Number.isSafeInteger(turns) && turns > 0, "a whole number above 0"),
  timeout: (given) => asNumber(given, (seconds) => Number.isFinite(seconds) && seconds > 0, "a number of seconds"),
  temperature: (given) => asNumber(given, (value) => value >= 0 && value <= 2, "a number from 0 to 2"),
  background: asFlag,
  omitInstructions: asFlag,
  widen: asFlag,
  effort: (given) => (typeof given.value === "number" ? { value: given.value } : asWord(given, EFFORTS)),
  memory: (given) => {
    const flag = typeof given.value === "boolean" ? given.value : undefined;
    if (flag !== undefined) return flag ? { value: "auto" } : {};
    return asWord(given, ["auto", "user", "project", "local"]);
  },
  isolation: (given) => {
    const read = asWord(given, ISOLATIONS);
    return read.warning ? { refusal: `its isolation cannot be read: ${read.warning}` } : read;
  },
  workspace: readWorkspace,
  protocol: (given) => asWord(given, ["tools", "bash"]),
  skills: asNames,
  exitVia: asNames,
  summarize: readSummarize,
  spawns: (given) => {
    if (given.value === true || given.value === "*") return { value: "*" };
    if (given.value === false) return { value: [] };
    const read = asNames(given);
    return read.value?.includes("*") ? { value: "*" } : read;
  },
  capabilities: (given) => {
    const read = asNames(given);
    const known = CAPABILITIES.filter((one) => read.value?.includes(one)) as Capability[];
    const unknown = read.value?.filter((one) => !(CAPABILITIES as readonly string[]).includes(one)) ?? [];
    const warning = read.warning ?? (unknown.length > 0 ? `there is no capability ${unknown.join(", ")}` : undefined);
    return { ...(known.length > 0 && { value: known }), ...(warning && { warning }) };
  },
  mcpServers: readServers,
  triggers: readTriggers,
  inputSchema: readInputSchema,
  outputSchema: readOutputSchema,
};

function readSummarize(given: Given): Reading<SummaryWish> {
  if (given.value === null) return {};
  if (typeof given.value === "string" && given.value.trim().toLowerCase() === "always") return { value: "always" };
  const flag = asFlag(given);
  if (flag.value !== undefined) return flag;
  const isLength = (chars: number): boolean => Number.isSafeInteger(chars) && chars >= LEAST_SUMMARY;
  return asNumber(given, isLength, `true, always, or a number of characters from ${LEAST_SUMMARY} on`);
}

function readInputSchema(given: Given): Reading<JsonObject> {
  const read = asObject(given);
  const schema = read.value && readSchema(read.value);
  if (!schema) return read;
  if ("problem" in schema) return { warning: `${given.key} is left out: ${schema.problem}` };
  return schema.schema["type"] === "object" ? { value: schema.schema } : ignored(given, "a JSON schema of an object");
}

/** Without it whoever waits for data would get words: one that cannot be used refuses. */
function readOutputSchema(given: Given): Reading<JsonObject> {
  const read = asObject(given);
  const schema = read.value && readSchema(read.value);
  if (schema && "schema" in schema) return { value: schema.schema };
  const problem = schema?.problem ?? read.warning;
  return problem === undefined ? read : { refusal: `its outputSchema cannot be used: ${problem}` };
}

/** `{isolation, path, allowWrites}`, a profile's `{mode, customPath}`, or the one word. */
function readWorkspace(given: Given): Reading<WorkspaceWish> {
  if (given.value === null) return {};
  const map = typeof given.value === "string" ? { isolation: given.value } : given.value;
  const refusal = { refusal: "its workspace cannot be read" };
  if (!isObject(map)) return refusal;
  const word = map["isolation"] ?? map["mode"];
  const isolation = word === "inherit" ? "shared" : ISOLATIONS.find((one) => one === word);
  const path = map["path"] ?? map["customPath"];
  const { allowWrites, command, network } = map;
  if (word !== undefined && isolation === undefined) return refusal;
  if (allowWrites !== undefined && typeof allowWrites !== "boolean") return refusal;
  if (command !== undefined && typeof command !== "string") return refusal;
  if (path !== undefined && typeof path !== "string") return refusal;
  const domains = network === undefined ? undefined : readNetwork(network);
  if (typeof domains === "string") return { refusal: `the network of its workspace cannot be read: ${domains}` };
  return {
    value: {
      ...(isolation && { isolation }),
      ...(path !== undefined && { path }),
      ...(command !== undefined && { command }),
      ...(allowWrites !== undefined && { allowWrites }),
      ...(domains && { network: domains.network }),
    },
  };
}

/** Or what is wrong with it. */
function readNetwork(given: unknown): { readonly network: Network } | string {
  if (typeof given === "boolean") return { network: given };
  if (!Array.isArray(given)) return "it is true, false, or a list of domains";
  const problem = given.map(domainProblem).find((one) => one !== undefined);
  return problem ?? { network: given.length > 0 && (given as string[]) };
}

/** A list of names or `{name: config}`, or a map of configs. */
function readServers(given: Given): Reading<readonly McpServer[]> {
  const { value } = given;
  if (value === null) return {};
  const items = Array.isArray(value) ? value : isObject(value) ? [value] : asNames(given).value;
  if (!items) return ignored(given, "a list of servers");
  const servers = items.flatMap((item: unknown): McpServer[] => {
    if (typeof item === "string") return [{ name: item }];
    if (!isObject(item)) return [];
    return Object.entries(item).flatMap(([name, config]) =>
      isObject(config) ? [{ name, config: jsonOf(config) as NonNullable<McpServer["config"]> }] : [],
    );
  });
  return { value: servers, ...(servers.length < items.length && { warning: "not every MCP server can be read" }) };
}

function readTriggers(given: Given): Reading<NonNullable<AgentFields["triggers"]>> {
  const { value } = given;
  if (value === null) return {};
  const map = isObject(value) ? value : { slash: value };
  const slash = listOf(map["slash"]).flatMap(readTrigger);
  const hotkeys = listOf(map["hotkeys"]).flatMap((item) => {
    const combo = typeof item === "string" ? item : isObject(item) ? item["combo"] : undefined;
    return typeof combo === "string" ? [{ command: "", ...readTrigger(item)[0], combo }] : [];
  });
  return slash.length + hotkeys.length === 0
    ? ignored(given, "slash commands or hotkeys")
    : { value: { slash, hotkeys } };
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

function readTrigger(item: unknown): Trigger[] {
  const map = typeof item === "string" ? { command: item } : item;
  if (!isObject(map) || typeof map["command"] !== "string") return [];
  const { command, description, background, returnMode } = map;
  const behind =
    typeof background === "boolean" ? background : returnMode === undefined ? undefined : returnMode === "background";
  return [
    {
      command: command.replace(/^\//, ""),
      ...(typeof description === "string" && { description }),
      ...(behind !== undefined && { background: behind }),
    },
  ];
}
