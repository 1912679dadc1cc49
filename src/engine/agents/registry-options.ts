// What a registry is made of.
import type { DefinitionSource, Problem } from "../../core/agents/definition.ts";
import type { Draft } from "../../core/agents/draft.ts";
import type { DefinitionFiles } from "../../ports/definition-files.ts";

export type RegistryOptions = {
  readonly files: DefinitionFiles;
  /** Definitions that are no files: built-ins, flags, configuration. */
  readonly fixed: readonly Draft[];
  readonly places: readonly DefinitionPlace[];
  readonly plugins?: { readonly folder: string; readonly cwd: string };
  /** Decides which of what the files say counts; left out, all of it. */
  readonly vet?: Vet;
};

/** `fixed` is only to be known. */
export type Vet = (drafts: readonly Draft[], fixed: readonly Draft[]) => Promise<Vetted>;
/** `held`: by the key of an agent's name, why what its file says does not count. */
export type Vetted = { readonly drafts: readonly Draft[]; readonly held: ReadonlyMap<string, string> };

export type DefinitionPlace = {
  /** A folder with all below it, or one file. */
  readonly path: string;
  readonly source: Omit<DefinitionSource, "file" | "line">;
  readonly endings: readonly string[];
  readonly within?: string;
  /** No link leads to it: it counts only where its name says it stands. */
  readonly direct?: true;
  /** Belongs to a folder that the person has not trusted: nothing in it is read. */
  readonly untrusted?: boolean;
  /** The agent's name, whatever the file says. */
  readonly name?: string;
};

export type FileProblem = Problem & { readonly file: string };
