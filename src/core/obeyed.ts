// What Sous and git obey: configuration, settings, agents, hooks. An agent that could change it would give itself rights,
// so that no mode and no rule for its kind allows it: only a person who is asked for exactly that. Pure.
import type { Reach } from "./permissions.ts";
import { foldedParts } from "./rules.ts";

/** `own` are the person's own folders of configuration and state, the roots what the agent was given to work in. */
export type Obeyed = { readonly own: readonly string[]; readonly roots: readonly string[] };

/** The path in a call that would change it, or undefined. */
export function changesObeyed(reach: readonly Reach[], obeyed: Obeyed): string | undefined {
  for (const one of reach) {
    if (one.may === "write" && isObeyed(one.path, obeyed)) return one.path;
    const named = one.may === "run" ? namedIn(one.command, obeyed) : undefined;
    if (named !== undefined) return named;
  }
  return undefined;
}

function isObeyed(path: string, { own, roots }: Obeyed): boolean {
  if (!isGiven(path, { own, roots }) && own.some((folder) => isInside(folder, path))) return true;
  const given = roots.filter((root) => isInside(root, path)).map((root) => root.length);
  const parts = foldedParts(path.slice(Math.max(0, ...given)));
  return parts.includes(".git") || parts.at(-1) === ".claude" || isObeyedName(parts);
}

/** A root in our own state is one that we have given to the agent: its copy, its artifacts. */
const isGiven = (path: string, { own, roots }: Obeyed): boolean =>
  roots.some((root) => isInside(root, path) && own.some((folder) => isInside(folder, root)));

function isObeyedName(parts: readonly string[]): boolean {
  return parts.some((part, at) => {
    const next = parts[at + 1] ?? "";
    if (part === ".git") return GIT.test(next);
    return part === ".sous" || part === ".mcp.json" || (part === ".claude" && CLAUDE.test(next));
  });
}

const GIT = /^(hooks|config|config\.worktree|info|modules|worktrees)$/;
const CLAUDE = /^(settings(\.local)?\.json|agents|commands|hooks)$/;

/** As far as words tell: a command can put a name together in ways that no reading finds. */
function namedIn(command: string, obeyed: Obeyed): string | undefined {
  const words = command.replace(/["'\\]/g, "").split(/[\s=<>|;&(){}`,:]+/);
  const isOwn = (word: string): boolean =>
    obeyed.own.some((folder) => word.startsWith(folder)) && (word.includes("..") || !isGiven(word, obeyed));
  return words.find((word) => isObeyedName(foldedParts(word)) || isOwn(word));
}

const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
