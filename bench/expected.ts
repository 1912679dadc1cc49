// What a contestant is about to ask the scripted model, and what it is answered. One lead may do all the work itself
// (`line`), hand it to children who work at the same time (`fan`), to one child after the other (`chain`), or to one
// child of each kind (`kinds`).
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import type { ReplyStep } from "../src/testing/wire-server/step.ts";
import { fileNames } from "./workspace.ts";

export type Expected =
  | { readonly kind: "line"; readonly turns: number }
  | { readonly kind: "fan"; readonly children: number; readonly reads: number }
  | { readonly kind: "chain"; readonly children: number }
  | { readonly kind: "kinds" };

/** Who asks: the lead, or the child whose prompt has this number; and how many replies it has had. */
export type Asker = { readonly child: number | undefined; readonly turn: number };

export const LEAD_PROMPT = "You lead: hand the notes to your children, and tell me what they say.";
export const KINDS = ["Explore", "general-purpose"] as const;

export function requestsOf(expected: Expected): number {
  if (expected.kind === "line") return expected.turns;
  if (expected.kind === "fan") return 2 + expected.children * (expected.reads + 1);
  if (expected.kind === "chain") return 1 + expected.children * 2;
  return 2 + KINDS.length;
}

/** Told from the request's own words, so that the order of arrival does not matter. */
export function askerIn(body: Buffer): Asker {
  const turn = count(body, '"type":"tool_result"');
  if (body.includes(LEAD_PROMPT)) return { child: undefined, turn };
  const at = body.indexOf("Child number ");
  return { child: Number.parseInt(body.subarray(at + 13, at + 20).toString(), 10), turn };
}

export function replyTo(expected: Expected, { child, turn }: Asker): ReplyStep {
  if (expected.kind === "line") return turn < expected.turns ? readOf(turn) : done;
  if (child !== undefined)
    return expected.kind === "fan" && turn < expected.reads ? readOf(child + turn) : says(`Child ${child} has read.`);
  if (expected.kind === "chain") return turn < expected.children ? callsAll(spawn(turn)) : done;
  if (turn > 0) return done;
  return expected.kind === "fan"
    ? callsAll(...Array.from({ length: expected.children }, (_, n) => spawn(n)))
    : callsAll(...KINDS.map((agent, n) => spawn(n, agent)));
}

const done = says("I have read all the files: each of them tells of its own number.");
const readOf = (n: number): ReplyStep =>
  calls("Read", { file_path: fileNames[n % fileNames.length] ?? "" }, { says: "I read the next file, to know." });
const spawn = (n: number, agent?: string) =>
  call("spawn_subagent", {
    prompt: `Child number ${n}: read the notes, one after the other, and tell me what they say.`,
    ...(agent !== undefined && { agent }),
  });

function count(body: Buffer, words: string): number {
  let found = 0;
  for (let at = body.indexOf(words); at >= 0; at = body.indexOf(words, at + words.length)) found++;
  return found;
}
