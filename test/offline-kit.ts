// The offline model on the real tools in a copy of a package, in this process; and what its answers claim, as data.
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createOfflineModel } from "../src/adapters/models/offline/offline-model.ts";
import { type Doubles, play } from "../src/adapters/models/offline/tool-doubles-test-kit.ts";
import { textOf } from "../src/core/messages.ts";
import type { Place, Question } from "./offline-questions.ts";
import { type Agent, toolWorld } from "./tool-world.ts";

export type Claim = { readonly path: string; readonly from: number; readonly to: number };
export type Confidence = "certain" | "likely" | "not sure";

const installed = fileURLToPath(new URL("../node_modules", import.meta.url));
const TOOLS = ["Read", "Glob", "Grep", "LS"];

/** Files as a package ships them, build output included, as a project of its own. */
export async function packageWorld(name: string) {
  const world = await toolWorld();
  cpSync(join(installed, name), world.dir.path, { recursive: true });
  return { ...world, ask: (prompt: string) => askIn(world, world.dir.path, prompt) };
}

export async function askIn(agent: Agent, folder: string, prompt: string, about = "You are tested.") {
  const doubles: Doubles = Object.fromEntries(TOOLS.map((tool) => [tool, (input) => called(agent, tool, input)]));
  return play(createOfflineModel(), prompt, doubles, [], folder, about);
}

async function called(agent: Agent, tool: string, input: Parameters<Agent["call"]>[1]): Promise<string> {
  const outcome = await agent.call(tool, input);
  if (!outcome.ok) throw new Error(textOf(outcome.said));
  return textOf(outcome.said);
}

/** What follows the introduction. */
export const bodyOf = (answer: string): string => answer.replace(/^I am Sous's built-in offline model.*\n\n/, "");

export function confidenceOf(answer: string): Confidence {
  const body = bodyOf(answer);
  if (/^(?:I am not sure|Nothing in this folder)/.test(body)) return "not sure";
  return body.startsWith("Most likely") ? "likely" : "certain";
}

/** In the order in which they are named. */
export const claimsIn = (answer: string): readonly Claim[] =>
  [...answer.matchAll(/(?<![\w/.-])([\w@][\w./@-]*\.\w+):(\d+)(?:-(\d+))?/g)].map(([, path = "", from, to]) => ({
    path,
    from: Number(from),
    to: Number(to ?? from),
  }));

export const firstParagraph = (answer: string): string => bodyOf(answer).split("\n\n")[0] ?? "";

export function isAt(folder: string, claim: Claim, question: Question): boolean {
  return question.at.some((place) =>
    rangesOf(folder, place).some(
      ({ path, from, to }) => claim.path === path && claim.from <= to && claim.to >= from && narrow(claim, from, to),
    ),
  );
}

/** A claim that spans a whole file would be right about everything in it. */
const narrow = (claim: Claim, from: number, to: number): boolean =>
  claim.to - claim.from <= Math.max(120, to - from + 5);

/** From the line to the end of its body, or the line alone. */
function rangesOf(folder: string, [path, text]: Place): readonly Claim[] {
  const lines = readFileSync(join(folder, path), "utf8").split("\n");
  const starts = lines.flatMap((line, at) => (line.includes(text) ? [at] : []));
  if (starts.length === 0) throw new Error(`${path} has no line ${text}`);
  return starts.map((at) => {
    const indent = /^\s*/.exec(lines[at]!)![0];
    const opens = /[{(<]\s*$|^\s*(?:export )?(?:type|class)\b/.test(lines[at]!);
    const end = lines.findIndex((line, later) => later > at && line.startsWith(`${indent}}`));
    return { path, from: at + 1, to: opens && end > 0 ? end + 1 : at + 1 };
  });
}
