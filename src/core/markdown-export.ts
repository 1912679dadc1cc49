// A tree as Markdown for people: who asked what, what was said and done, what came back. Pure.
import { plainText } from "../std/plain-text.ts";
import { isoTime, type ToldCall, type ToldSession, type ToldStep } from "./told-steps.ts";
import type { TreeState } from "./tree-state.ts";
import { ownCost } from "./session-cost.ts";

export function markdownOf(sessions: readonly ToldSession[], state: TreeState): string {
  // Whoever named a tool or wrote a text, nothing in the file moves a cursor or sets a title when it is shown.
  return plainText(`${sessions.map((told) => sessionText(told, state)).join("\n\n---\n\n")}\n`);
}

function sessionText(told: ToldSession, state: TreeState): string {
  const { opened } = told;
  const session = state.sessions.get(told.session);
  const cost = session && ownCost(session).costUsd;
  const facts = [
    ["session", `${told.session} (${told.path})`],
    ["agent", opened?.agent],
    ["model", opened?.model],
    ["folder", opened?.binding.cwd],
    ["begun", opened && isoTime(opened.time)],
    ["status", session?.status],
    ["cost", cost === null ? "not known" : cost !== undefined && `$${cost.toFixed(4)}`],
  ].filter(([, value]) => value);
  return [
    `# ${oneLine(opened?.title || told.session)}`,
    facts.map(([name, value]) => `- ${name}: ${oneLine(String(value))}`).join("\n"),
    ...told.steps.map(stepText),
    ...(session?.result?.error ? [`## ${session.result.status}\n\n${session.result.error.message}`] : []),
  ].join("\n\n");
}

function stepText(step: ToldStep): string {
  if (step.by !== "agent") return `## ${step.by === "user" ? "Person" : "Note"}\n\n${step.text}`;
  return [
    step.byPerson ? "## Person, by hand" : "## Agent",
    ...(step.reasoning ? [quoted(step.reasoning)] : []),
    ...(step.text ? [step.text] : []),
    ...step.calls.map(callText),
  ].join("\n\n");
}

function callText({ tool, input, result, child }: ToldCall): string {
  const { command } = input;
  const asked = typeof command === "string" ? command : JSON.stringify(input, undefined, 2);
  const end = result ? (result.failed ? "failed" : "done") : "no result";
  return [
    `**${oneLine(tool)}** (${end}${child ? `, child ${child}` : ""})`,
    fenced(asked, typeof command === "string" ? "sh" : "json"),
    ...(result ? [fenced(result.text, "")] : []),
  ].join("\n\n");
}

/** A fence longer than any in the text: what a tool printed cannot end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

const quoted = (text: string): string => text.replace(/^/gm, "> ");
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
