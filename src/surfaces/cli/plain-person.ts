// The person at a plain terminal: accepts a call, or types a reason that goes to the model; switches modes anywhere.
import type { Mode } from "../../core/events.ts";
import { isOffered } from "../../core/grants.ts";
import { TakenBack, answerFrom } from "../../core/inbox.ts";
import type { Approval, Person } from "../../host/host.ts";
import { orAborted } from "../../std/abort.ts";
import type { LineSource } from "./line-source.ts";
import { plainText } from "./plain-text.ts";
import { shownAlways } from "./shown-always.ts";
import { shownCall } from "./shown-call.ts";

export const MODE_HELP = `/u human: you type the commands   /c confirm: you are asked first   /y yolo: nothing is asked
/h this help   /q quit   Modes hold for the whole tree of agents.`;

/** A slash command, understood wherever the person types. */
export type Slash = { readonly mode: Mode } | "help" | "quit";
const SLASHES: Readonly<Record<string, Slash>> = {
  "/u": { mode: "human" },
  "/c": { mode: "confirm" },
  "/y": { mode: "yolo" },
  "/h": "help",
  "/help": "help",
  "/q": "quit",
  "/quit": "quit",
};
export const slashOf = (line: string): Slash | undefined => SLASHES[line.trim()];

export type PersonOptions = {
  readonly lines: LineSource;
  say(line: string): void;
  changeMode(mode: Mode): Promise<void>;
};

/** Agents ask side by side; a person is asked one thing at a time, in the order they asked. */
export function createPlainPerson(options: PersonOptions): Person {
  const { decide, reply, act } = createSinglePerson(options);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(path: string, signal: AbortSignal, ask: () => Promise<T>): Promise<T> => {
    const turn = last.then(ask);
    last = turn.catch(() => {});
    return orAborted(turn, signal).catch((error: unknown) => {
      if (error instanceof TakenBack && error.answered) options.say(`\n${path} was ${plainText(error.message)}`);
      throw error;
    });
  };
  return {
    decide: (approval, signal) => inTurn(approval.path, signal, () => decide(approval, signal)),
    reply: (question, signal) => inTurn(question.path, signal, () => reply(question, signal)),
    act: (driven, signal) => inTurn(driven.path, signal, () => act(driven, signal)),
  };
}

function createSinglePerson({ lines, say, changeMode }: PersonOptions): Required<Person> {
  return {
    async reply({ path, text, options }, signal) {
      signal.throwIfAborted();
      say(`\n${path} asks: ${plainText(text)}`);
      for (const [at, option] of (options ?? []).entries()) say(`  ${at + 1} ${plainText(option)}`);
      for (;;) {
        const line = await lines.ask(`${path} answer: `, signal);
        const slash = line === undefined ? undefined : slashOf(line);
        if (line === undefined) return undefined;
        if (slash === "quit") lines.close();
        else if (slash === "help") say(MODE_HELP);
        else if (slash !== undefined) await changeMode(slash.mode);
        else if (line.trim() !== "") return chosenFrom(options, line);
      }
    },
    async decide(approval, signal) {
      signal.throwIfAborted();
      say(describe(approval));
      const { always } = approval;
      const also = isOffered(always) ? ", a = always" : "";
      for (;;) {
        const line = await lines.ask(`${approval.path} run it? Enter = yes${also}, or say why not: `, signal);
        if (line === undefined) return { allow: false, reason: "The person has left." };
        const slash = slashOf(line);
        if (slash === undefined && (line.trim() === "" || /^y(es)?$/i.test(line.trim()))) return { allow: true };
        if (slash === undefined && /^a(lways)?$/i.test(line.trim())) {
          if (isOffered(always)) return { allow: true, always: true };
          say(`always is not offered here${always ? `: ${plainText(always.not)}` : ""}`);
          continue;
        }
        if (slash === undefined) return { allow: false, reason: `The person rejected it and says: ${line}` };
        if (slash === "quit") {
          lines.close();
          return { allow: false, reason: "The person has left." };
        }
        if (slash === "help") say(MODE_HELP);
        else {
          await changeMode(slash.mode);
          if (slash.mode === "yolo") return { allow: true };
          if (slash.mode === "human") return { allow: false, reason: "The person takes over and types the commands." };
        }
      }
    },
    async act({ path, agent }, signal) {
      signal.throwIfAborted();
      const name = `${plainText(agent)} (${path})`;
      say(`You drive ${name}: type a command to run it; /c or /y gives the work back to the model.`);
      for (;;) {
        const line = await lines.ask(`human ${name} $ `, signal);
        if (line === undefined) {
          await changeMode("confirm");
          return undefined;
        }
        const slash = slashOf(line);
        if (slash === "quit") lines.close();
        else if (slash === "help") say(MODE_HELP);
        else if (slash !== undefined) {
          await changeMode(slash.mode);
          return undefined;
        } else if (line.trim() !== "") return line;
      }
    },
  };
}

/** The call whole and escaped: what is approved is exactly what is shown. */
function describe({ path, tool, input, because, always }: Approval): string {
  const offer = shownAlways(always).map((line) => `\n${line}`);
  return `\n${path} wants ${tool} (${plainText(because)}):\n${shownCall(input)}${offer.join("")}`;
}

/** The number of an option stands for it. */
function chosenFrom(options: readonly string[] | undefined, line: string): string {
  const answer = answerFrom({ kind: "question", ...(options && { options }) }, line);
  return "text" in answer ? answer.text : line;
}
