// The person at a line conversation: allows a call, or types a reason that goes to the model; switches modes anywhere.
import type { Mode } from "../../../core/events.ts";
import { isOffered } from "../../../core/grants.ts";
import type { AgentPath } from "../../../core/ids.ts";
import { TakenBack, answerFrom } from "../../../core/inbox.ts";
import type { Approval, Decision, Person } from "../../../host/host.ts";
import { commandIn } from "../../../host/prompt-text.ts";
import { orAborted } from "../../../std/abort.ts";
import { plainText } from "../plain-text.ts";
import { type Console, type Typed, TYPED_NOT_PASTED, isYes } from "./console.ts";
import { answeredText, approvalLabel, approvalText, drivenText, questionText, type Who } from "./question-text.ts";
import { SLASH_HELP, slashCommandOf } from "./slash-commands.ts";

export type PersonOptions = {
  readonly console: Console;
  whoIs(path: AgentPath): Who;
  changeMode(mode: Mode): Promise<void>;
  /** The person leaves. */
  leave(): void;
};

/** `isAsked`: a question of this agent waits here, and its end is shown below it. */
export type ConsolePerson = Required<Person> & { isAsked(path: AgentPath): boolean };

/** Agents ask side by side; a person is asked one thing at a time, in the order they asked. */
export function createConsolePerson(options: PersonOptions): ConsolePerson {
  const asked = new Map<AgentPath, number>();
  const { decide, reply, act } = createSinglePerson(options);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(path: AgentPath, signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
    const turn = last.then(ask);
    last = turn.catch(() => {});
    asked.set(path, (asked.get(path) ?? 0) + 1);
    return orAborted(turn, signal)
      .catch((error: unknown) => {
        if (error instanceof TakenBack && error.answered)
          options.console.print(`${answeredText(options.whoIs(path), error.answered)}\n`);
        throw error;
      })
      .finally(() => asked.set(path, (asked.get(path) ?? 0) - 1));
  };
  return {
    isAsked: (path) => (asked.get(path) ?? 0) > 0,
    decide: (approval, signal) => inTurn(approval.path, signal, () => decide(approval, signal)),
    reply: (question, signal) => inTurn(question.path, signal, () => reply(question, signal)),
    act: (driven, signal) => inTurn(driven.path, signal, () => act(driven, signal)),
  };
}

const LEFT: Decision = { allow: false, reason: "Nobody is there to answer." };

function createSinglePerson({ console, whoIs, changeMode, leave }: PersonOptions): Required<Person> {
  return {
    async reply({ path, text, options }, signal) {
      for (;;) {
        const typed = await console.ask(
          {
            text: questionText(whoIs(path), text, options),
            label: `${path} answer: `,
            refuse: (given) => refusedAnywhere(given),
          },
          signal,
        );
        if (typed === undefined) return undefined;
        const slash = slashCommandOf(typed.text);
        if (slash === "quit") leave();
        else if (typeof slash === "object") await changeMode(slash.mode);
        else return chosenFrom(options, typed.text);
      }
    },
    async decide(approval, signal) {
      for (;;) {
        const typed = await console.ask(
          {
            text: approvalText(whoIs(approval.path), approval),
            label: approvalLabel(approval),
            refuse: (given) => refusedAnywhere(given) ?? refusedHere(approval, given),
          },
          signal,
        );
        if (typed === undefined) return LEFT;
        const slash = slashCommandOf(typed.text);
        if (slash === "quit") {
          leave();
          return LEFT;
        }
        if (typeof slash !== "object") return decisionOf(typed.text);
        await changeMode(slash.mode);
        // Only what nothing but the mode asks is answered by the mode.
        if (slash.mode === "yolo" && approval.byMode) return { allow: true };
        if (slash.mode === "human") return { allow: false, reason: "The person takes over and types the commands." };
      }
    },
    async act({ path }, signal) {
      for (;;) {
        const who = whoIs(path);
        const typed = await console.ask(
          {
            text: drivenText(who),
            label: `human ${plainText(who.agent)} (${path}) $ `,
            refuse: (given) => refusedAnywhere(given),
          },
          signal,
        );
        if (typed === undefined) {
          await changeMode("confirm");
          return undefined;
        }
        const slash = slashCommandOf(typed.text);
        if (slash === "quit") leave();
        else if (typeof slash === "object") {
          await changeMode(slash.mode);
          return undefined;
        } else return typed.text;
      }
    },
  };
}

/** A bare Enter is no answer to anything. */
function refusedAnywhere(typed: Typed): string | undefined {
  const { text, pasted } = typed;
  if (text.trim() === "") return "A bare Enter is no answer.";
  if (pasted && isYes(typed)) return TYPED_NOT_PASTED;
  const slash = slashCommandOf(text);
  const unknown = slash === undefined ? commandIn(text) : undefined;
  if (unknown !== undefined) return `There is no command ${plainText(unknown)}.\n${SLASH_HELP}`;
  return slash === "help" ? SLASH_HELP : undefined;
}

/** A yes or a no in other words: too weak for a yes, and no reason that a model could use. */
const UNCLEAR =
  /^(?:(?:y|yes|ok|okay|k|sure|yep|yeah|yup|fine|right|go|no|nope|nah)\b[\s,.!]*)?(?:please|thanks|thank you|go ahead|go on|do it|do that|of course|go for it)?[\s.!]*$/i;

const SHORT = /^(y(es)?|a(lways)?|no?)$/i;

function refusedHere({ always }: Approval, { text, pasted }: Typed): string | undefined {
  const word = text.trim();
  if (pasted && SHORT.test(word)) return TYPED_NOT_PASTED;
  if (!SHORT.test(word) && UNCLEAR.test(word))
    return `Type y for yes, ${isOffered(always) ? "a for always, " : ""}n for no, or why not; then press Enter.`;
  if (!/^a(lways)?$/i.test(word) || isOffered(always)) return undefined;
  return `Always is not offered here${always ? `: ${plainText(always.not)}` : "."}`;
}

/** What was typed at an approval; only words that say so allow it. */
export function decisionOf(text: string): Decision {
  const word = text.trim();
  if (/^y(es)?$/i.test(word)) return { allow: true };
  if (/^a(lways)?$/i.test(word)) return { allow: true, always: true };
  if (/^no?$/i.test(word)) return { allow: false, reason: "The person said no." };
  const reason = word.replace(/^no?[,:;.]\s+/i, "");
  return { allow: false, reason: `The person rejected it and says: ${reason}` };
}

/** The number of an option stands for it. */
function chosenFrom(options: readonly string[] | undefined, line: string): string {
  const answer = answerFrom({ kind: "question", ...(options && { options }) }, line);
  return "text" in answer ? answer.text : line;
}
