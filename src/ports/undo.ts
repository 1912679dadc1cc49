// What edits replaced, kept so that they can be taken back.

/** One write, noted before it happens: what a crash leaves undecided can still be told from it. */
export type NotedWrite = {
  readonly path: string;
  /** SHA-256 of the content before, which is kept; null: there was no file. */
  readonly before: string | null;
  /** null: it is deleted. */
  readonly after: string | null;
  /** Permission bits before. */
  readonly mode?: number;
  readonly folders: readonly string[];
  /** Where the new content is put together. */
  readonly temp?: string;
};

export interface Undo {
  /** Keeps the bytes under their SHA-256; durable when it resolves. */
  keep(hash: string, bytes: Uint8Array): Promise<void>;
  /** Durable when it resolves. */
  note(write: NotedWrite): Promise<void>;
}
