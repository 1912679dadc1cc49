// A file per session with its own events, for people and line tools. A view: written behind the journal, never waited
// for, rebuilt from the journal when it is behind or differs.
import type { Recorded } from "../../core/events.ts";
import type { AgentPath } from "../../core/ids.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import { viewFile } from "./layout.ts";
import { parseRecord } from "./record.ts";
import { readBackwards } from "./read-backwards.ts";

const flushMs = 200;
/** Each file is opened for its few lines: with hundreds of sessions at work they are written less often. */
const flushMsPerFile = 4;
/** Longer texts would lie in memory until the next great collection. */
const rewriteChars = 64 * 1024;

export class SessionViews {
  readonly #files: LogFiles;
  readonly #folder: string;
  readonly #onTrouble: (error: unknown) => void;
  #pending = new Map<AgentPath, string[]>();
  #work: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #waitMs = flushMs;
  #troubled = false;

  /** `onTrouble` is called once at most: the views are then left to the next opening. */
  constructor(files: LogFiles, folder: string, onTrouble: (error: unknown) => void) {
    this.#files = files;
    this.#folder = folder;
    this.#onTrouble = onTrouble;
  }

  add(path: AgentPath, line: string): void {
    if (this.#troubled) return;
    const lines = this.#pending.get(path);
    if (lines) lines.push(line);
    else this.#pending.set(path, [line]);
    this.#timer ??= setTimeout(() => void this.flush(), this.#waitMs).unref();
  }

  /** Repairs, behind the scenes, the views that do not end where the journal does. */
  catchUp(events: readonly Recorded[]): void {
    this.#queue(async () => {
      const last = new Map(events.map((event) => [event.path, event]));
      const behind = new Set<AgentPath>();
      for (const [path, event] of last) {
        if (!(await this.#endsWith(path, event))) behind.add(path);
      }
      if (behind.size === 0) return;
      const bySession = Map.groupBy(
        events.filter((event) => behind.has(event.path)),
        (event) => event.path,
      );
      for (const [path, own] of bySession) await this.#rewrite(path, own);
    });
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = this.#pending;
    if (pending.size > 0) {
      this.#waitMs = Math.max(flushMs, pending.size * flushMsPerFile);
      this.#pending = new Map();
      this.#queue(async () => {
        for (const [path, lines] of pending) await this.#files.appendText(viewFile(this.#folder, path), lines.join(""));
      });
    }
    return this.#work;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#troubled = true;
  }

  #queue(job: () => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#troubled) return;
      try {
        await job();
      } catch (error) {
        this.#troubled = true;
        this.#pending.clear();
        this.#onTrouble(error);
      }
    });
  }

  async #endsWith(path: AgentPath, event: Recorded): Promise<boolean> {
    const file = viewFile(this.#folder, path);
    if (!this.#files.look(file)) return false;
    for await (const { bytes, finished } of readBackwards(this.#files, file, 4096)) {
      const parsed = finished ? parseRecord(bytes) : undefined;
      if (parsed?.is !== "record") return false;
      const { seq, epoch, time } = parsed.record;
      return seq === event.seq && epoch === event.epoch && time === event.time;
    }
    return false;
  }

  async #rewrite(path: AgentPath, events: readonly Recorded[]): Promise<void> {
    const file = viewFile(this.#folder, path);
    const fresh = `${file}.new`;
    if (this.#files.look(fresh)) this.#files.unlink(fresh);
    let lines = "";
    for (const event of events) {
      lines += `${JSON.stringify(event)}\n`;
      if (lines.length < rewriteChars && event !== events.at(-1)) continue;
      await this.#files.appendText(fresh, lines);
      lines = "";
    }
    this.#files.rename(fresh, file);
  }
}
