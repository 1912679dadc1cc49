// The verdict on one tool call from its declared reach, the mode and the person's rules. Pure.
// First form: what only reads inside the workspace is allowed; the rest asks; yolo resolves `ask` to allow.
import type { Mode } from "./events.ts";

/** What a call may touch, as the tool declares it. Paths are absolute and real. */
export type Reach =
  | { readonly may: "read"; readonly path: string }
  | { readonly may: "write"; readonly path: string }
  | { readonly may: "run"; readonly command: string };

export type Rule = { readonly tool: string; readonly exactly?: string };
export type Rules = { readonly allow: readonly Rule[]; readonly deny: readonly Rule[] };
export type Verdict =
  | { readonly is: "allow"; readonly because: string }
  | { readonly is: "deny"; readonly because: string }
  | { readonly is: "ask"; readonly because: string; readonly allowWith: string };

export type Question = {
  readonly tool: string;
  readonly reach: readonly Reach[];
  readonly roots: readonly string[];
  readonly mode: Mode;
  readonly rules: Rules;
  /** The same call was interrupted before: whether it had its effect is not known. */
  readonly outcomeUnknown: boolean;
};

export function judge(question: Question): Verdict {
  const { tool, reach, rules } = question;
  const denied = rules.deny.find((rule) => matches(rule, tool, reach));
  if (denied) return { is: "deny", because: `the rule ${ruleText(denied)} denies it` };
  const outside = reach.find((r) => r.may !== "run" && !question.roots.some((root) => isInside(root, r.path)));
  if (outside && outside.may !== "run") return { is: "deny", because: `${outside.path} is outside the workspace` };
  const exact = rules.allow.find((rule) => rule.exactly !== undefined && matches(rule, tool, reach));
  if (exact) return { is: "allow", because: `the rule ${ruleText(exact)} allows it` };
  if (question.outcomeUnknown)
    return {
      is: "ask",
      because: "the same call was interrupted before and may already have had its effect",
      allowWith: ruleText(exactRule(tool, reach)),
    };
  if (reach.every((r) => r.may === "read")) return { is: "allow", because: "it only reads the workspace" };
  const allowed = rules.allow.find((rule) => matches(rule, tool, reach));
  if (allowed) return { is: "allow", because: `the rule ${ruleText(allowed)} allows it` };
  if (question.mode === "yolo") return { is: "allow", because: "the mode is yolo" };
  return { is: "ask", because: `the mode is ${question.mode}`, allowWith: ruleText(exactRule(tool, reach)) };
}

/** `Bash` is the whole tool, `Bash(npm test)` exactly that command; undefined when it is neither. */
export function parseRule(value: string): Rule | undefined {
  const found = /^([A-Za-z][A-Za-z0-9_]*)(?:\(([\s\S]*)\))?$/.exec(value.trim());
  if (!found?.[1]) return undefined;
  return found[2] === undefined ? { tool: found[1] } : { tool: found[1], exactly: found[2] };
}

const ruleText = (rule: Rule): string => (rule.exactly === undefined ? rule.tool : `${rule.tool}(${rule.exactly})`);

function exactRule(tool: string, reach: readonly Reach[]): Rule {
  const first = reach[0];
  if (!first) return { tool };
  return { tool, exactly: first.may === "run" ? first.command : first.path };
}

function matches(rule: Rule, tool: string, reach: readonly Reach[]): boolean {
  if (rule.tool !== tool) return false;
  if (rule.exactly === undefined) return true;
  return reach.length > 0 && reach.every((r) => (r.may === "run" ? r.command : r.path) === rule.exactly);
}

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
