// The tools that a definition can name, for checks before anything runs. MCP tools are known only when connected.
import type { OfferedTool } from "../../core/agents/tool-set.ts";
import { offeredTool } from "../child-making.ts";
import { ownTools } from "../lead-tools.ts";

/** What the lead itself has, and so may hand on. */
export const leadTools: readonly OfferedTool[] = ownTools.map(offeredTool);

/** Names that are no mistake, though no lead hands them on. */
const OTHERS = ["request_review", "oracle", "orchestrate", "yield_to_parent", "ask_parent", "submit_for_review"].concat(
  ["NotebookEdit", "WebSearch", "Skill"],
);

export const knownTools: readonly OfferedTool[] = [...leadTools, ...OTHERS.map((name) => ({ name }))];
