// The help text of `sous agents`.
import type { FlagTable } from "./flags.ts";
import { flagLines } from "./help.ts";

export const agentsHelp = (table: FlagTable): string => `sous agents [list|show NAME|check PATH…|import PATH…] [flags]

  list            every agent: where it comes from, what it shadows, what is wrong with it
  show NAME       one agent, all of it; --rights: what it may do, tool by tool, and which layer says so
  check PATH…     reads definition files and says what is wrong, with line numbers; exit 1 if one is not ok
  import PATH…    makes other tools' agent files ours: OpenCode, Codex, Gemini CLI, Copilot

${flagLines(table)}

examples
  sous agents
  sous agents show Explore
  sous agents show Explore --rights
  sous agents check .claude/agents
  sous agents import .opencode/agents --dry-run`;
