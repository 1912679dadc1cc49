// The tools that a definition can name, for checks before anything runs. MCP tools are known only when connected.
import type { OfferedTool } from "../../core/agents/tool-set.ts";
import { standardTools } from "../../engine/tools/standard-tools.ts";

const OTHERS = ["spawn_subagent", "spawn_foreach", "request_review", "oracle", "orchestrate", "yield_to_parent"].concat(
  ["ask_user", "ask_parent", "submit_for_review", "NotebookEdit", "WebSearch", "Skill"],
);

export const knownTools: readonly OfferedTool[] = [...standardTools, ...OTHERS.map((name) => ({ name }))];
