// The tools of a lead: the standard ones, those for children, and the definitions that are tools of their own.
import type { Assembled } from "../core/agents/assemble.ts";
import type { JoinedEmbedded } from "./embedded.ts";
import { askUser } from "../engine/tools/ask-user.ts";
import { childChanges } from "../engine/tools/child-changes.ts";
import type { Tool } from "../engine/tools/define-tool.ts";
import { definitionTool } from "../engine/tools/definition-tool.ts";
import { spawnForeach } from "../engine/tools/spawn-foreach.ts";
import { spawnSubagent } from "../engine/tools/spawn-subagent.ts";
import { standardTools } from "../engine/tools/standard-tools.ts";
import { subagents } from "../engine/tools/subagents.ts";

/** What every lead has, whatever agents there are. */
export const ownTools: readonly Tool[] = [
  ...standardTools,
  askUser,
  spawnSubagent,
  spawnForeach,
  subagents,
  childChanges,
];

/** `agent`: the one that leads, where it is not Sous's own. */
export const leadTools = (
  { definitions }: Assembled,
  embedded: Pick<JoinedEmbedded, "tools" | "toolsOf">,
  agent: string | undefined,
): Tool[] => [
  ...ownTools,
  ...definitions.flatMap((definition) =>
    definition.inputSchema && definition.launchable === true
      ? [definitionTool(definition, definition.inputSchema)]
      : [],
  ),
  ...new Set([...embedded.tools, ...(agent === undefined ? [] : embedded.toolsOf(agent))]),
];
