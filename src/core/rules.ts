// A person's rules, in Claude Code's words: `Bash`, `Bash(npm test)`, `Bash(git log:*)`, `Edit(src/**)`,
// `WebFetch(domain:example.com)`, `Agent(Explore)`. An allow rule must cover a call whole; a deny rule reaches as far as it may.
import { lookupKey } from "./agents/agent-names.ts";
import { isSpawnName } from "./agents/may-spawn.ts";
import type { Reach } from "./permissions.ts";
import { reachesPart } from "./shell/rule-covers.ts";
import { uncovered } from "./shell/uncovered.ts";

export type Rule = { readonly tool: string; readonly spec?: string };
export type Rules = { readonly allow: readonly Rule[]; readonly ask: readonly Rule[]; readonly deny: readonly Rule[] };
export const noRules: Rules = { allow: [], ask: [], deny: [] };
export const joinRules = (a: Rules, b: Rules): Rules => ({
  allow: [...a.allow, ...b.allow],
  ask: [...a.ask, ...b.ask],
  deny: [...a.deny, ...b.deny],
});

/** Where the paths of a rule begin. */
export type Places = { readonly cwd: string; readonly home: string };

/** undefined when it cannot be read. */
export function parseRule(value: string): Rule | undefined {
  const found = /^([A-Za-z][A-Za-z0-9_]*)(?:\(([\s\S]+)\))?$/.exec(value.trim());
  if (!found?.[1]) return undefined;
  const spec = found[2];
  return spec === undefined || spec === "*" ? { tool: found[1] } : { tool: found[1], spec };
}

export const ruleText = (rule: Rule): string => (rule.spec === undefined ? rule.tool : `${rule.tool}(${rule.spec})`);

/** The rule that allows exactly this call. */
export function exactRule(tool: string, reach: readonly Reach[]): Rule {
  const [first, second] = reach;
  // No one rule means several files and nothing else.
  if (!first || second) return { tool };
  switch (first.may) {
    case "run":
      return { tool, spec: first.command };
    case "fetch":
      return { tool, spec: `domain:${first.host}` };
    case "spawn":
      return { tool, spec: first.agent };
    case "act":
      return { tool };
    case "read":
    case "write":
      return { tool, spec: `/${first.path}` };
  }
}

export function allows(rule: Rule, tool: string, reach: readonly Reach[], places: Places): boolean {
  if (!covers(rule.tool, tool)) return false;
  if (rule.spec === undefined) return true;
  const { spec } = rule;
  return reach.length > 0 && reach.every((one) => allowsOne(spec, one, places));
}

export function denies(rule: Rule, tool: string, reach: readonly Reach[], places: Places): boolean {
  const { spec } = rule;
  if (reach.some((one) => one.may === "spawn" && deniesSpawn(rule, one.agent))) return true;
  // What a command reads is read, whichever tool runs it.
  if (covers(rule.tool, "Read") && !covers(rule.tool, tool))
    return reach.some((one) => one.may === "run" && (isUnread(one) || deniesReading(spec, one, places)));
  // What a call writes is written, whichever tool does it.
  if (covers(rule.tool, "Write") && !covers(rule.tool, tool))
    return reach.some(
      (one) =>
        (one.may === "run" && isUnread(one)) ||
        writesOf(one).some((path) => spec === undefined || deniesPath(spec, path, places)),
    );
  if (!covers(rule.tool, tool)) return false;
  if (spec === undefined) return true;
  return reach.some((one) => {
    if (one.may === "run") return deniesRun(spec, one);
    if (one.may === "fetch" || one.may === "act" || one.may === "spawn") return allowsOne(spec, one, places);
    return deniesPath(spec, one.path, places) || (one.asked !== undefined && deniesPath(spec, one.asked, places));
  });
}

type Run = Extract<Reach, { may: "run" }>;

/** Rules that say something about commands, or about files that a command may open. */
export const isAboutCommands = ({ tool, spec }: Rule): boolean =>
  (tool === "Bash" && spec !== undefined) || covers(tool, "Read") || covers(tool, "Write");

/** As far as it is certain. */
function writesOf(one: Reach): readonly string[] {
  if (one.may === "write") return one.asked === undefined ? [one.path] : [one.path, one.asked];
  return one.may === "run" ? (one.writes ?? []) : [];
}

function deniesReading(spec: string | undefined, { reads = [], below = [], named = [] }: Run, places: Places): boolean {
  if (spec === undefined) return reads.length > 0;
  const pattern = foldedParts(fullPattern(spec, places));
  return (
    [...reads, ...named].some((path) => deniesPath(spec, path, places)) ||
    below.some((path) =>
      matchParts(pattern, foldedParts(path)).whole.some((matched, n) => matched && n < pattern.length),
    )
  );
}

/** Whichever tool starts the child; an agent that is a tool of its own is meant by its bare name, too. */
const deniesSpawn = ({ tool, spec }: Rule, agent: string): boolean =>
  isSpawnName(tool) ? spec === undefined || namesAgent(spec, agent) : spec === undefined && namesAgent(tool, agent);

/** With all that is below, and in every form that some file system takes for the same name. */
function deniesPath(spec: string, path: string, places: Places): boolean {
  const pattern = foldedParts(fullPattern(spec, places));
  const parts = foldedParts(path);
  // Most rules are about somewhere else, and their first names tell.
  const fixed = pattern.findIndex(isWild);
  if (pattern.slice(0, fixed < 0 ? pattern.length : fixed).some((part, n) => part !== parts[n])) return false;
  return matchParts(pattern, parts).reached.some((covered, n) => covered && n > 0);
}

const isWild = (part: string): boolean => part.includes("*") || part.includes("?");

