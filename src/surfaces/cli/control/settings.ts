// `sous mode` and `sous budget`: what holds for a whole tree, shown and changed from any terminal.
import type { Budget, Mode } from "../../../core/events.ts";
import type { Settings } from "../../../host/control/remote.ts";
import { nearest } from "../../../std/nearest.ts";
import { onlyAPerson } from "../only-a-person.ts";
import { UsageError } from "../usage-error.ts";
import { agentOf, command, ID_HELP } from "./shared.ts";
import { plainJson } from "../plain-text.ts";

const MODES = ["human", "confirm", "yolo"] as const;

export const mode = command({
  name: "mode",
  flags: {},
  help: `sous mode ID [MODE]: the mode of a whole tree, at once also for children at work

  human     the person at the run's terminal types the commands
  confirm   what is not safe asks
  yolo      nothing asks; what is denied stays denied
Without MODE it is shown.
${ID_HELP}`,
  examples: ["sous mode last", "sous mode last yolo"],
  async run({ flags, words, remote, say }) {
    const { tree } = await agentOf(remote, "mode", words.slice(0, 1));
    const [, wanted] = words;
    if (wanted !== undefined) {
      onlyAPerson("change the mode");
      await remote.changeMode(tree, modeOf(wanted));
    }
    const { mode: now } = await remote.settings(tree);
    say(flags.json ? plainJson({ tree, mode: now }) : now);
    return 0;
  },
});

function modeOf(wanted: string): Mode {
  const found = MODES.find((one) => one === wanted);
  if (found) return found;
  const close = nearest(wanted, MODES);
  throw new UsageError(`there is no mode "${wanted}"${close ? `; did you mean ${close}?` : ""} (${MODES.join(", ")})`);
}

export const budget = command({
  name: "budget",
  flags: {
    usd: { takes: "number", value: "X", help: "money of the whole tree, in US dollars" },
    tokens: { takes: "whole number", value: "N", help: "tokens of the whole tree" },
  },
  help: `sous budget ID [--usd X] [--tokens N]: the budget of a whole tree, and what of it is spent

At its budget a tree pauses. Raised, it goes on: at once where it runs, or with sous resume ID.
Without a number it is shown; what is not named stays.
${ID_HELP}`,
  examples: ["sous budget last", "sous budget last --usd 5", "sous budget last --tokens 2000000 && sous resume last"],
  async run({ flags, words, remote, say }) {
    const { tree } = await agentOf(remote, "budget", words);
    const { usd, tokens } = flags;
    const change: Budget = { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) };
    if (Object.keys(change).length > 0) {
      onlyAPerson("change the budget");
      await remote.changeBudget(tree, change);
    }
    const settings = await remote.settings(tree);
    const { budget: now, spent } = settings;
    say(flags.json ? plainJson({ tree, budget: now, spent }) : budgetText(settings));
    return 0;
  },
});

function budgetText({ budget: { usd, tokens }, spent }: Settings): string {
  const money = spent.usd === null ? "$ ?" : `$${spent.usd.toFixed(4)}`;
  return [
    `spent ${money}${usd === undefined ? "" : ` of $${usd}`}`,
    `${spent.tokens} tokens${tokens === undefined ? "" : ` of ${tokens}`}`,
    ...(usd === undefined && tokens === undefined ? ["no budget"] : []),
  ].join(", ");
}
