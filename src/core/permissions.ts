// The verdict on one tool call from its declared reach, the mode and the person's rules, with its reason. Pure.
// Deny wins, then the workspace, then ask, then allow; the mode only resolves what is left as `ask`.
import type { Mode } from "./events.ts";
import { type Always, type Grants, offerAlways } from "./grants.ts";
import { changesObeyed } from "./obeyed.ts";
import {
  type Places,
  type Rule,
  type Rules,
  allows,
  denies,
  exactRule,
  isAboutCommands,
  isExact,
  ruleText,
  whyUnread,
} from "./rules.ts";
import type { ShellReading } from "./shell/shell-reading.ts";
import { runAs, runGuarded } from "./shell/run-as.ts";
import { type Cover, uncovered } from "./shell/uncovered.ts";

/** What a call may touch, as the tool declares it. Paths are absolute and real. */
export type Reach =
  | {
      readonly may: "read" | "write";
      readonly path: string;
      /** The path that was asked for, where links on it lead to `path`. */
      readonly asked?: string;
    }
  | {
      readonly may: "run";
      readonly command: string;
      /** What it would do, as far as that is certain; left out, nothing is. */
      readonly reading?: ShellReading;
      /** The real paths that it reads as far as its reading tells. */
      readonly reads?: readonly string[];
      /** Of these, the folders that it reads with all that is below. */
      readonly below?: readonly string[];
      /** The paths as they stand in the command. */
      readonly named?: readonly string[];
      /** Where each operand of what does not only read leads as a path; some may be missing. */
      readonly operands?: Readonly<Record<string, string>>;
      /** What it certainly writes: the real paths, and as they stand in the command. */
      readonly writes?: readonly string[];
    }
  | { readonly may: "fetch"; readonly host: string }
  /** A child of this agent: what it does is judged when it does it. */
  | { readonly may: "spawn"; readonly agent: string }
  /** Whatever a tool does that says no more of itself: one of a program that embeds Sous. */
  | { readonly may: "act" };

/** How a command runs that nobody said yes to: as it was judged, not as it is written. */
export type RunAs = {
  /** Printed from what was judged, so that it cannot mean anything else to the shell. */
  readonly command: string;
  /** No rule was needed, because it only reads: these folders, and nothing else. */
  readonly unasked?: { readonly readable: readonly string[] };
};

export type Verdict =
  | { readonly is: "allow"; readonly because: string; readonly run?: RunAs }
  | { readonly is: "deny"; readonly because: string }
  /** `byMode`: nothing asks but the mode, so another one would not. */
  | {
      readonly is: "ask";
      readonly because: string;
      readonly allowWith: string;
      readonly byMode?: boolean;
      /** What a person who says "always" would allow for good. */
      readonly always?: Always;
    };

export type Beyond = { readonly read: readonly string[]; readonly write: readonly string[] };

export type Question = {
  readonly tool: string;
  readonly reach: readonly Reach[];
  /** The folders that file tools may touch. */
  readonly roots: readonly string[];
  readonly places: Places;
  readonly mode: Mode;
  readonly rules: Rules;
  /** What a definition leaves of a tool: for each entry of the tool one of its rules must allow the call. */
  readonly narrowing?: readonly { readonly tool: string; readonly allow: readonly Rule[] }[];
  /** The real path of the agent's own memory: its file tools may always touch exactly that. */
  readonly memory?: string;
  /** Files and folders outside of the roots that count as inside for this agent. */
  readonly beyond?: Beyond;
  /** Why nothing may be written; left out, it may be. */
  readonly readOnly?: string;
  /** The roots are a copy: what rules deny or ask for in its source holds in it, too. */
  readonly copyOf?: { readonly root: string; readonly source: string };
  /** Its definition's `permissionMode: dontAsk`: what would be asked is not done. */
  readonly neverAsks?: boolean;
  /** The person's own folders of configuration and state, as real paths: no agent changes them unasked. */
  readonly own?: readonly string[];
  /** The folder's own configuration may act: grants count for programs that obey it. */
  readonly trusted?: boolean;
  /** The repository that was there when the workspace was opened: all that git reads unasked. */
  readonly repository?: { readonly top: string };
  /** What the person has allowed for good in this project. */
  readonly grants?: Grants;
  /** The same call was interrupted before: whether it had its effect is not known. */
  readonly outcomeUnknown: boolean;
};

