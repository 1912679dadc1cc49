// Gemini CLI's `.gemini/agents/*.md`.
import { type Json, isObject } from "../../json.ts";
import { stemOf } from "../agent-names.ts";
import { type Imported, imported, numberOf, textOf, untold } from "./imported.ts";
import { ourToolList } from "./tool-names.ts";

const CARRIED = [
  "name",
  "description",
  "display_name",
  "kind",
  "tools",
  "model",
  "temperature",
  "max_turns",
  "timeout_mins",
].concat(["mcp_servers"]);

export function fromGemini(file: string, given: Record<string, unknown>, body: string): Imported {
  if (given["kind"] === "remote") return { skipped: "it runs on another machine (kind: remote)" };
  const told = untold(given, CARRIED);
  const tools = ourToolList(given["tools"], told);
  const minutes = numberOf(given["timeout_mins"]);
  const servers = isObject(given["mcp_servers"]) ? Object.entries(given["mcp_servers"]) : [];
  return imported(
    textOf(given["name"]) ?? stemOf(file),
    {
      description: textOf(given["description"]) ?? textOf(given["display_name"]),
      tools,
      model: textOf(given["model"]),
      temperature: numberOf(given["temperature"]),
      maxTurns: numberOf(given["max_turns"]),
      timeout: minutes === undefined ? undefined : minutes * 60,
      mcpServers: servers.length > 0 ? servers.map(([name, config]) => ({ [name]: config as Json })) : undefined,
    },
    body,
    told,
  );
}
