// Questions as a person sees them: who asks, for what task, the call whole and escaped, why, and what "always" stores.
import type { AgentPath } from "../../../core/ids.ts";
import { isOffered } from "../../../core/grants.ts";
import { type Answered, answerText } from "../../../core/inbox.ts";
import type { Approval } from "../../../host/host.ts";
import { oneLine, plainText } from "../plain-text.ts";
import { shownAlways } from "../shown-always.ts";
import { shownCall } from "../shown-call.ts";

/** An agent as it is named on the screen. */
export type Who = { readonly path: AgentPath; readonly agent: string; readonly name?: string; readonly task?: string };

export const whoText = ({ path, agent, name }: Who): string =>
  `${path} ${oneLine(agent, 40)}${name === undefined ? "" : ` "${oneLine(name, 40)}"`}`;

/** An answer that came from elsewhere. */
export const answeredText = (who: Who, { answer, by }: Pick<Answered, "answer" | "by">): string =>
  `${whoText(who).trimEnd()}: answered ${oneLine(answerText(answer), 80)}, by ${oneLine(by, 80)}`;

const taskLines = ({ task }: Who): string[] => (!task ? [] : [`  task: ${oneLine(task, 200)}`]);

export function approvalText(who: Who, { tool, input, because, always }: Approval): string {
  return [
    "",
    `${whoText(who)} wants ${oneLine(tool, 80)} (${plainText(because)}):`,
    shownCall(input),
    ...taskLines(who),
    ...shownAlways(always),
    `y = yes, ${isOffered(always) ? "a = always, " : ""}n = no, or why not`,
  ].join("\n");
}

export const approvalLabel = ({ path }: Approval): string => `${path} run it? `;

export const questionText = (who: Who, text: string, options: readonly string[] = []): string =>
  [
    "",
    `${whoText(who)} asks: ${plainText(text)}`,
    ...taskLines(who),
    ...options.map((option, at) => `  ${at + 1} ${plainText(option)}`),
  ].join("\n");

export const drivenText = (who: Who): string =>
  [
    `You drive ${whoText(who)}: type a command to run it; /c or /y gives the work back to the model.`,
    ...taskLines(who),
  ].join("\n");
