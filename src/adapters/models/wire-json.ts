// JSON for a request's body. Half a surrogate pair, as a cut text may end with, would make the provider refuse it all.
export function wireJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!/\\ud[89a-f]/.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? part.toWellFormed() : part));
}
