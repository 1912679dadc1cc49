// The end of the journal that is being written: whole lines or nothing, in one segment after another.
import { join } from "node:path";
import type { LogFiles } from "../../ports/log-files.ts";
import { segmentName, segments } from "./layout.ts";

export class JournalEnd {
  readonly #files: LogFiles;
  readonly #folder: string;
  #number: number;
  #fd: number;
  #size: number;
  /** Half a line stands at the end and could not be cut off. */
  #halfLine = false;
  /** A sync failed: the system may have thrown away what it could not write, and a second sync would not tell. */
  #distrusted = false;
  /** We made it, and no sync of it has succeeded: it holds only what its successor would hold too. */
  #disposable = false;
  #unsyncedFolders: Set<string>;
  #superseded: number[] = [];
  #scratch = Buffer.allocUnsafeSlow(64 * 1024);

  constructor(files: LogFiles, folder: string, number: number, foldersToSync: readonly string[]) {
    this.#files = files;
    this.#folder = folder;
    this.#number = number;
    this.#fd = files.openAppend(join(folder, segmentName(number)), false);
    this.#size = files.size(this.#fd);
    this.#unsyncedFolders = new Set(foldersToSync);
  }

  /** Nothing may be added before `startSegment`. */
  get halfLine(): boolean {
    return this.#halfLine;
  }

  /** No sync here can be believed before `startSegment`. */
  get distrusted(): boolean {
    return this.#distrusted || this.#halfLine;
  }

  /** Throws the system's error; then the line is not there. `mayCut` is asked before anything is cut off. */
  add(line: string, mayCut: () => boolean): void {
    const bytes = this.#encode(line);
    const length = bytes === this.#scratch ? bytes.write(line) : bytes.length;
    try {
      for (let at = 0; at < length;) {
        at += this.#files.write(this.#fd, at === 0 ? bytes : bytes.subarray(at), length - at);
      }
      this.#size += length;
    } catch (error) {
      this.#cutBack(length, mayCut);
      throw error;
    }
  }

  /** Begins a new segment with `lines`, which are all that was not yet synced. Throws when that is not possible. */
  startSegment(lines: readonly string[]): void {
    const number = Math.max(this.#number, ...segments(this.#files, this.#folder)) + 1;
    const path = join(this.#folder, segmentName(number));
    const fd = this.#files.openAppend(path, true);
    try {
      const bytes = Buffer.from(lines.join(""));
      for (let at = 0; at < bytes.length;) {
        at += this.#files.write(fd, bytes.subarray(at), bytes.length - at);
      }
      this.#size = bytes.length;
    } catch (error) {
      this.#files.close(fd);
      attempt(() => this.#files.unlink(path));
      throw error;
    }
    if (this.#disposable) this.#superseded.push(this.#number);
    attempt(() => this.#files.close(this.#fd));
    this.#number = number;
    this.#fd = fd;
    this.#halfLine = this.#distrusted = false;
    this.#disposable = true;
    this.#unsyncedFolders.add(this.#folder);
  }

  /** Everything added before the call is durable when this resolves: its bytes, and the names that lead to it. */
  async sync(): Promise<void> {
    const folders = [...this.#unsyncedFolders];
    const syncs = [this.#files.sync(this.#fd), ...folders.map((folder) => this.#files.syncFolder(folder))];
    // All must have come to an end before the file could be closed and its number given to another.
    const failed = (await Promise.allSettled(syncs)).find((outcome) => outcome.status === "rejected");
    if (failed) {
      this.#distrusted = true;
      throw failed.reason;
    }
    for (const folder of folders) this.#unsyncedFolders.delete(folder);
    this.#disposable = false;
    for (const number of this.#superseded.splice(0)) {
      attempt(() => this.#files.unlink(join(this.#folder, segmentName(number))));
    }
  }

  close(): void {
    attempt(() => this.#files.close(this.#fd));
  }

  /** The reused buffer when the line is sure to fit, else one of its own. */
  #encode(line: string): Buffer {
    return line.length * 3 <= this.#scratch.length ? this.#scratch : Buffer.from(line);
  }

  #cutBack(atMost: number, mayCut: () => boolean): void {
    try {
      const size = this.#files.size(this.#fd);
      if (size === this.#size) return;
      // More than our own half line means that somebody else has written: not ours to cut.
      if (size < this.#size || size - this.#size > atMost || !mayCut()) throw new Error("the journal is not ours");
      this.#files.truncate(this.#fd, this.#size);
    } catch {
      this.#halfLine = true;
    }
  }
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // What this would have tidied up harms nobody.
  }
}
