// Standard output as a queue: a slow reader never blocks the engine, a reader that went away ends nothing.
import { write } from "node:fs";
import { plainText } from "./plain-text.ts";

export type Output = {
  /** Whatever it quotes: nothing in it is obeyed by a terminal. */
  line(text: string): void;
  /**
   * A line as it is: with colours of our own, or in a format that has escapes of its own. `droppable` ones are left out
   * when the reader is far behind: everything durable is in the journal anyway.
   */
  prepared(text: string, droppable?: boolean): void;
  /** Text as it is, without an end of line. */
  write(text: string, droppable?: boolean): void;
  /** Resolves when everything is written or the reader is gone. */
  drained(): Promise<void>;
};

const FAR_BEHIND = 1024 * 1024;
const WAIT_MS = 5;

export function createOutput(fd: number): Output {
  let queue: string[] = [];
  let behind = 0;
  let busy = false;
  let gone = false;
  const idle: (() => void)[] = [];

  const settle = (): void => {
    for (const done of idle.splice(0)) done();
  };
  const pump = (bytes?: Buffer): void => {
    const next = bytes ?? take();
    if (!next) {
      busy = false;
      return settle();
    }
    busy = true;
    write(fd, next, (error, written) => {
      if (error?.code === "EAGAIN") return void setTimeout(pump, WAIT_MS, next);
      if (error) {
        gone = true;
        queue = [];
        behind = 0;
        busy = false;
        return settle();
      }
      behind -= written;
      pump(written < next.length ? next.subarray(written) : undefined);
    });
  };
  const take = (): Buffer | undefined => {
    if (queue.length === 0) return undefined;
    const all = Buffer.from(queue.join(""));
    queue = [];
    return all;
  };

  const put = (text: string, droppable = false): void => {
    if (gone || (droppable && behind > FAR_BEHIND)) return;
    queue.push(text);
    behind += Buffer.byteLength(text);
    if (!busy) pump();
  };

  return {
    line: (text) => put(`${plainText(text)}\n`),
    prepared: (text, droppable) => put(`${text}\n`, droppable),
    write: put,
    drained: () => new Promise((resolve) => (busy ? idle.push(resolve) : resolve())),
  };
}
