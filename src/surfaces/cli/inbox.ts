// `sous inbox`: what waits for a person, in any run of this user, and the answer to it.
import { isOffered } from "../../core/grants.ts";
import { answerText } from "../../core/inbox.ts";
import { answerFromOutside, type Outcome } from "../../host/inbox/answer-item.ts";
import { type InboxRow, listItems } from "../../host/inbox/list-items.ts";
import { knownMask } from "../../host/known-mask.ts";
import { nearest } from "../../std/nearest.ts";
import { command } from "./control/shared.ts";
import { oneLine, plainJson, plainText } from "./plain-text.ts";
import { shownAlways } from "./shown-always.ts";
import { shownCall } from "./shown-call.ts";
import { onlyAPerson } from "./only-a-person.ts";
import { UsageError } from "./usage-error.ts";

const VERBS = ["list", "answer"] as const;

export const inbox = command({
  name: "inbox",
  flags: { all: { help: "also what needs nothing: results, stalls, what was answered" } },
  help: `sous inbox [list|answer ID yes|always|no [REASON]|TEXT]: what waits for you, in any run

  list       newest first: who asks, what exactly, since when
  answer ID  an approval with yes, with always (the rules that list shows are stored for its project, see sous
             permissions), or with no and a reason; a question with words, or the number of an option
Each is answered once, from whichever terminal is first. A run that parked goes on with sous run --resume.
ID is the item's id or the start of it.`,
  examples: [
    "sous inbox",
    "sous inbox answer item-3f9a yes",
    "sous inbox answer 3f9a always",
    'sous inbox answer 3f9a no "not on the main branch"',
    'sous inbox answer 81cc "use the staging database"',
    "sous inbox --all --json",
  ],
  async run({ flags, words, remote: { stateDir }, say }) {
    const [verb = "list", id, ...answer] = words;
    if (verb === "list" && id === undefined) {
      const rows = await listItems(stateDir, flags.all ?? false);
      if (flags.json) say(plainJson(rows));
      else for (const line of rows.length > 0 ? rows.flatMap(lines) : ["nothing waits for you"]) say(line);
      return 0;
    }
    if (verb !== "answer") throw new UsageError(unknownVerb(verb));
    if (id === undefined) throw new UsageError("sous inbox answer needs the id of an item and the answer to it");
    onlyAPerson("answer");
    const desk = { stateDir, mask: knownMask(process.env) };
    const outcome = await answerFromOutside(desk, id, answer.join(" "), `sous inbox (process ${process.pid})`);
    return tell(outcome, flags.json ?? false, say);
  },
});

function tell(outcome: Outcome, json: boolean, say: (line: string) => void): number {
  const { item, taken, answered } = outcome;
  if (json) say(plainJson({ item: item.id, taken, ...(answered && { answered }) }));
  else if (taken) say(`answered ${item.id}: ${plainText(answered ? answerText(answered.answer) : "")}`);
  if (taken) return 0;
  const how = answered
    ? `was answered already: ${oneLine(answerText(answered.answer), 80)}, by ${oneLine(answered.by, 80)} at ${new Date(answered.at).toISOString()}`
    : "waits for no answer any more: its run went on without one";
  process.stderr.write(`sous: ${item.id} ${how}\n`);
  return 1;
}

function lines(row: InboxRow): string[] {
  const { id, kind, path, agent, text, approval, options, answered, tree } = row;
  const head = `${id}  ${kind}  ${path} ${oneLine(agent, 24)}  since ${row.since.slice(0, 16).replace("T", " ")}  ${tree}`;
  const what = approval
    ? [
        `  wants ${approval.tool} (${plainText(approval.because)}):`,
        shownCall(approval.input),
        ...(row.open ? shownAlways(approval.always) : []),
      ]
    : [plainText(text).replace(/^/gm, "  ")];
  const choices = (options ?? []).map((option, at) => `  ${at + 1} ${oneLine(option, 200)}`);
  const end = answered
    ? [`  answered: ${oneLine(answerText(answered.answer), 200)}, by ${oneLine(answered.by, 80)}`]
    : row.lapsed !== undefined
      ? [`  closed without an answer: ${oneLine(row.lapsed, 200)}`]
      : row.open && kind === "budget"
        ? [`  sous run --resume ${tree} --budget-usd MORE`]
        : row.open && (approval || kind === "question" || kind === "command")
          ? [`  sous inbox answer ${id} ${howToAnswer(row)}`]
          : [];
  return [head, ...what, ...choices, ...end];
}

function howToAnswer({ kind, approval, options }: InboxRow): string {
  if (kind === "command") return '"the command"';
  if (!approval) return options && options.length > 0 ? `1…${options.length}, or "your own words"` : '"your words"';
  return approval.always && isOffered(approval.always) ? 'yes | always | no "why"' : 'yes | no "why"';
}

function unknownVerb(verb: string): string {
  const close = nearest(verb, VERBS);
  return `sous inbox has no "${verb}"${close ? `; did you mean ${close}?` : ""} (${VERBS.join(", ")})`;
}
