// `sous ps`: every agent at work, in whatever process of this user.
import type { AgentRow } from "../../../core/agent-rows.ts";
import { ROOT } from "../../../core/ids.ts";
import { terminalWidth } from "../fit-table.ts";
import { painter } from "../plain-view.ts";
import { shownIds } from "../shown-ids.ts";
import { agentTable } from "./agent-table.ts";
import { command } from "./shared.ts";
import { count } from "../../../std/count.ts";
import { plainJson } from "../plain-text.ts";

export const ps = command({
  name: "ps",
  flags: {
    all: {
      short: "a",
      help: "also agents that have ended (of the newest 20 such sessions), are paused, parked or cut off",
    },
  },
  help: `sous ps [flags]: every agent at work, what it waits for and since when

On a terminal the table fits its width, and ID is as much of an id as is needed, or SESSION/CHILD; elsewhere nothing is
cut. idle: it waits to be spoken to. queued: it has no place yet. bg: in the background, nobody waits for it.`,
  examples: ["sous ps", "sous ps --all", `sous ps --json | jq -r '.[] | select(.status == "waiting") | .id'`],
  async run({ flags, remote, say, clean, print }) {
    const { agents, older } = await remote.list(flags.all ?? false);
    if (flags.json) {
      say(plainJson(agents));
      return 0;
    }
    const width = terminalWidth();
    if (agents.length === 0) say(flags.all ? "there are no agents" : "no agent is at work (sous ps --all shows all)");
    else {
      const paint = painter(process.stdout.isTTY === true && !process.env["NO_COLOR"]);
      const idOf = width === undefined ? (row: AgentRow): string => row.id : typed(shownIds(remote.stateDir));
      for (const line of agentTable(agents, { now: Date.now(), paint, width, idOf, clean })) print(line);
    }
    if (older > 0)
      say(
        `(${count(older, "older session")} ${older === 1 ? "has ended and is" : "have ended and are"} not shown: sous sessions, sous sessions tree ID)`,
      );
    return 0;
  },
});

/** A child is meant by its session and its path: shorter than its own id, and it says where it stands. */
const typed =
  (short: (tree: AgentRow["tree"]) => string) =>
  ({ tree, path }: AgentRow): string =>
    path === ROOT ? short(tree) : `${short(tree)}/${path.slice(`${ROOT}::`.length)}`;
