// What the answer "always" would store, as a person sees it before they answer: each rule whole and escaped.
import { type Always, isOffered } from "../../core/grants.ts";
import { grantMeaning } from "../../core/grants/grant-covers.ts";
import { parseRule } from "../../core/rules.ts";
import { plainText } from "./plain-text.ts";

export function shownAlways(always: Always | undefined): string[] {
  if (!always) return [];
  if (!isOffered(always)) return [`  (always is not offered: ${plainText(always.not)})`];
  return [
    `  always = this, and from now on unasked in ${plainText(always.project)}:`,
    ...always.rules.map((rule) => `    ${plainText(shownGrant(rule))}`),
  ];
}

/** A rule with what it allows, where its words alone would not say that. */
export function shownGrant(rule: string): string {
  const parsed = parseRule(rule);
  const meaning = parsed && grantMeaning(parsed);
  return meaning === undefined ? rule : `${rule} (${meaning})`;
}
