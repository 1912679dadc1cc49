// What Sous and git obey: configuration, settings, agents, hooks. An agent that could change it would give itself rights,
// so that no mode and no rule for its kind allows it: only a person who is asked for exactly that. Pure.
import type { Reach } from "./permissions.ts";
import { folded } from "./rules.ts";

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
  const inside = folded(path.slice(Math.max(0, ...given)));
  // A folder with a HEAD is one that git takes for a repository.
  return NAMES.test(inside) || /(^|\/)\.git(\/|$)|(^|\/)(\.claude|head)$/.test(inside);
}

/** A root in our own state is one that we have given to the agent: its copy, its artifacts. */
const isGiven = (path: string, { own, roots }: Obeyed): boolean =>
  roots.some((root) => isInside(root, path) && own.some((folder) => isInside(folder, root)));

/** In a path, or anywhere in a command without its quotes. `.git` alone is often named to be left out. */
const NAMES =
  /(?<![\w.-])(\.sous|\.mcp\.json|\.git\/[./]*(hooks|config|info|modules|worktrees)|\.claude\/[./]*(settings(\.local)?\.json|agents|commands|hooks))(?![\w-])/;

/** As far as words tell: a command can put a name together in ways that no reading finds. */
function namedIn(command: string, obeyed: Obeyed): string | undefined {
  const plain = command.replace(/["'\\]/g, "");
  const own = obeyed.own.filter((folder) => plain.includes(folder));
  const words = own.length > 0 ? plain.split(/[\s=<>|;&(){}`,:]+/) : [];
  const isOwn = (word: string): boolean =>
    own.some((folder) => word.includes(folder)) && (word.includes("..") || !isGiven(word, obeyed));
  return words.find(isOwn) ?? NAMES.exec(folded(plain))?.[0];
}

export const isInside = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`);
