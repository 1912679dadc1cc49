// Imports other tools' agent files: reads them, and writes ours where nothing stands yet.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { definitionFiles } from "../../adapters/definitions/definition-files.ts";
import { lookupKey } from "../../core/agents/agent-names.ts";
import { type ImportFormat, importMarkdown, importToml } from "../../core/agents/imports/import-agent.ts";
import type { Imported } from "../../core/agents/imports/imported.ts";
import { type TomlReader, loadToml } from "../../core/agents/imports/toml.ts";
import { loadYaml } from "../../core/agents/yaml.ts";
import { HostError } from "../host-error.ts";

export type ImportWishes = {
  readonly cwd: string;
  readonly to: string;
  readonly dryRun: boolean;
  readonly from?: ImportFormat;
};

export type ImportedFile = {
  readonly file: string;
  readonly name?: string;
  /** Where it was written, or would be. */
  readonly to?: string;
  readonly markdown?: string;
  readonly told: readonly string[];
  readonly skipped?: string;
};

export async function importAgents(paths: readonly string[], wishes: ImportWishes): Promise<readonly ImportedFile[]> {
  const done: ImportedFile[] = [];
  const taken = new Set<string>();
  for (const path of paths.map((one) => resolve(wishes.cwd, one))) {
    const listing = await definitionFiles.list({ path, endings: [".md", ".toml"] });
    if (!listing.exists) throw new HostError(`${path} does not exist`);
    for (const file of listing.files)
      for (const one of await importFile(file.path, wishes.from)) done.push(await write(file.path, one, wishes, taken));
  }
  return done;
}

async function importFile(file: string, from: ImportFormat | undefined): Promise<readonly Imported[]> {
  const content = await definitionFiles.read(file);
  if ("problem" in content) return [{ skipped: content.problem }];
  if (!file.toLowerCase().endsWith(".toml")) return [importMarkdown(file, content.text, await loadYaml(), from)];
  const toml = await loadToml();
  const parsed = toml(content.text);
  if (isProblem(parsed)) return [{ skipped: `it is not TOML (line ${parsed.line}): ${parsed.problem}` }];
  const others = await readOthers(file, parsed, toml);
  return importToml(file, parsed, (path) => others.get(path));
}

/** The files that roles of a configuration name. */
async function readOthers(file: string, parsed: Record<string, unknown>, toml: TomlReader) {
  const tables = Object.values((parsed["agents"] as Record<string, unknown> | undefined) ?? {});
  const paths = tables
    .map((table) => (table as { config_file?: unknown } | null)?.config_file)
    .filter((path) => typeof path === "string");
  const read = await Promise.all(
    paths.map(async (path) => {
      const content = await definitionFiles.read(resolve(dirname(file), path));
      const value = "problem" in content ? undefined : toml(content.text);
      return [path, value && isProblem(value) ? undefined : value] as const;
    }),
  );
  return new Map(read);
}

const isProblem = (value: ReturnType<TomlReader>): value is { problem: string; line: number } =>
  typeof value["problem"] === "string" && typeof value["line"] === "number";

async function write(file: string, one: Imported, wishes: ImportWishes, taken: Set<string>): Promise<ImportedFile> {
  if ("skipped" in one) return { file, told: [], skipped: one.skipped };
  const { name, markdown, told } = one;
  const to = join(resolve(wishes.cwd, wishes.to), `${name.replaceAll(" ", "-").toLowerCase()}.md`);
  const described = { file, name, to, markdown, told };
  if (taken.has(lookupKey(name))) return { ...described, skipped: `another imported file has the name ${name}` };
  taken.add(lookupKey(name));
  if (wishes.dryRun) return described;
  await mkdir(dirname(to), { recursive: true });
  try {
    await writeFile(to, markdown, { flag: "wx" });
    return described;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return { ...described, skipped: `${to} is there already: remove it, or import with --to another folder` };
  }
}
