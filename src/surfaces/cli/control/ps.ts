// `sous ps`: every agent at work, in whatever process of this user.
import type { AgentRow } from "../../../core/agent-rows.ts";
import { agentTable } from "./agent-table.ts";
import { painter } from "../plain-view.ts";
import { command } from "./shared.ts";

export const ps = command({
  name: "ps",
  flags: { all: { short: "a", help: "also agents that have ended, and sessions that are paused, parked or cut off" } },
  help: "sous ps [flags]: every agent at work, what it waits for and since when",
  examples: ["sous ps", "sous ps --all", `sous ps --json | jq -r '.[] | select(.status == "waiting") | .id'`],
  async run({ flags, remote, say }) {
    const rows: readonly AgentRow[] = await remote.list(flags.all ?? false);
    if (flags.json) say(JSON.stringify(rows));
    else if (rows.length === 0) say("no agent is at work");
    else {
      const paint = painter(process.stdout.isTTY === true && !process.env["NO_COLOR"]);
      for (const line of agentTable(rows, Date.now(), paint)) say(line);
    }
    return 0;
  },
});
