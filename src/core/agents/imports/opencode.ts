// OpenCode's `.opencode/agents/*.md`: the file's name is the agent's.
import { isObject } from "../../json.ts";
import { stemOf } from "../agent-names.ts";
import { type Imported, imported, numberOf, textOf, untold } from "./imported.ts";
import { ourToolList, ourTools } from "./tool-names.ts";

const CARRIED = [
  "name",
  "description",
  "mode",
  "model",
  "temperature",
  "steps",
  "maxSteps",
  "tools",
  "permission",
  "color",
].concat(["prompt", "disable"]);

export function fromOpenCode(file: string, given: Record<string, unknown>, body: string): Imported {
  if (given["disable"] === true) return { skipped: "it is disabled" };
  const told = untold(given, CARRIED);
  const denied = [...deniedByTools(given["tools"], told), ...deniedByPermission(given["permission"], told)];
  const tools = allowedByTools(given["tools"], told);
  const mode = given["mode"];
  return imported(
    stemOf(file),
    {
      description: textOf(given["description"]),
      tools,
      disallowedTools: denied.length > 0 ? [...new Set(denied)] : undefined,
      model: textOf(given["model"]),
      temperature: numberOf(given["temperature"]),
      maxTurns: numberOf(given["steps"] ?? given["maxSteps"]),
      capabilities: mode === "primary" ? ["primary"] : mode === "all" ? ["primary", "subtask"] : undefined,
      color: textOf(given["color"]),
    },
    [textOf(given["prompt"]), body].filter(Boolean).join("\n\n"),
    told,
  );
}

/** Tools are on unless the map says no; `"*": false` turns the rest off. */
function allowedByTools(tools: unknown, told: string[]): string[] | undefined {
  if (!isObject(tools)) return ourToolList(tools, told);
  if (tools["*"] !== false) return undefined;
  const wanted = Object.entries(tools).filter(([name, on]) => name !== "*" && on === true);
  return wanted.flatMap(([name]) => ours(name, told));
}

function deniedByTools(tools: unknown, told: string[]): string[] {
  if (!isObject(tools)) return [];
  return Object.entries(tools).flatMap(([name, on]) => (on === false && name !== "*" ? ours(name, told) : []));
}

/** A definition can take away, never grant: `allow` and `ask` stay with the person's own rules. */
function deniedByPermission(permission: unknown, told: string[]): string[] {
  if (permission === undefined || permission === null || permission === "ask") return [];
  if (permission === "allow") return notGranted("everything", "allow", told);
  if (!isObject(permission)) return ["*"];
  return Object.entries(permission).flatMap(([name, wish]) => {
    const tools = name === "*" ? ["*"] : ours(name, told);
    if (wish === "deny") return tools;
    if (!isObject(wish)) return notGranted(name, wish, told);
    const patterns = Object.entries(wish);
    if (wish["*"] === "deny") {
      const kept = patterns.filter(([, one]) => one !== "deny").map(([pattern]) => pattern);
      if (kept.length > 0) told.push(`${name} is denied whole: ${kept.join(", ")} cannot be let through`);
      return tools;
    }
    return patterns.flatMap(([pattern, one]) =>
      one === "deny" ? tools.map((tool) => `${tool}(${pattern})`) : notGranted(`${name} ${pattern}`, one, told),
    );
  });
}

function notGranted(what: string, wish: unknown, told: string[]): string[] {
  if (wish === "allow") told.push(`permission for ${what} is not carried over: allow it with your own rules`);
  return [];
}

function ours(name: string, told: string[]): readonly string[] {
  const found = ourTools(name);
  if (!found) told.push(`there is no tool like ${name}`);
  return found ?? [];
}
