// The agents there are, read again when their files have changed. A snapshot never changes: who runs keeps what it
// began with, who is spawned next gets what the files say now.
import { type Assembled, assemble } from "../../core/agents/assemble.ts";
import { idleKeys } from "../../core/agents/idle-keys.ts";
import { lookupKey } from "../../core/agents/agent-names.ts";
import { createFileReader } from "./file-reader.ts";
import { findFiles } from "./find-files.ts";
import type { FileProblem, RegistryOptions } from "./registry-options.ts";

export type { DefinitionPlace, FileProblem, RegistryOptions } from "./registry-options.ts";

export type RegistrySnapshot = Assembled & {
  /** All that is wrong with any file, whether it became an agent or not. */
  readonly problems: readonly FileProblem[];
  /** What was left out on purpose, for people. */
  readonly notices: readonly string[];
  /** Why what a file says now of an agent of this name does not count. */
  heldBack(name: string): string | undefined;
};

export type Registry = { snapshot(): Promise<RegistrySnapshot> };

export function createRegistry(options: RegistryOptions): Registry {
  const read = createFileReader(options.files);
  let last: { readonly mark: string; readonly snapshot: RegistrySnapshot; readonly holds: boolean } | undefined;
  let running: Promise<RegistrySnapshot> | undefined;
  let next: Promise<RegistrySnapshot> | undefined;

  async function look(): Promise<RegistrySnapshot> {
    const found = await findFiles(options);
    const mark = JSON.stringify([found.files.map(({ path, stamp }) => [path, stamp]), found.problems, found.notices]);
    // What is held back may be let go without any file changing.
    if (last?.mark === mark && !last.holds) return last.snapshot;
    const { built, holds } = await build(found);
    last = { mark, snapshot: built, holds };
    return built;
  }

  async function build({ files, problems, notices }: Awaited<ReturnType<typeof findFiles>>) {
    const readings = await read(files);
    const found = readings.flatMap(({ reading }) => ("draft" in reading ? [reading.draft] : []));
    const skipped = readings.flatMap(({ file, reading }) =>
      "draft" in reading ? [] : reading.problems.map((problem) => ({ ...problem, file: file.path })),
    );
    const { drafts, held } = (await options.vet?.(found, options.fixed)) ?? {
      drafts: found,
      held: new Map<string, string>(),
    };
    const assembled = assemble([...options.fixed, ...drafts]);
    const told = assembled.definitions.flatMap((one) => [one, ...assembled.shadowedBy(one)]);
    const names = assembled.definitions.map(({ name }) => name);
    const inFiles = told.flatMap(({ problems: own, source }) =>
      source.file === undefined ? [] : own.map((problem) => ({ ...problem, file: source.file ?? "" })),
    );
    const idle = assembled.definitions.flatMap((one) => {
      const { file } = one.source;
      return file === undefined ? [] : idleKeys(one, assembled.find, names).map((problem) => ({ ...problem, file }));
    });
    const built: RegistrySnapshot = {
      ...assembled,
      problems: [...problems, ...skipped, ...inFiles, ...idle],
      notices: [...notices, ...held.values()],
      heldBack: (name) => held.get(lookupKey(assembled.find(name)?.name ?? name)),
    };
    return { built, holds: held.size > 0 };
  }

  function snapshot(): Promise<RegistrySnapshot> {
    if (!running) return (running = look().finally(() => (running = undefined)));
    // Whoever asks while one looks may know of a newer change: all of them share the look that comes after.
    return (next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return snapshot();
      }));
  }
  return { snapshot };
}
