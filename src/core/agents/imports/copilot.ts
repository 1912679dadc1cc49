// Copilot's `.github/agents/*.agent.md`: the file's name is the agent's, `name` is a label.
import { type Json, isObject } from "../../json.ts";
import { stemOf } from "../agent-names.ts";
import { type Imported, imported, textOf, untold } from "./imported.ts";
import { ourToolList } from "./tool-names.ts";

const CARRIED = ["name", "description", "tools", "model", "agents", "mcp-servers", "user-invocable"].concat([
  "disable-model-invocation",
  "target",
  "argument-hint",
]);

export function fromCopilot(file: string, given: Record<string, unknown>, body: string): Imported {
  const told = untold(given, CARRIED);
  const models = Array.isArray(given["model"]) ? given["model"] : [given["model"]];
  if (models.length > 1) told.push(`of the models ${models.join(", ")} the first is used`);
  const spawns = Array.isArray(given["agents"])
    ? given["agents"].filter((name) => typeof name === "string")
    : undefined;
  const servers = isObject(given["mcp-servers"]) ? Object.entries(given["mcp-servers"]) : [];
  return imported(
    stemOf(file),
    {
      description: textOf(given["description"]) ?? textOf(given["name"]),
      tools: ourToolList(given["tools"], told),
      model: textOf(models[0]),
      spawns,
      capabilities: given["disable-model-invocation"] === true ? ["primary"] : undefined,
      mcpServers: servers.length > 0 ? servers.map(([name, config]) => ({ [name]: config as Json })) : undefined,
      label: textOf(given["name"]),
    },
    body,
    told,
  );
}
