// Where definitions of agents lie, as files. Nothing outside the folders that are asked for is ever read.
export type FoundFile = {
  readonly path: string;
  /** Changes whenever the file does. */
  readonly stamp: string;
};

export type DefinitionFolder = {
  /** A folder, searched with all below it, or one file. */
  readonly path: string;
  /** Endings of the files that count, as `.md`. */
  readonly endings: readonly string[];
  /** The real folder that it must lie in itself, where it comes with a project. */
  readonly within?: string;
  /** One that is reached by a link is not read. */
  readonly direct?: true;
};

export type FolderListing = {
  readonly exists: boolean;
  readonly files: readonly FoundFile[];
  /** What was left out, and why. */
  readonly problems: readonly { readonly file: string; readonly message: string }[];
};

/** What an installed plugin brings: folders and files with agents. */
export type PluginAgents = { readonly plugin: string; readonly root: string; readonly paths: readonly string[] };

export interface DefinitionFiles {
  list(folder: DefinitionFolder): Promise<FolderListing>;
  read(file: string): Promise<{ readonly text: string } | { readonly problem: string }>;
  /** Plugins below a `plugins` folder that are installed and switched on for work in `cwd`. */
  plugins(folder: string, cwd: string): Promise<readonly PluginAgents[]>;
}
