// What a person who answers "always" would allow for good: the narrowest rules with which exactly this kind of call is
// not asked again in the project, or why there are none. Grants are a layer of their own: they answer what only the
// mode would ask, and no rule, definition, ceiling or protected file gives way to them. Pure.
import { type GrantPlace, openWords } from "./grants/grant-covers.ts";
import type { Question, Reach } from "./permissions.ts";
import { coversNothing } from "./grants/covers-nothing.ts";
import { type Rule, allows, parseRule, ruleText } from "./rules.ts";
import type { ShellPart } from "./shell/shell-reading.ts";
import { type Cover, beyondGrants, leftParts, moves, uncovered } from "./shell/uncovered.ts";

/** Of one project, by the real path of its root. */
export type Grants = {
  readonly project: string;
  /** As they are now: one may be given or taken back while agents work. */
  now(): readonly Rule[];
  /** False for a rule that has a secret in it: it would be stored. */
  mayKeep(rule: string): boolean;
};

export type Granted = { readonly rules: readonly string[]; readonly project: string };
/** What "always" would store, or why it is not offered. */
export type Always = Granted | { readonly not: string };

export const isOffered = (always: Always | undefined): always is Granted => always !== undefined && "rules" in always;

/** For a call that nothing asks but the mode. `cover` is what covers commands already. */
export function offerAlways({ tool, reach, places, copyOf }: Question, grants: Grants, cover: Cover): Always {
  const [first] = reach;
  if (!first || reach.length > 1) return { not: "no rule says just this call" };
  const found = rulesFor(tool, first, cover, copyOf?.root);
  if ("not" in found) return found;
  const rules = [...new Set(found.rules.map(ruleText))];
  const problem = rules.map(keepProblem).find((one) => one !== undefined);
  if (problem !== undefined) return { not: problem };
  if (!rules.every(grants.mayKeep)) return { not: "it has a secret in it, which would be stored" };
  // What would be asked again all the same is not worth a promise.
  const left =
    first.may === "run"
      ? uncovered(first, withRules(cover, found.rules))
      : found.rules.some((rule) => allows(rule, tool, reach, places))
        ? undefined
        : "no rule says just this call";
  return left === undefined ? { rules, project: grants.project } : { not: left };
}

/** Why a text cannot be kept as a grant; undefined when it can. */
export function keepProblem(text: string): string | undefined {
  const rule = parseRule(text);
  if (!rule || ruleText(rule) !== text)
    return `${text} is not a rule: a tool, or a tool with one use, such as Bash(npm test)`;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return "it has characters that do not show";
  if (rule.tool === "Bash" && rule.spec !== undefined && !/^[\w.:@%+,=/ -]+?(:\*| \*)?$/.test(rule.spec))
    return "a grant for commands has plain words, with :* at the end for the operands that may follow them";
  return undefined;
}

/** Why a person cannot give this grant: it cannot be kept, or it would allow nothing. */
export function giveProblem(text: string): string | undefined {
  const rule = parseRule(text);
  const nothing = rule && coversNothing(rule);
  return (
    keepProblem(text) ??
    (nothing && `${text} would allow nothing: ${nothing}; a rule in your configuration can allow it`)
  );
}

type Found = { readonly rules: readonly Rule[] } | { readonly not: string };

function rulesFor(tool: string, reach: Reach, cover: Cover, copy: string | undefined): Found {
  switch (reach.may) {
    case "run":
      return forCommand(tool, reach, cover);
    case "fetch":
      // A star is a letter of a name in some addresses, and every name below it in a rule.
      if (!/^[a-z0-9.:[\]-]+$/i.test(reach.host)) return { not: "no rule says just this host" };
      return { rules: [{ tool, spec: `domain:${reach.host}` }] };
    case "write":
      if (copy !== undefined && isInside(copy, reach.path)) return { not: "it is a file of the agent's own copy" };
      if (/[*?]/.test(reach.path)) return { not: "the name of the file would be a pattern in a rule" };
      return { rules: [{ tool: "Edit", spec: `/${reach.path}` }] };
    case "read":
    case "spawn":
    case "act":
      return { not: `a rule could only allow every ${tool} (sous permissions add ${tool})` };
  }
}

/** One rule for each part that needs one, never one for the whole. */
function forCommand(tool: string, { reading }: Extract<Reach, { may: "run" }>, cover: Cover): Found {
  if (!reading) return { not: "what it runs was not read" };
  if (reading.doubt !== undefined) return { not: reading.doubt };
  if (moves(reading)) return { not: "it changes the folder, and a rule does not say where a command runs" };
  const rules: Rule[] = [];
  for (const part of leftParts(reading, cover)) {
    const not = beyondGrants(part, cover.readOnlyIn);
    if (not !== undefined) return { not };
    const spec = specFor(part, cover.grants);
    if (spec === undefined) return { not: `no rule says just ${part.text}: not all of its words are plain` };
    rules.push({ tool, spec });
  }
  return { rules };
}

/** Its very words; or, where what follows is different each time and cannot make it another command, what stands before that. */
function specFor(part: ShellPart, place: GrantPlace | undefined): string | undefined {
  const open = place && openWords(part, place);
  if (open) return `${open.join(" ")}:*`;
  return part.words.every((word) => word !== null && PLAIN_WORD.test(word)) ? part.words.join(" ") : undefined;
}

const withRules = (
  { grants = { rules: [], roots: [], operands: {} }, ...cover }: Cover,
  more: readonly Rule[],
): Cover => ({
  ...cover,
  grants: { ...grants, rules: [...grants.rules, ...more] },
});

/** A quote, a blank or a sign of the shell in a word would mean something else in a rule. */
const PLAIN_WORD = /^[\w.:@%+,=/-]+$/;

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
