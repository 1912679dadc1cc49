// How a run stands that cannot go on and has not ended: paused at the tree's budget, or parked until a person answers.
// Pure.
import { overBudget } from "./budget.ts";
import type { Ending } from "./end-state.ts";
import { ROOT } from "./ids.ts";
import { type Item, needsPerson, openItems } from "./inbox.ts";
import type { SessionState } from "./session-state.ts";
import type { TreeState } from "./tree-state.ts";

const SHOWN = 3;
const TEXT_CHARS = 60;

export function haltedBy(tree: TreeState, { lastText: output, path }: SessionState, why: string): Ending {
  const spent = overBudget(tree);
  const open = openItems(tree.items, path);
  if (spent !== undefined || open.length === 0)
    return {
      status: "paused",
      output,
      error: {
        code: "budget",
        message: spent?.message ?? why,
        remedy: spent?.remedy ?? "resume with a higher --budget-usd or --budget-tokens",
      },
    };
  const [first] = open.filter(needsPerson);
  const root = [...tree.sessions.values()].find((session) => session.path === ROOT);
  return {
    status: "parked",
    output,
    error: {
      code: "parked",
      message: `needs a person: ${open.slice(0, SHOWN).map(itemLine).join("; ")}${open.length > SHOWN ? `; and ${open.length - SHOWN} more` : ""}`,
      remedy: `sous inbox answer ${first?.id ?? "ID"} ${first?.kind === "approval" ? "yes|no" : "TEXT"}, then sous run --resume ${root?.session ?? "ID"}`,
    },
  };
}

const itemLine = ({ id, path, kind, text }: Item): string =>
  `${id} ${path} ${kind === "approval" ? "wants" : "asks"} ${text.slice(0, TEXT_CHARS)}`;
