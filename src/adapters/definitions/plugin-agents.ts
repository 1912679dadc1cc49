// Finds what Claude Code's installed plugins bring. Two layouts: `plugins/<plugin>/agents`, and
// `plugins/cache/<marketplace>/<plugin>/<version>/` with `installed_plugins.json` saying which version counts.
import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isObject } from "../../core/json.ts";
import type { PluginAgents } from "../../ports/definition-files.ts";
import { isInside, realPlace } from "./list-definitions.ts";
import { readDefinitionFile } from "./read-definition-file.ts";

const NOT_PLUGINS = new Set(["cache", "marketplaces", "repos", "data"]);

export async function pluginAgents(folder: string, cwd: string): Promise<readonly PluginAgents[]> {
  const real = await realPlace(folder);
  if (real === undefined) return [];
  const off = await switchedOff(join(dirname(folder), "settings.json"));
  const beside = (await folders(real))
    .filter((name) => !NOT_PLUGINS.has(name))
    .map((name) => ({ id: name, root: join(real, name) }));
  const roots = [...beside, ...((await installed(real, cwd)) ?? (await newest(join(real, "cache"))))];
  const found = await Promise.all(roots.filter(({ id }) => !off.has(id)).map(({ id, root }) => agentsOf(id, root)));
  return found.filter((plugin) => plugin !== undefined);
}

type Root = { readonly id: string; readonly root: string };

/** undefined where no list says what is installed. */
async function installed(folder: string, cwd: string): Promise<Root[] | undefined> {
  const list = await json(join(folder, "installed_plugins.json"));
  if (!isObject(list?.["plugins"])) return undefined;
  return Object.entries(list["plugins"]).flatMap(([id, entries]) => {
    const here = (Array.isArray(entries) ? entries : [entries]).filter(isObject).findLast((entry) => {
      const project = entry["projectPath"];
      return typeof entry["installPath"] === "string" && (typeof project !== "string" || isInside(project, cwd));
    });
    const path = here?.["installPath"];
    return typeof path === "string" ? [{ id, root: resolve(path.replace(/^~(?=\/)/, dirname(dirname(folder)))) }] : [];
  });
}

async function newest(cache: string): Promise<Root[]> {
  const roots: Root[] = [];
  for (const market of await folders(cache))
    for (const plugin of await folders(join(cache, market))) {
      const versions = (await folders(join(cache, market, plugin))).toSorted(byVersion);
      const last = versions.at(-1);
      if (last !== undefined) roots.push({ id: `${plugin}@${market}`, root: join(cache, market, plugin, last) });
    }
  return roots;
}

const byVersion = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/** The manifest's `agents` replaces the folder of that name; nothing outside the plugin counts. */
async function agentsOf(id: string, root: string): Promise<PluginAgents | undefined> {
  const manifest = await json(join(root, ".claude-plugin", "plugin.json"));
  const named = typeof manifest?.["name"] === "string" ? manifest["name"] : (id.split("@")[0] ?? id);
  const given = manifest?.["agents"] ?? "agents";
  const wanted = (Array.isArray(given) ? given : [given]).filter((path) => typeof path === "string");
  const paths = wanted.map((path) => resolve(root, path)).filter((path) => isInside(root, path));
  const there = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return there.includes(true) ? { plugin: named.replaceAll(":", "-"), root, paths } : undefined;
}

async function switchedOff(settings: string): Promise<ReadonlySet<string>> {
  const plugins = (await json(settings))?.["enabledPlugins"];
  return new Set(isObject(plugins) ? Object.keys(plugins).filter((id) => plugins[id] === false) : []);
}

async function json(file: string): Promise<Record<string, unknown> | undefined> {
  const read = await readDefinitionFile(file);
  if ("problem" in read) return undefined;
  try {
    const value: unknown = JSON.parse(read.text.replace(/^\ufeff/, ""));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function folders(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
