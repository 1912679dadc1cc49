// The tools that a definition can name, for checks before anything runs. MCP tools are known only when connected.
import type { OfferedTool } from "../../core/agents/tool-set.ts";
import { askUser } from "../../engine/tools/ask-user.ts";
import { spawnSubagent } from "../../engine/tools/spawn-subagent.ts";
import { subagents } from "../../engine/tools/subagents.ts";
import { standardTools } from "../../engine/tools/standard-tools.ts";

/** What the lead itself has, and so may hand on. */
export const leadTools: readonly OfferedTool[] = [...standardTools, askUser, spawnSubagent, subagents].map(
  ({ name, aliases }) => ({ name, aliases }),
);

const OTHERS = ["spawn_subagent", "spawn_foreach", "request_review", "oracle", "orchestrate", "yield_to_parent"].concat(
  ["ask_user", "ask_parent", "submit_for_review", "NotebookEdit", "WebSearch", "Skill"],
);

export const knownTools: readonly OfferedTool[] = [...standardTools, ...OTHERS.map((name) => ({ name }))];
