// The few file operations that the journal stands on, small enough to be replaced by a disk that fails.
// Every operation throws (or rejects with) the system's error, `code` set.

export type FileFacts = {
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size: number;
  /** ms since 1970. */
  readonly modified: number;
};

export interface LogFiles {
  /** Opens for appending, mode 0600 whatever the umask, never through a symlink. `fresh`: it must not exist yet. */
  openAppend(path: string, fresh: boolean): number;
  openRead(path: string): number;
  close(fd: number): void;
  /** Appends `bytes[0, length)` and gives how many were written, which may be fewer. */
  write(fd: number, bytes: Uint8Array, length: number): number;
  truncate(fd: number, size: number): void;
  size(fd: number): number;
  /** Fills `into` from position `at`; fewer bytes only at the end of the file. */
  read(fd: number, into: Uint8Array, at: number): Promise<number>;
  /** What the file holds when this is called survives a power loss once it resolves; its name may not. */
  sync(fd: number): Promise<void>;
  /** The names in the folder survive a power loss once it resolves. */
  syncFolder(path: string): Promise<void>;
  /** Opens, appends, closes: for files that nobody's durability hangs on. */
  appendText(path: string, text: string): Promise<void>;
  /** Creates one folder, mode 0700; false when it was there. */
  makeFolder(path: string): boolean;
  /** Names in a folder; none when it does not exist. */
  list(path: string): readonly string[];
  /** Facts of the name itself, not of what a symlink points to. */
  look(path: string): FileFacts | undefined;
  /** Fails with EEXIST when `to` exists. */
  link(from: string, to: string): void;
  /** Replaces `to`. */
  rename(from: string, to: string): void;
  unlink(path: string): void;
  /** Sets the time of modification to now. */
  touch(path: string): void;
}

export const errorCode = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
