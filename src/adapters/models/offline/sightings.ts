// Where an exact name or text stands, and as what: defined, assigned, thrown, brought in, used, or only spoken of. Pure.
import { codeLines } from "./code-line.ts";
import { definitionIn, familyOf } from "./languages.ts";
import { type FoundLine, compare } from "./outputs.ts";
import { literal } from "./patterns.ts";
import { standing } from "./places.ts";
import { type Concept, presence, stemsOf } from "./words.ts";

export type Role = "defined" | "thrown" | "defaulted" | "assigned" | "written" | "used" | "imported" | "mentioned";
export type Sighting = FoundLine & { readonly roles: ReadonlySet<Role>; readonly whole: boolean };
/** What of the name is asked for. */
export type Aspect = "definition" | "thrown" | "default" | "set";

export function sightingsOf(concept: Concept, lines: readonly FoundLine[]): readonly Sighting[] {
  const name = lastPart(concept.word);
  return lines.flatMap((line) => {
    const roles = rolesOf(line, name);
    const whole = line.text.includes(concept.word);
    return roles.size === 0 ? [] : [{ ...line, roles, whole }];
  });
}

/** The best first: those that say what is asked, or else what comes nearest to it. */
export function fitting(
  sightings: readonly Sighting[],
  aspect: Aspect,
  others: readonly Concept[],
): readonly Sighting[] {
  const whole = sightings.some((one) => one.whole) ? sightings.filter((one) => one.whole) : sightings;
  for (const role of rolesFor[aspect]) {
    const fit = whole.filter((one) => one.roles.has(role));
    const pool = fit.length > 0 ? fit : sightings.filter((one) => one.roles.has(role));
    if (pool.length === 0) continue;
    const best = Math.min(...pool.map((one) => standing(one.path)));
    return pool
      .filter((one) => standing(one.path) === best)
      .toSorted((a, b) => nearness(b, others) - nearness(a, others) || compare(a.path, b.path) || a.line - b.line);
  }
  return [];
}

/** How much of the rest of the question the line and its path speak of. */
export function nearness({ path, text }: FoundLine, others: readonly Concept[]): number {
  const stems = stemsOf(`${path} ${text}`);
  return others.reduce((sum, concept) => sum + presence(concept, stems, `${path} ${text}`), 0);
}

export const lastPart = (word: string): string => (/\s/.test(word) ? word : (word.split(/\.|::|->|#/).at(-1) ?? word));

const rolesFor: Readonly<Record<Aspect, readonly Role[]>> = {
  definition: ["defined", "assigned", "written", "used"],
  thrown: ["thrown", "written", "defined", "used"],
  default: ["defaulted", "assigned", "defined", "used"],
  set: ["defined", "assigned", "written", "used"],
};

function rolesOf(line: FoundLine, name: string): ReadonlySet<Role> {
  const roles = new Set<Role>();
  const family = familyOf(line.path);
  const text = line.text.slice(0, 500);
  if (!text.toLowerCase().includes(name.toLowerCase())) return roles;
  if (family === undefined) return roles.add("mentioned");
  const isWord = /^[\w$]+$/.test(name);
  const word = isWord ? new RegExp(`(?<![\\w$])${literal(name)}(?![\\w$])`) : undefined;
  const [{ code, comment } = { code: text, comment: "" }] = codeLines(line.path, [text]);
  if (word && !word.test(text)) return roles;
  if (comment.includes(name) && !text.replace(comment, "").includes(name)) return roles.add("mentioned");
  if (/\b(?:throw|raise|panic!?|reject)\b|\bnew\s+\w*Error\b|\berror\s*\(/i.test(code)) roles.add("thrown");
  if (!word || !word.test(code)) return roles.add("written");
  const defined = definitionIn(family, text, "{");
  if (defined?.name.replace(/^#/, "") === name.replace(/^#/, "")) roles.add("defined");
  else if (/^\s*(?:import|export\s*[{*]|from|use|require|#\s*include)\b|\brequire\(|^\s*[\w$]+,?\s*$/.test(code))
    roles.add("imported");
  const forms = formsOf(name);
  if (forms.assigned.test(code)) roles.add("assigned");
  if (forms.defaulted.test(code)) roles.add("defaulted");
  if (forms.made.test(code)) roles.add("thrown");
  else if (isWord) roles.delete("thrown");
  return roles.size > 0 ? roles : roles.add("used");
}

function formsOf(name: string): Readonly<Record<"assigned" | "defaulted" | "made", RegExp>> {
  const own = `(?<![\\w$])${literal(name)}(?![\\w$])`;
  const typed = String.raw`\??\s*(?::[^=?]{1,60})?`;
  const value = String.raw`(?:["'\[{]|-?\d|true\b|false\b|null\b|None\b|nil\b|Infinity\b|new\b)`;
  return {
    assigned: new RegExp(`${own}${typed}=(?![=>])|(?<![.])${own}\\s*:`),
    defaulted: new RegExp(
      `${own}\\s*(?:(?:===?|!==?)\\s*(?:null|undefined|None|nil)\\s*\\?|\\?\\?|\\|\\|)|${own}${typed}=\\s*${value}|${own}\\s*:\\s*${value}`,
    ),
    made: new RegExp(`\\b(?:throw|raise|panic|reject|new)\\b.*${own}`, "i"),
  };
}