export function judge(question: Question): Verdict {
  const verdict = decide(question);
  if (verdict.is !== "ask" || !question.neverAsks) return verdict;
  const { because, allowWith } = verdict;
  return { is: "deny", because: `${because}, and its definition asks nobody; the rule ${allowWith} would allow it` };
}

function decide(question: Question): Verdict {
  const { tool, reach, rules, places, grants, trusted = false, repository } = question;
  const about = { trusted, ...(repository && { repository }) };
  const ask = (because: string, always: () => Always = everyTime): Extract<Verdict, { is: "ask" }> => ({
    is: "ask",
    because,
    allowWith: ruleText(exactRule(tool, reach)),
    ...(grants && { always: always() }),
  });
  const askByMode = (because: string, cover: Cover): Verdict =>
    question.mode === "yolo"
      ? { ...yolo, ...runOf(reach, (run) => runGuarded(run, guarded)) }
      : { ...ask(because, grants && (() => offerAlways(question, grants, cover))), byMode: true };
  const guarded = rules.deny.some(isAboutCommands);
  const meant = meantBy(question);
  const denied = rules.deny.find(meant);
  if (denied) return { is: "deny", because: deniedBecause(denied, question) };
  if (
    MEMORY_TOOLS.includes(tool) &&
    reach.length > 0 &&
    reach.every((one) => isFile(one) && one.path === question.memory)
  )
    return { is: "allow", because: "it is the agent's own memory" };
  const written = question.readOnly === undefined ? undefined : whatWrites(reach, about);
  if (written !== undefined) return { is: "deny", because: `${question.readOnly}${written}` };
  const outside = reach.find(
    (one) => isFile(one) && !rootsFor(one.may, question).some((root) => isInside(root, one.path)),
  );
  if (outside && isFile(outside))
    return { is: "deny", because: `${outside.path} is outside the workspace; --add-dir would add its folder` };
  const narrow = question.narrowing?.find((one) => one.tool === tool && !covered(one.allow, tool, reach, places));
  if (narrow?.allow.length === 0) return { is: "deny", because: "the agent has it for its own memory only" };
  if (narrow) return { is: "deny", because: `its definition gives it only ${narrow.allow.map(ruleText).join(", ")}` };
  const exact = rules.allow.find((rule) => isExact(rule, tool, reach));
  if (exact) return { is: "allow", because: `the rule ${ruleText(exact)} allows it` };
  if (question.outcomeUnknown) return ask("the same call was interrupted before and may already have had its effect");
  const asked = rules.ask.find(meant);
  if (asked) return ask(`the rule ${ruleText(asked)} asks`);
  if (reach.length > 0 && reach.every((one) => one.may === "spawn"))
    return { is: "allow", because: "what a child does is judged when it does it" };
  if (reach.every((one) => one.may === "read")) return { is: "allow", because: "it only reads the workspace" };
  const [run] = reach;
  const obeyed = changesObeyed(reach, { own: question.own ?? [], roots: question.roots });
  if (obeyed !== undefined && whatWrites(reach, about) !== undefined)
    return ask(`${obeyed} is what Sous or git obeys: changing it needs a yes to exactly this`);
  if (run?.may === "run" && reach.length === 1) {
    const hidden = rules.deny.some((rule) => rule.tool === "Read");
    const readOnlyIn = { roots: rootsFor("read", question), hidden, ...about };
    const granted = { rules: forTool(grants?.now() ?? [], tool), roots: question.roots, operands: run.operands ?? {} };
    const cover = { rules: forTool(rules.allow, tool), grants: granted, readOnlyIn };
    const left = uncovered(run, cover);
    // In yolo it may read everything, and still it only reads.
    const onlyReads = left !== undefined && question.mode === "yolo" && question.readOnly !== undefined;
    if (left !== undefined && !onlyReads) return askByMode(left, cover);
    const wide = { rules: [], readOnlyIn: { roots: ["/"], ...about } };
    const as = runOf(reach, (one) => runAs(one, onlyReads ? wide : cover, guarded));
    if (onlyReads) return { ...yolo, ...as };
    return { is: "allow", because: "rules cover it, or it only reads the workspace", ...as };
  }
  const allowed = rules.allow.find((rule) => allows(rule, tool, reach, places));
  if (allowed) return { is: "allow", because: `the rule ${ruleText(allowed)} allows it` };
  const granted = grants?.now().find((rule) => allows(rule, tool, reach, places));
  if (granted) return { is: "allow", because: `you always allow ${ruleText(granted)} in this project` };
  return askByMode(`the mode is ${question.mode}`, { rules: [] });
}

