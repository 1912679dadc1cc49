// Reads definition files and keeps what came of each until the file changes. YAML is loaded with the first file that
// needs it.
import type { FileReading } from "../../core/agents/draft.ts";
import { needsYaml, readDefinition } from "../../core/agents/read-definition.ts";
import { readProfile } from "../../core/agents/read-profile.ts";
import { type YamlReader, loadYaml } from "../../core/agents/yaml.ts";
import type { DefinitionFiles } from "../../ports/definition-files.ts";
import type { FileAt } from "./find-files.ts";

export type ReadFile = { readonly file: FileAt; readonly reading: FileReading };

const AT_ONCE = 32;

export function createFileReader(files: DefinitionFiles): (wanted: readonly FileAt[]) => Promise<readonly ReadFile[]> {
  let kept = new Map<string, ReadFile>();
  let yaml: Promise<YamlReader> | undefined;

  async function readOne(file: FileAt): Promise<ReadFile> {
    const before = kept.get(keyOf(file));
    if (before?.file.stamp === file.stamp) return before;
    const content = await files.read(file.path);
    if ("problem" in content)
      return {
        file,
        reading: { skipped: "broken", problems: [{ line: 1, message: content.problem, severity: "error" }] },
      };
    return { file, reading: renamed(await readText(content.text, file), file) };
  }

  async function readText(text: string, file: FileAt): Promise<FileReading> {
    if (file.path.toLowerCase().endsWith(".json")) return readProfile(text, asProfile(file));
    return readDefinition(text, file.source, needsYaml(text) ? await (yaml ??= loadYaml()) : undefined);
  }

  return async (wanted) => {
    const read: ReadFile[] = [];
    for (let from = 0; from < wanted.length; from += AT_ONCE)
      read.push(...(await Promise.all(wanted.slice(from, from + AT_ONCE).map(readOne))));
    kept = new Map(read.map((one) => [keyOf(one.file), one]));
    return read;
  };
}

/** One file may be read for two places. */
const keyOf = ({ path, source, name }: FileAt): string =>
  `${source.kind}:${source.priority}:${source.order ?? 0}:${name ?? ""}:${path}`;

/** A profile in a person's or a project's folder; one that a flag names is that flag's. */
const asProfile = ({ source }: FileAt): FileAt["source"] =>
  source.kind === "user" || source.kind === "project" ? { ...source, kind: "profile" } : source;

function renamed(reading: FileReading, { name }: FileAt): FileReading {
  return name === undefined || !("draft" in reading) ? reading : { draft: { ...reading.draft, name } };
}
