// Searching files by content and by name. Linear in what is searched, in a process of its own, bounded in time.

/** Which files below a folder are meant. Everything when nothing is given. */
export type Selection = {
  /** A glob for the file's name alone. */
  readonly name?: string;
  /** A glob for the path from the folder. */
  readonly path?: string;
  /** Only files in the folder itself. */
  readonly shallow?: boolean;
};

export type FileQuery = { readonly root: string; readonly select: Selection; readonly most: number };

export type GrepQuery = FileQuery & {
  readonly pattern: string;
  /** A file type by the searcher's own name, such as `ts` or `py`. */
  readonly type?: string;
  readonly mode: "content" | "files" | "count";
  readonly before: number;
  readonly after: number;
  readonly lineNumbers: boolean;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
};

/** `path` is relative to the folder that was searched. A line without a path divides groups of lines. */
export type FoundLine = { readonly path?: string; readonly text: string };

export type Found =
  | {
      readonly ok: true;
      /** The root, or the folder of the file that it is. */
      readonly folder: string;
      readonly lines: readonly FoundLine[];
      /** Why there may be more: as many as were asked for were found, or the time was over. */
      readonly cut?: "most" | "time";
    }
  | { readonly ok: false; readonly problem: string };

export interface Search {
  files(query: FileQuery, signal: AbortSignal): Promise<Found>;
  grep(query: GrepQuery, signal: AbortSignal): Promise<Found>;
}
