// Server-sent events out of byte chunks, whatever the chunk boundaries cut through.
import { ModelFault } from "../../core/model-fault.ts";

export type SseSink = {
  event(data: string, name: string): void;
  /** A comment line: no event, but a sign of life. */
  comment(): void;
};

export type SseParser = {
  push(chunk: Buffer): void;
  /** The body ended: what came last is dispatched even without its closing blank line. */
  end(): void;
};

const LF = 10;
const CR = 13;
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

export function createSseParser(sink: SseSink, maxEventBytes = MAX_EVENT_BYTES): SseParser {
  // Bytes since the last line end. Text is only decoded up to a line end, so no UTF-8 sequence is ever cut.
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let afterCr = false;
  let started = false;
  let data: string | undefined;
  let dataLength = 0;
  let name = "";

  function push(chunk: Buffer): void {
    const lines = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
    if (lines === 0) return keep(chunk);
    const whole = lines === chunk.length ? chunk : chunk.subarray(0, lines);
    let text = pending.length === 0 ? whole.toString("utf8") : Buffer.concat([...pending, whole]).toString("utf8");
    pending = [];
    pendingBytes = 0;
    if (!started) text = withoutMark(text);
    if (afterCr && text.charCodeAt(0) === LF) text = text.slice(1);
    afterCr = chunk[chunk.length - 1] === CR;
    takeLines(text);
    if (lines < chunk.length) keep(chunk.subarray(lines));
  }

  function keep(chunk: Buffer): void {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes + dataLength > maxEventBytes) tooLong(maxEventBytes);
  }

  function withoutMark(text: string): string {
    started = true;
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  }

  function takeLines(text: string): void {
    if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
    for (let at = 0; at < text.length;) {
      const end = text.indexOf("\n", at);
      if (end === at) dispatch();
      else takeLine(text, at, end);
      at = end + 1;
    }
  }

  function takeLine(text: string, at: number, end: number): void {
    if (text.startsWith("data:", at)) {
      const from = text.charCodeAt(at + 5) === 32 ? at + 6 : at + 5;
      const value = text.slice(from, end);
      data = data === undefined ? value : `${data}\n${value}`;
      dataLength += value.length;
      if (dataLength > maxEventBytes) tooLong(maxEventBytes);
    } else if (text.startsWith("event:", at)) {
      name = text.slice(at + 6, end).trim();
    } else if (text.charCodeAt(at) === 58) {
      sink.comment();
    }
  }

  function dispatch(): void {
    const value = data;
    const event = name;
    data = undefined;
    dataLength = 0;
    name = "";
    if (value !== undefined) sink.event(value, event);
  }

  return {
    push,
    end() {
      if (pending.length > 0) push(Buffer.from("\n"));
      dispatch();
    },
  };
}

function tooLong(limit: number): never {
  throw new ModelFault({
    code: "incomplete",
    message: `one event of the stream is over ${(limit / 1024 / 1024).toFixed(0)} MB`,
    remedy: "try again, or use another model",
  });
}
