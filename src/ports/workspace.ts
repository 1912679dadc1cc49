// The files an agent works on, seen through its binding.

/** Lines of a text file, or why there are none. Bounded in time and memory whatever the path is. */
export type FileSlice =
  | {
      readonly ok: true;
      readonly lines: readonly string[];
      /** The number of the first line, from 1. */
      readonly from: number;
      /** There is more after the last line given. */
      readonly more: boolean;
      readonly bytes: number;
    }
  | { readonly ok: false; readonly problem: string };

export interface Workspace {
  readonly cwd: string;
  /** The real absolute path that `path` names, links followed, so that rules judge what is really touched. */
  resolve(path: string): Promise<string>;
  readLines(path: string, from: number, count: number, signal: AbortSignal): Promise<FileSlice>;
}
