// Says what a request lacks of what a step expects of it, or undefined.
import type { Expect } from "./step.ts";
import type { WireRequest } from "./wire-request.ts";

/** What can be judged without a wire. */
type Request = Pick<WireRequest, "model" | "text"> & Partial<WireRequest>;

export function unmet(expect: Expect | undefined, request: Request): string | undefined {
  if (expect === undefined) return undefined;
  if (typeof expect === "function") {
    const verdict = expect(request as WireRequest);
    return verdict === true ? undefined : verdict === false ? "its predicate says no" : verdict;
  }
  if (expect.wire !== undefined && expect.wire !== request.wire) return `not ${expect.wire}, but ${request.wire}`;
  if (expect.model !== undefined && expect.model !== request.model) return `not ${expect.model}, but ${request.model}`;
  const missing = list(expect.contains).find((text) => !request.text.includes(inJson(text)));
  if (missing !== undefined) return `its body lacks ${JSON.stringify(missing)}`;
  const unwanted = list(expect.lacks).find((text) => request.text.includes(inJson(text)));
  return unwanted === undefined ? undefined : `its body contains ${JSON.stringify(unwanted)}`;
}

const list = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;
/** As the text stands in a JSON body. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
