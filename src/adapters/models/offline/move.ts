// One move: which skill fits the prompt, what it does next, and the words around it.
import type { Conversation } from "./conversation.ts";
import { guideConcepts } from "./guide-words.ts";
import { type Intent, intentOf } from "./intent.ts";
import { type Call, type Move, nextMove } from "./skill.ts";
import { around } from "./skills/around.ts";
import { explain } from "./skills/explain.ts";
import { facts } from "./skills/facts.ts";
import { find } from "./skills/find.ts";
import { guide } from "./skills/guide.ts";
import { help, unknown } from "./skills/help.ts";
import { history } from "./skills/history.ts";
import { plan } from "./skills/plan.ts";
import { review } from "./skills/review.ts";
import { summary } from "./skills/summary.ts";
import { todos } from "./skills/todos.ts";
import { usages } from "./skills/usages.ts";

export type SpokenMove =
  | { readonly stage: string; readonly calls: readonly Call[]; readonly say: string }
  | { readonly answer: string; readonly declined: boolean };

export const INTRODUCTION =
  "I am Sous's built-in offline model: rules, no language model. For real work set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.";

export function moveFor(talk: Conversation): SpokenMove {
  const intent = intentIn(talk);
  const move = moveOf(talk, intent);
  if ("calls" in move) return { ...move, say: narrated(move) };
  const notes = talk.refusals.map((refusal) => `Not allowed, so not done: ${refusal}`);
  const early = talk.handIn ? ["I was told to end before I had looked at everything."] : [];
  return {
    answer: [...(talk.first ? [INTRODUCTION] : []), move.answer, ...early, ...notes].join("\n\n"),
    declined: intent.is === "unknown",
  };
}

/** A diff that came along is what the words are about, unless they ask for something by its name. */
function intentIn({ prompt, diff, docs }: Conversation): Intent {
  const intent = intentOf(prompt);
  if (docs !== undefined && intent.is !== "help") return { is: "guide", docs, concepts: guideConcepts(prompt) };
  if (diff === undefined || intent.is === "usages" || intent.is === "plan") return intent;
  const named = intent.is === "find" && intent.concepts.some((concept) => concept.exact);
  return named ? intent : { is: "review", target: { of: "given" } };
}

function moveOf(talk: Conversation, intent: Intent): Move {
  switch (intent.is) {
    case "around":
      return nextMove(around, talk, intent);
    case "help":
      return nextMove(help, talk, intent);
    case "todos":
      return nextMove(todos, talk, intent);
    case "summary":
      return nextMove(summary, talk, intent);
    case "facts":
      return nextMove(facts, talk, intent);
    case "review":
      return nextMove(review, talk, intent);
    case "explain":
      return nextMove(explain, talk, intent);
    case "usages":
      return nextMove(usages, talk, intent);
    case "plan":
      return nextMove(plan, talk, intent);
    case "history":
      return nextMove(history, talk, intent);
    case "guide":
      return nextMove(guide, talk, intent);
    case "find":
      return nextMove(find, talk, intent);
    case "unknown":
      return nextMove(unknown, talk, intent);
  }
}

function narrated({ calls }: { readonly calls: readonly Call[] }): string {
  const tools = Map.groupBy(calls, (call) => call.tool);
  const doing = [...tools].map(([tool, made]) => `${verbs[tool] ?? `calling ${tool}`} (${made.length})`).join(", ");
  return `${doing.charAt(0).toUpperCase()}${doing.slice(1)}.`;
}

const verbs: Readonly<Record<string, string>> = {
  Grep: "searching",
  Read: "reading",
  Glob: "listing files",
  LS: "listing folders",
  Bash: "running commands",
};
