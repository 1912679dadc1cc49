// Whether what an agent hands in is the structured result it was asked for. Pure.
import type { Json, JsonObject } from "../json.ts";
import { jsonIn } from "./json-in.ts";
import { valueProblem } from "./value-problem.ts";

export type Judged =
  | { readonly fits: true; readonly structured: Json; readonly output: string }
  | { readonly fits: false; readonly problem: string };

/** A last message that is, or holds, exactly one JSON value; where the schema takes a text, the message itself. */
export function judgeMessage(schema: JsonObject, message: string): Judged {
  const found = jsonIn(message);
  const problem = found.is === "one" ? valueProblem(schema, found.value) : undefined;
  if (found.is === "one" && problem === undefined) return accepted(found.value);
  const words = message.trim();
  if (valueProblem(schema, words) === undefined) return accepted(words);
  if (problem !== undefined) return { fits: false, problem };
  return { fits: false, problem: found.is === "several" ? "it holds several JSON values" : "it holds no JSON value" };
}

/** The input of a yield: under `result`, where models also write it as a text, or bare. */
export function judgeYield(schema: JsonObject, input: JsonObject): Judged {
  const { result } = input;
  const inText = typeof result === "string" ? jsonIn(result) : undefined;
  const candidates = [...(result === undefined ? [input] : [result]), ...(inText?.is === "one" ? [inText.value] : [])];
  const fitting = candidates.find((value) => valueProblem(schema, value) === undefined);
  if (fitting !== undefined) return accepted(fitting);
  return { fits: false, problem: valueProblem(schema, inText?.is === "one" ? inText.value : candidates[0]!) ?? "" };
}

const accepted = (structured: Json): Judged => ({
  fits: true,
  structured,
  output: typeof structured === "string" ? structured : JSON.stringify(structured),
});
