// Opens the agents that somebody who works in a folder has: built-ins, flags, configuration, plugins, files.
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { definitionFiles } from "../adapters/definitions/definition-files.ts";
import { builtIns } from "../core/agents/built-ins.ts";
import type { Draft } from "../core/agents/draft.ts";
import { parseJson, readProfiles } from "../core/agents/read-profile.ts";
import { isObject } from "../core/json.ts";
import { type DefinitionPlace, type Registry, createRegistry } from "../engine/agents/registry.ts";
import { holdChanged } from "./agents/hold-changed.ts";
import { CONFIG_ORDER, definitionPlaces } from "./agents/places.ts";
import { projectConfigFile } from "./config.ts";
import { ownConfigFile } from "./config/places.ts";
import { projectRoot, trustedText } from "./config/trust.ts";
import { docsFolder } from "./docs-folder.ts";
import { HostError } from "./host-error.ts";
import { realFolder } from "./real-folder.ts";

export type { Registry, RegistrySnapshot } from "../engine/agents/registry.ts";

export type AgentsOptions = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the person trusts the project that the folder belongs to: else nothing of it is read. */
  readonly trusted: boolean;
  /** Where trust is kept: for a tree that runs, what its project's files may do then changes only by a person. */
  readonly stateDir?: string;
  /** Why files of the project do not count now, by their paths. */
  readonly heldBack?: ReadonlyMap<string, string>;
  /** `--agents JSON` */
  readonly agentsJson?: string;
  /** `--agent-type NAME=FILE` */
  readonly agentTypes?: readonly string[];
  /** `agents: {…}` of configurations; the project's only where it is trusted. */
  readonly profiles?: { readonly user?: unknown; readonly project?: unknown };
  /** Of the program that embeds us: nothing stands above them. */
  readonly own?: readonly Draft[];
  /** The person's configuration, where a flag names it. */
  readonly configFile?: string;
  /** The folder of Sous's own documentation; left out, the one that was shipped with it. */
  readonly docs?: string;
};

export async function openAgents(options: AgentsOptions): Promise<Registry> {
  const cwd = await realFolder(options.cwd);
  const home = options.env["HOME"];
  const { user, project } = options.profiles ?? {};
  const { stateDir } = options;
  const root = projectRoot(cwd, home);
  return createRegistry({
    files: definitionFiles,
    fixed: [
      ...builtIns({ docs: options.docs ?? docsFolder(), config: ownConfigFile(options.env) }),
      ...configured(user, 20, options.configFile ?? ownConfigFile(options.env)),
      ...(options.trusted ? configured(project, 30, projectConfigFile(root)) : []),
      ...fromFlag(options.agentsJson),
      ...(options.own ?? []),
    ],
    places: [
      ...(await Promise.all((options.agentTypes ?? []).map((word, order) => agentType(word, order, cwd)))),
      ...definitionPlaces({ cwd, env: options.env, trusted: options.trusted }),
    ],
    vet: holdChanged({
      root,
      heldBack: options.heldBack ?? new Map(),
      trustedText: (path) => (stateDir === undefined ? undefined : trustedText(stateDir, root, path)),
      ...(stateDir === undefined && { always: true }),
    }),
    ...(home && { plugins: { folder: join(home, ".claude", "plugins"), cwd } }),
  });
}

function configured(profiles: unknown, priority: 20 | 30, file: string): readonly Draft[] {
  if (profiles === undefined) return [];
  if (!isObject(profiles)) throw new HostError("agents in the configuration is not a map of names to profiles");
  return readProfiles(profiles, { kind: "profile", priority, order: CONFIG_ORDER, file });
}

function fromFlag(text: string | undefined): readonly Draft[] {
  if (text === undefined) return [];
  const parsed = parseJson(text);
  if ("problem" in parsed) throw new HostError(`--agents: ${parsed.problem}`);
  if (!isObject(parsed.value))
    throw new HostError(`--agents needs a JSON object: {"name": {"description": …, "prompt": …}}`);
  for (const [name, value] of Object.entries(parsed.value)) mustSay(name, value);
  return readProfiles(parsed.value, { kind: "cli-json", priority: 100 });
}

/** In files a number is read as the words it is written with; here somebody made a mistake just now. */
function mustSay(name: string, value: unknown): void {
  if (!isObject(value)) throw new HostError(`--agents: ${name} is not a JSON object`);
  for (const key of ["description", "prompt"])
    if (value[key] !== undefined && typeof value[key] !== "string")
      throw new HostError(`--agents: the ${key} of ${name} is not text`);
}

async function agentType(word: string, order: number, cwd: string): Promise<DefinitionPlace> {
  const at = word.indexOf("=");
  const [name, file] = [word.slice(0, at).trim(), word.slice(at + 1).trim()];
  if (at <= 0 || name === "" || file === "") throw new HostError(`--agent-type needs NAME=FILE; got "${word}"`);
  const path = resolve(cwd, file);
  await access(path).catch(() => {
    throw new HostError(`--agent-type ${name}: the file ${path} cannot be read`);
  });
  return { path, name, endings: [".md", ".json"], source: { kind: "agent-type", priority: 5, order } };
}
