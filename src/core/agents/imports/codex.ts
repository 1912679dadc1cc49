// Codex's roles: a TOML file each, or tables `[agents.<role>]` in its configuration.
import { type Json, isObject } from "../../json.ts";
import { stemOf } from "../agent-names.ts";
import { type Imported, imported, textOf, untold } from "./imported.ts";

const CARRIED = [
  "name",
  "description",
  "developer_instructions",
  "model",
  "model_reasoning_effort",
  "sandbox_mode",
].concat(["mcp_servers", "config_file"]);
const SETTINGS = ["max_concurrent_threads_per_session", "max_threads", "max_depth", "default_subagent_model"];

/** `readOther` gives the parsed TOML of a file that a role names, relative to the file it stands in. */
export function fromCodex(
  file: string,
  toml: Record<string, unknown>,
  readOther: (path: string) => Record<string, unknown> | undefined,
): readonly Imported[] {
  if (toml["developer_instructions"] !== undefined || !isObject(toml["agents"])) return [role(stemOf(file), toml)];
  return Object.entries(toml["agents"])
    .filter(([name]) => !SETTINGS.includes(name))
    .map(([name, table]) => {
      if (!isObject(table)) return { skipped: `${name} is no table` };
      const path = textOf(table["config_file"]);
      const other = path === undefined ? {} : readOther(path);
      return other ? role(name, { ...other, ...table, name }) : { skipped: `${name}: ${path} cannot be read` };
    });
}

function role(fallback: string, toml: Record<string, unknown>): Imported {
  const told = untold(toml, CARRIED);
  const sandbox = textOf(toml["sandbox_mode"]);
  if (sandbox === "danger-full-access")
    told.push("sandbox_mode danger-full-access is not carried over: rights stay yours to give");
  const prompt = textOf(toml["developer_instructions"]);
  if (prompt === undefined) return { skipped: "it has no developer_instructions" };
  const servers = isObject(toml["mcp_servers"]) ? Object.entries(toml["mcp_servers"]) : [];
  return imported(
    textOf(toml["name"]) ?? fallback,
    {
      description: textOf(toml["description"]),
      tools: sandbox === "read-only" ? ["Read", "Glob", "Grep", "LS"] : undefined,
      model: textOf(toml["model"]),
      effort: textOf(toml["model_reasoning_effort"]),
      mcpServers: servers.length > 0 ? servers.map(([name, config]) => ({ [name]: config as Json })) : undefined,
    },
    prompt,
    told,
  );
}
