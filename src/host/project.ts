// A folder as a run finds it: whose project it is, whether that is trusted, and what its files then set and say.
import { join, relative } from "node:path";
import { projectConfigFile, readProjectConfig, settingsOf, type Config, type Settings } from "./config.ts";
import { claudeHooks, claudeSettingsFiles } from "./config/claude-hooks.ts";
import { type HookSet, joinSets } from "../core/hooks/hook-set.ts";
import { type Trust, projectRoot, trustIn } from "./config/trust.ts";
import { isThere } from "./is-there.ts";
import { instructionFiles, instructionsFor } from "./instructions.ts";

export type Project = {
  readonly root: string;
  readonly trusted: boolean;
  readonly settings: Settings;
  readonly instructions: string;
  /** The person's own, and the project's where it is trusted. */
  readonly hooks: HookSet;
  /** Sentences for the person. */
  readonly notices: readonly string[];
};

export type ProjectOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDir: string;
  readonly config: Config;
  /** The person trusts it for now. */
  readonly trust: boolean;
};

/** `cwd` is a real path. Of a project that is not trusted only names are looked at. */
export function openProject(cwd: string, { env, stateDir, config, trust }: ProjectOptions): Project {
  const root = projectRoot(cwd, env["HOME"]);
  const known = trustIn(stateDir, root, cwd);
  const trusted = trust || known.is === "trusted";
  const { text, notices } = instructionsFor(env, cwd, trusted ? root : undefined);
  const settings = settingsOf(config, trusted ? readProjectConfig(root) : {}, env);
  const claude = trusted ? claudeHooks(root) : { set: {}, notices: [] };
  return {
    root,
    trusted,
    settings,
    instructions: text,
    hooks: joinSets([settings.hooks, claude.set]),
    notices: [...notices, ...claude.notices, ...(trusted ? [] : ignored(cwd, root, known))],
  };
}

/** What would count if the project were trusted. */
export function projectFiles(cwd: string, root: string): string[] {
  const config = projectConfigFile(root);
  const found = [config, ...claudeSettingsFiles(root)].filter(isThere);
  const agents = [".claude", ".sous"].map((name) => join(root, name, "agents")).filter(isThere);
  return [...found, ...instructionFiles(cwd, root), ...agents].map((path) => relative(root, path));
}

function ignored(cwd: string, root: string, known: Trust): string[] {
  if (known.is === "changed") {
    const changed = known.differences.map((one) => one.path).slice(0, 5);
    return [
      `${root} has changed since you trusted it (${changed.join(", ")}), so its configuration is ignored: sous trust shows the difference and asks, --trust is for once`,
    ];
  }
  const files = projectFiles(cwd, root);
  if (files.length === 0) return [];
  const shown = files.length > 3 ? [...files.slice(0, 3), `${files.length - 3} more`] : files;
  return [`${root} is not trusted, so these are ignored: ${shown.join(", ")} (sous trust, or --trust for once)`];
}
