// One run of the built command that makes given calls one after the other, in a folder `proj` of its own, and what
// came of each.
import { mkdirSync } from "node:fs";
import type { JsonObject } from "../src/core/json.ts";
import type { ToolOutcome } from "../src/core/tool-outcome.ts";
import { calls, responder, says } from "../src/testing/wire-server/script.ts";
import { durableOf, world, type World } from "./e2e-kit.ts";

export type Call = readonly [tool: string, input: JsonObject];
export type Made = { readonly call: string; readonly outcome: ToolOutcome; readonly said: string };

export type Place = { readonly w: World; readonly proj: string; readonly env: Readonly<Record<string, string>> };

/** `w.dir` is the home; `prepare` makes the files and gives the calls. */
export async function placeOf(prepare: (place: Place) => readonly Call[]) {
  let made: readonly Call[] = [];
  const w = await world(
    responder(({ turn }) => {
      const call = made[turn - 1];
      return call ? calls(call[0], call[1]) : says("done");
    }),
  );
  const proj = w.dir.join("proj");
  mkdirSync(proj);
  const place: Place = { w, proj, env: { HOME: w.dir.path, XDG_CONFIG_HOME: w.dir.join(".config") } };
  made = prepare(place);
  const run = async (...flags: string[]) => {
    const words = ["run", "--model", "anthropic/x", "-o", "jsonl", "--cwd", proj, ...flags, "--", "go"];
    const ended = await w.sous(words, { env: place.env });
    const outcomes = durableOf(ended.stdout).flatMap((event) => (event.type === "tool.ended" ? [event.outcome] : []));
    if (outcomes.length !== made.length)
      throw new Error(`${outcomes.length} of ${made.length} calls ended: ${ended.stderr}`);
    const results = outcomes.map((outcome, n): Made => ({
      call: JSON.stringify(made[n]).slice(0, 120),
      outcome,
      said: outcome.said.map((part) => (part.type === "text" ? part.text : part.type)).join(""),
    }));
    return { ...ended, results };
  };
  return { ...place, run, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

/** The calls that were let run, by their beginning. */
export const letRun = (results: readonly Made[]): string[] =>
  results.flatMap(({ call, outcome }) => (outcome.ok || outcome.why !== "refused" ? [call] : []));

export const succeeded = (results: readonly Made[]): string[] =>
  results.flatMap(({ call, outcome }) => (outcome.ok ? [call] : []));