/** Whether a rule reaches a call, in the agent's folder or in the one that it is a copy of. */
export function meantBy({ tool, reach, places, copyOf }: Pick<Question, "tool" | "reach" | "places" | "copyOf">) {
  const original = copyOf && inSource(reach, copyOf);
  return (rule: Rule): boolean =>
    denies(rule, tool, reach, places) || (original !== undefined && denies(rule, tool, original, places));
}

/** As a person is asked, and as it is kept: a command by its words, which its reading can be made from again. */
export const asAsked = (reach: Reach): Reach =>
  reach.may === "run" ? { may: reach.may, command: reach.command } : reach;

/** What in a reach does not certainly only read, as the end of a sentence; undefined when all of it does. */
function whatWrites(
  reach: readonly Reach[],
  about: Pick<NonNullable<Cover["readOnlyIn"]>, "trusted" | "repository">,
): string | undefined {
  for (const one of reach) {
    if (one.may === "write") return "";
    if (one.may === "act") return ", and what this tool does is not known";
    // Where it reads is another question.
    const left = one.may === "run" && uncovered(one, { rules: [], readOnlyIn: { roots: ["/"], ...about } });
    if (typeof left === "string") return `, and it is not certain that this only reads: ${left}`;
  }
  return undefined;
}

/** The same reach in the folder that was copied. */
function inSource(reach: readonly Reach[], { root, source }: NonNullable<Question["copyOf"]>): Reach[] {
  const mapped = (path: string): string => (isInside(root, path) ? `${source}${path.slice(root.length)}` : path);
  return reach.map((one) => {
    if (isFile(one)) return { ...one, path: mapped(one.path), ...(one.asked && { asked: mapped(one.asked) }) };
    if (one.may !== "run") return one;
    const { reads = [], below = [], named = [], writes = [] } = one;
    return {
      ...{ ...one, reads: reads.map(mapped), below: below.map(mapped) },
      ...{ named: named.map(mapped), writes: writes.map(mapped) },
    };
  });
}

function deniedBecause(rule: Rule, { tool, reach: [run] }: Question): string {
  const reason = run?.may === "run" ? whyUnread(run, rule) : undefined;
  if (reason !== undefined)
    return `the rule ${ruleText(rule)} may deny a part of it, which cannot be told: ${reason}; write it as short, plain commands`;
  const what = tool === "Bash" && rule.tool === "Read" ? "a file that it may read (Grep leaves such files out)" : "it";
  return `the rule ${ruleText(rule)} denies ${what}`;
}

function runOf(
  [run]: readonly Reach[],
  how: (run: Extract<Reach, { may: "run" }>) => RunAs | undefined,
): { readonly run?: RunAs } {
  const as = run?.may === "run" ? how(run) : undefined;
  return as ? { run: as } : {};
}

const everyTime = (): Always => ({ not: "this asks every time" });

const yolo: Verdict = { is: "allow", because: "the mode is yolo" };

/** What an agent with a memory is given for that one file, whatever else it may do. */
export const MEMORY_TOOLS: readonly string[] = ["Read", "Write", "Edit"];

const rootsFor = (may: Reach["may"], { roots, beyond }: Question): readonly string[] =>
  beyond ? [...roots, ...beyond.write, ...(may === "read" ? beyond.read : [])] : roots;

/** Whether one rule allows the call; a command may be covered by several, part by part. */
function covered(rules: readonly Rule[], tool: string, reach: readonly Reach[], places: Places): boolean {
  const [run] = reach;
  if (run?.may === "run" && reach.length === 1) return uncovered(run, { rules: forTool(rules, tool) }) === undefined;
  return rules.some((rule) => allows(rule, tool, reach, places));
}

const forTool = (rules: readonly Rule[], tool: string): Rule[] => rules.filter((rule) => rule.tool === tool);

const isFile = (reach: Reach): reach is Extract<Reach, { path: string }> =>
  reach.may === "read" || reach.may === "write";

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