/** As every file system may take it: without case, in one form of Unicode, without what does not show. */
export function folded(path: string): string {
  // Every call that reads is compared with every rule: what has no other forms is not looked at for them.
  if (/^[ -~]*$/.test(path)) return path.toLowerCase();
  return path
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

const foldedParts = (path: string): readonly string[] => folded(path).split("/");

/** Part by part; what was not read whole may hold anything. */
const deniesRun = (spec: string, run: Run): boolean =>
  run.command === spec || isUnread(run) || (run.reading?.parts.some((part) => reachesPart(spec, part)) ?? false);

const isUnread = (run: Run): boolean => whyUnread(run) !== undefined;

/** Why programs or files may be missing in what is known of a command; with a rule, also why it may start what that denies. */
export function whyUnread({ command, reading, reads }: Run, rule?: Rule): string | undefined {
  if (reading === undefined) return "it was not read";
  if (reading.unread !== undefined) return reading.unread;
  if (reads === undefined) return "it opens many files";
  const { tool, spec } = rule ?? {};
  if (tool !== "Bash" || spec === undefined || spec === command) return undefined;
  const part = reading.parts.find((one) => reachesPart(spec, one));
  if (part?.carried?.unread !== undefined) return part.carried.unread;
  return part?.words.includes(null) ? `some words of ${part.text} are known only when it runs` : undefined;
}

/** A rule says exactly this call and nothing wider. */
export const isExact = (rule: Rule, tool: string, reach: readonly Reach[]): boolean =>
  (rule.tool === tool || (isSpawnName(rule.tool) && isSpawnName(tool))) &&
  rule.spec !== undefined &&
  rule.spec === exactRule(tool, reach).spec;

/** `Explore`, or several with commas. */
const namesAgent = (spec: string, agent: string): boolean =>
  spec.split(",").some((name) => lookupKey(name) === lookupKey(agent));

/** As in Claude Code, Edit stands for all tools that write files, Read for all that read them. */
export const TOOL_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Edit: ["Edit", "Write", "MultiEdit"],
  Read: ["Read", "LS", "Glob", "Grep"],
  // What Claude Code calls some of ours.
  Task: ["spawn_subagent", "spawn_foreach"],
  Agent: ["spawn_subagent", "spawn_foreach"],
  AskUserQuestion: ["ask_user"],
  KillBash: ["KillShell"],
};
const covers = (ruleTool: string, tool: string): boolean =>
  ruleTool === tool || (TOOL_GROUPS[ruleTool]?.includes(tool) ?? false);

/** Tools whose calls a use can tell apart; of any other, a rule with a use covers no call. */
export const takesUse = (tool: string): boolean =>
  ["Bash", "WebFetch", "Edit", "Read", "Agent", "Task"].some((one) => covers(one, tool));

function allowsOne(spec: string, reach: Reach, places: Places): boolean {
  switch (reach.may) {
    case "run":
      return uncovered(reach, { rules: [{ tool: "", spec }] }) === undefined;
    case "fetch":
      return spec.startsWith("domain:") && hostMatches(spec.slice("domain:".length), reach.host);
    case "spawn":
      return namesAgent(spec, reach.agent);
    case "act":
      return false;
    case "read":
    case "write":
      return globMatches(fullPattern(spec, places), reach.path);
  }
}

function hostMatches(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase();
  const asked = host.toLowerCase().replace(/(?<!\.)\.+$/, "");
  return wanted.startsWith("*.") ? asked.endsWith(wanted.slice(1)) : asked === wanted;
}

/** `//abs`, `~/home`, `/from the folder`, or relative to the folder. */
export function fullPattern(spec: string, { cwd, home }: Places): string {
  if (spec.startsWith("//")) return spec.slice(1);
  if (spec.startsWith("~/")) return `${home}${spec.slice(1)}`;
  return `${cwd}/${spec.replace(/^\.?\//, "")}`;
}

/** `**` any depth, `*` and `?` within a name. Walks both texts; takes no more than their product in steps. */
export const globMatches = (pattern: string, path: string): boolean => isWhole(pattern.split("/"), path.split("/"));

const isWhole = (pattern: readonly string[], path: readonly string[]): boolean =>
  matchParts(pattern, path).whole[pattern.length]!;

/**
 * `whole`: for each number of parts of the pattern, from none, whether they cover the whole path. `reached`: for each
 * number of parts of the path, whether the whole pattern covers them.
 */
function matchParts(
  pattern: readonly string[],
  path: readonly string[],
): { readonly whole: readonly boolean[]; readonly reached: readonly boolean[] } {
  const none = [false, ...path.map(() => false)];
  // reached[j]: the pattern so far covers the first j parts of the path.
  let reached = none.slice();
  reached[0] = true;
  const whole = [path.length === 0];
  for (const part of pattern) {
    const next = none.slice();
    for (let j = reached.indexOf(true); j >= 0 && j <= path.length; j++) {
      if (part === "**") next[j] = reached[j]! || (j > 0 && next[j - 1]!);
      else if (j > 0) next[j] = reached[j - 1]! && matchName(part, path[j - 1]!);
    }
    reached = next;
    whole.push(reached[path.length]!);
  }
  return { whole, reached };
}

function matchName(pattern: string, name: string): boolean {
  if (!isWild(pattern)) return pattern === name;
  let [p, n, star, back] = [0, 0, -1, 0];
  while (n < name.length) {
    if (p < pattern.length && pattern[p] === "*") [star, back] = [p++, n];
    else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === name[n])) [p, n] = [p + 1, n + 1];
    else if (star >= 0) [p, n] = [star + 1, ++back];
    else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
