// What is configured, read here and turned into values; nothing below the host sees it. Stronger over weaker:
// flags, SOUS_… variables, a trusted project's .sous/config.json, the person's own file.
import { join } from "node:path";
import type { Mode } from "../core/events.ts";
import { type HookSet, joinSets } from "../core/hooks/hook-set.ts";
import { readHooks } from "../core/hooks/read-hooks.ts";
import { type Rule, type Rules, joinRules, parseRule } from "../core/rules.ts";
import { configProblem } from "./config/check-config.ts";
import { configFile } from "./config/places.ts";
import { type ActingFiles, fileOf } from "./config/acting-files.ts";
import { readJsonFile } from "./config/read-json-file.ts";
import { Config, ProjectConfig } from "./config/schema.ts";
import { HostError } from "./host-error.ts";

export { configFile } from "./config/places.ts";
export { Config, ProjectConfig } from "./config/schema.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** `given` was named by the person and must exist; the default place may be empty. */
export function readConfig(env: Env, given: string | undefined): Config {
  const named = given ?? (env["SOUS_CONFIG"] || undefined);
  const path = named ?? configFile(env);
  const file = readJsonFile(path, { follow: true });
  if (file.is === "missing" && named === undefined) return {};
  const mend = "mend it or name another with --config";
  if (file.is === "missing")
    throw new HostError(`the configuration ${path} cannot be read: there is no such file; ${mend}`);
  if (file.is === "bad") throw new HostError(`the configuration ${path} ${file.why}: ${mend}`);
  return checkedConfig(file.value, path);
}

/** A configuration from a file, or from a program: `name` says which. */
export function checkedConfig(value: unknown, name: string): Config {
  const problem = configProblem(Config, value);
  if (problem) throw new HostError(`the configuration ${name} is wrong: ${problem}`);
  const config = value as Config;
  rulesOf(config, name);
  hooksOf(config, name);
  return config;
}

export const projectConfigFile = (root: string): string => join(root, ".sous", "config.json");

/** `acting` are the files of a trusted project that count. Links are not followed: they lead where their maker wants. */
export function readProjectConfig(root: string, acting: ActingFiles): ProjectConfig {
  const path = projectConfigFile(root);
  if (acting[".sous"])
    throw new HostError(`${join(root, ".sous")} is a symbolic link, which is not followed: remove it`);
  const found = acting[".sous/config.json"];
  if (!found) return {};
  const file = fileOf(found);
  if (file.is !== "read")
    throw new HostError(
      `the project's configuration ${path} ${file.is === "bad" ? file.why : "cannot be read"}: mend it`,
    );
  const personal = Object.keys(Object(file.value) as object).find(
    (key) => key in Config.properties && !(key in ProjectConfig.properties),
  );
  const problem = personal
    ? `"${personal}" counts only in your own configuration`
    : configProblem(ProjectConfig, file.value);
  if (problem) throw new HostError(`the project's configuration ${path} is wrong: ${problem}`);
  const config = file.value as ProjectConfig;
  if (config.mode === "yolo")
    throw new HostError(
      `the project's configuration ${path} is wrong: mode yolo is yours to say, with --mode or in your own configuration`,
    );
  rulesOf(config, path);
  hooksOf(config, path);
  return config;
}

export type Settings = Omit<ProjectConfig, "permissions" | "hooks" | "agents"> &
  Pick<Config, "approvals"> & {
    readonly rules: Rules;
    readonly hooks: HookSet;
    /** Profiles of agents, each over its own source's files. */
    readonly profiles: { readonly user?: unknown; readonly project?: unknown };
  };

export function settingsOf(own: Config, project: ProjectConfig, env: Env): Settings {
  const model = env["SOUS_MODEL"] || project.model || own.model;
  const mode = modeIn(env) ?? project.mode ?? own.mode;
  return {
    ...(model && { model }),
    ...(mode && { mode }),
    ...(own.approvals && { approvals: own.approvals }),
    aliases: { ...own.aliases, ...project.aliases },
    models: { ...own.models, ...project.models },
    limits: { ...own.limits, ...project.limits, model: { ...own.limits?.model, ...project.limits?.model } },
    rules: joinRules(rulesOf(own, ""), rulesOf(project, "")),
    hooks: joinSets([hooksOf(own, ""), hooksOf(project, "")]),
    profiles: { ...(own.agents && { user: own.agents }), ...(project.agents && { project: project.agents }) },
  };
}

function modeIn(env: Env): Mode | undefined {
  const mode = env["SOUS_MODE"] || undefined;
  if (mode === undefined || mode === "human" || mode === "confirm" || mode === "yolo") return mode;
  throw new HostError(`SOUS_MODE is one of human, confirm, yolo; got "${mode.slice(0, 40)}"`);
}

function hooksOf({ hooks }: ProjectConfig, path: string): HookSet {
  const { set, problems } = readHooks(hooks, "config");
  if (problems[0] !== undefined) throw new HostError(`the configuration ${path} is wrong: ${problems[0]}`);
  return set;
}

function rulesOf({ permissions = {} }: ProjectConfig, path: string): Rules {
  const parse = (kind: keyof Rules): Rule[] =>
    (permissions[kind] ?? []).map((value) => {
      const rule = parseRule(value);
      if (rule) return rule;
      throw new HostError(
        `the configuration ${path} is wrong: permissions.${kind} has the rule "${value.slice(0, 80)}"; a rule is a tool, or a tool with one use, such as Bash(npm test)`,
      );
    });
  return { allow: parse("allow"), ask: parse("ask"), deny: parse("deny") };
}
