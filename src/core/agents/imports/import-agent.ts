// Finds out whose agent file it is, and hands it to that tool's importer.
import { splitFrontmatter } from "../frontmatter.ts";
import { readFields } from "../read-fields.ts";
import type { YamlReader } from "../yaml.ts";
import { fromCodex } from "./codex.ts";
import { fromCopilot } from "./copilot.ts";
import { fromGemini } from "./gemini.ts";
import type { Imported } from "./imported.ts";
import { fromOpenCode } from "./opencode.ts";

export const importFormats = ["opencode", "codex", "gemini", "copilot"] as const;
export type ImportFormat = (typeof importFormats)[number];

const MARKDOWN = { opencode: fromOpenCode, gemini: fromGemini, copilot: fromCopilot };

export function importMarkdown(
  file: string,
  text: string,
  yaml: YamlReader,
  asked?: ImportFormat,
): Imported & { format?: ImportFormat } {
  const parts = splitFrontmatter(text);
  if (parts.is !== "closed") return { skipped: "it has no head between --- lines" };
  const { given, recovered } = readFields(parts.head, parts.headLine, yaml);
  if (recovered && given.length === 0) return { skipped: "its head cannot be read" };
  const values = Object.fromEntries(given.map(({ key, value }) => [key, value]));
  const format = asked ?? formatOf(file, values);
  if (format === undefined || format === "codex")
    return { skipped: `nobody can tell whose agent file it is: name it with --from (${importFormats.join(", ")})` };
  return { ...MARKDOWN[format](file, values, parts.body), format };
}

export { fromCodex as importToml };

function formatOf(file: string, given: Record<string, unknown>): ImportFormat | undefined {
  const path = file.replaceAll("\\", "/");
  if (/(^|\/)\.?opencode\/agents?\//.test(path)) return "opencode";
  if (/(^|\/)\.gemini\/agents\//.test(path)) return "gemini";
  if (/\.(agent|chatmode)\.md$|(^|\/)\.github\/(agents|chatmodes)\//.test(path)) return "copilot";
  const has = (...keys: string[]): boolean => keys.some((key) => key in given);
  if (has("max_turns", "timeout_mins", "display_name", "agent_card_url")) return "gemini";
  if (has("permission", "steps", "maxSteps", "top_p")) return "opencode";
  if (has("handoffs", "argument-hint", "user-invocable", "disable-model-invocation", "mcp-servers")) return "copilot";
  return has("mode") ? "opencode" : undefined;
}
