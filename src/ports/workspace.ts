// The files an agent works on, seen through its binding. Everything is bounded in time and memory whatever a path names.

/** Which content was seen: `stamp` is what the file system says of it, `hash` the SHA-256 where all of it was read. */
export type FileVersion = { readonly stamp: string; readonly hash?: string };

/** Lines of a text file, or why there are none. */
export type FileSlice =
  | {
      readonly ok: true;
      readonly lines: readonly string[];
      /** The number of the first line, from 1. */
      readonly from: number;
      /** There is more after the last line given. */
      readonly more: boolean;
      readonly bytes: number;
      readonly version: FileVersion;
    }
  | { readonly ok: false; readonly problem: string };

export type WholeFile =
  | {
      readonly ok: true;
      readonly bytes: Uint8Array;
      readonly version: Required<FileVersion>;
      /** Its permission bits. */
      readonly mode: number;
    }
  | { readonly ok: false; readonly missing: boolean; readonly problem: string };

export type Entry = { readonly name: string; readonly kind: "file" | "folder" | "link" | "other" };
export type Listing =
  | {
      readonly ok: true;
      readonly entries: readonly Entry[];
      /** There are more than were looked at. */
      readonly more: boolean;
    }
  | { readonly ok: false; readonly problem: string };

/** A write that is about to happen. */
export type PlannedWrite = {
  /** SHA-256 of the new content. */
  readonly after: string;
  /** Where the new content is put together, beside the file; gone when the write has ended. */
  readonly temp: string;
  /** Folders that will be made, outermost first. */
  readonly folders: readonly string[];
};
export type WriteOrder = {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The stamp of the file that is replaced; null: there must be none. */
  readonly expected: string | null;
  /** Called before anything is touched; nothing is when it rejects. */
  announce(plan: PlannedWrite): Promise<void>;
};
export type Written =
  | { readonly ok: true; readonly version: Required<FileVersion>; readonly folders: readonly string[] }
  | { readonly ok: false; readonly stale: boolean; readonly problem: string };

export interface Workspace {
  readonly cwd: string;
  /** The real absolute path that `path` names, links followed, so that rules judge what is really touched. */
  resolve(path: string): Promise<string>;
  readLines(path: string, from: number, count: number, signal: AbortSignal): Promise<FileSlice>;
  /** All of a regular file; a problem when it has more than `most` bytes. */
  readWhole(path: string, most: number, signal: AbortSignal): Promise<WholeFile>;
  /** Names in a folder, sorted, without those that a pattern of `ignore` covers. */
  list(path: string, ignore: readonly string[], signal: AbortSignal): Promise<Listing>;
  /** Makes or replaces a file at once or not at all, durably. A file keeps its permission bits; parents are made. */
  write(order: WriteOrder): Promise<Written>;
}
