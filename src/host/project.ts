// A folder as a run finds it: whose project it is, whether that is trusted, and what its files then set and say.
import { join, relative } from "node:path";
import {
  projectConfigFile,
  readProjectConfig,
  settingsOf,
  type Config,
  type ProjectConfig,
  type Settings,
} from "./config.ts";
import { scriptsOf } from "./config/acting-files.ts";
import { countedFiles, isHeld } from "./config/counted-files.ts";
import { claudeHooks, claudeSettingsFiles } from "./config/claude-hooks.ts";
import { type HookHandler, type HookSet, joinSets } from "../core/hooks/hook-set.ts";
import { type Rules, noRules } from "../core/rules.ts";
import { type Difference, projectRoot, trustIn } from "./config/trust.ts";
import { deniedReading } from "./denied-reading.ts";
import { keysRule } from "./keys-denied.ts";
import { isThere } from "./is-there.ts";
import { instructionFiles, instructionsFor } from "./instructions.ts";
import { type ScriptWatch, watchScripts } from "./script-watch.ts";

export type Project = {
  readonly root: string;
  readonly trusted: boolean;
  readonly settings: Settings;
  readonly instructions: string;
  /** The person's own, and the project's where it is trusted. */
  readonly hooks: HookSet;
  /** Why a file of a trusted project does not count now, by its path. */
  readonly heldBack: ReadonlyMap<string, string>;
  /** The scripts that its hooks and agents name. */
  readonly scripts: ScriptWatch;
  /** Sentences for the person. */
  readonly notices: readonly string[];
};

export type ProjectOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir: string;
  readonly config: Config;
  /** The person trusts it for now. */
  readonly trust: boolean;
  /** Besides those of the configurations. */
  readonly rules?: Rules;
};

/** `cwd` is a real path. Of a project that is not trusted only names are looked at. */
export function openProject(cwd: string, { env, stateDir, config, trust, rules = noRules }: ProjectOptions): Project {
  const root = projectRoot(cwd, env["HOME"]);
  const known = trustIn(stateDir, root, cwd);
  const trusted = trust || known.is !== "not trusted";
  const { acting, held, differences } = countedFiles(known, root, cwd, trust);
  const settings = settingsOf(config, { ...readProjectConfig(root, acting), ...stillDenied(root, differences) }, env);
  const denied = deniedReading([keysRule(env), ...settings.rules.deny, ...rules.deny], {
    cwd,
    home: env["HOME"] ?? "/",
  });
  const { text, notices } = instructionsFor(env, cwd, trusted ? root : undefined, (real, asked) =>
    isHeld(held, relative(root, real)) ? "has changed since you trusted it" : denied(real, asked),
  );
  const claude = claudeHooks(root, acting);
  const hooks = withoutHeldScripts(joinSets([settings.hooks, claude.set]), root, cwd, held);
  return {
    root,
    trusted,
    settings,
    instructions: text,
    hooks,
    heldBack: new Map([...held].map(([path, reason]) => [join(root, path), reason])),
    scripts: watchScripts(root, cwd, acting, hooks),
    notices: [
      ...notices.filter((words) => !words.includes("has changed since you trusted it")),
      ...claude.notices,
      ...changedNotice(root, held),
      ...(trusted ? [] : ignored(cwd, root)),
    ],
  };
}

/** What a configuration denied or asked for when it was trusted holds on while its change is held back. */
function stillDenied(root: string, differences: readonly Difference[]): Pick<ProjectConfig, "permissions"> {
  const was = differences.find(({ path }) => path === ".sous/config.json")?.was;
  if (was === undefined) return {};
  try {
    const { permissions = {} } = readProjectConfig(root, { ".sous/config.json": { mark: was, text: was } });
    const { ask, deny } = permissions;
    return { permissions: { ...(ask && { ask }), ...(deny && { deny }) } };
  } catch {
    return {};
  }
}

/** Hooks that run a script which has changed are left out, and the others stay. */
function withoutHeldScripts(hooks: HookSet, root: string, cwd: string, held: ReadonlyMap<string, string>): HookSet {
  if (held.size === 0) return hooks;
  const runs = ({ run }: HookHandler): boolean =>
    run.kind !== "command" ||
    !scriptsOf(run.command, root, [root, cwd]).some(({ path }) => isHeld(held, relative(root, path)));
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      groups
        .map((group) => ({ ...group, handlers: group.handlers.filter(runs) }))
        .filter(({ handlers }) => handlers.length > 0),
    ]),
  );
}

const MOST_NAMED = 5;

function changedNotice(root: string, held: ReadonlyMap<string, string>): string[] {
  if (held.size === 0) return [];
  const reasons = [...held.values()];
  const shown =
    reasons.length > MOST_NAMED ? [...reasons.slice(0, MOST_NAMED), `${reasons.length - MOST_NAMED} more`] : reasons;
  return [
    `since you trusted ${root}: ${shown.join(", ")}. This does not count until you accept it: sous trust shows the difference and asks, --trust is for once. All else counts as before`,
  ];
}

/** What would count if the project were trusted. */
export function projectFiles(cwd: string, root: string): string[] {
  const config = projectConfigFile(root);
  const found = [config, ...claudeSettingsFiles(root)].filter(isThere);
  const agents = [".claude", ".sous"].map((name) => join(root, name, "agents")).filter(isThere);
  return [...found, ...instructionFiles(cwd, root), ...agents].map((path) => relative(root, path));
}

function ignored(cwd: string, root: string): string[] {
  const files = projectFiles(cwd, root);
  if (files.length === 0) return [];
  const shown = files.length > 3 ? [...files.slice(0, 3), `${files.length - 3} more`] : files;
  return [`${root} is not trusted, so these are ignored: ${shown.join(", ")} (sous trust, or --trust for once)`];
}
