// The one place that bounds output: keeps the head and the tail of a stream of bytes, counts what lies between, and
// hands everything to a spill when it does not fit. Memory is head + tail, whatever comes.

/** In bytes. What fits into both together is kept whole. */
export type Limits = { readonly head: number; readonly tail: number };

/** Takes the whole stream, from its first byte. Must not throw. */
export type Sink = { write(chunk: Uint8Array): void; end(): void };

/** `open` is called once, and only when output has to be left out; the sink gets at most `cap` bytes. */
export type Spill = { open(): Sink; readonly cap: number };

export type Bounded = {
  readonly text: string;
  readonly truncated: boolean;
  readonly totalBytes: number;
  readonly elidedBytes: number;
  /** How many bytes, from the first on, the spill has taken. */
  readonly spilled: number;
};

export interface Collector {
  write(chunk: Uint8Array): void;
  /** Ends the spill. Nothing may be written afterwards. */
  finish(): Bounded;
}

export const defaultLimits: Limits = { head: 12_000, tail: 4_000 };
export const defaultSpillCap = 32 * 1024 * 1024;

export function collectBounded(limits: Limits = defaultLimits, spill?: Spill): Collector {
  const head = new Uint8Array(limits.head);
  const tail = ring(limits.tail);
  let total = 0;
  let sink: Sink | undefined;
  let spilled = 0;

  const toSink = (chunk: Uint8Array): void => {
    const part = chunk.subarray(0, Math.max(0, (spill?.cap ?? 0) - spilled));
    if (part.length > 0) sink?.write(part);
    spilled += part.length;
  };

  return {
    write(chunk) {
      if (spill && !sink && total + chunk.length > limits.head + limits.tail) {
        sink = spill.open();
        toSink(head.slice(0, total));
        toSink(tail.bytes());
      }
      if (sink) toSink(chunk);
      const toHead = chunk.subarray(0, Math.max(0, limits.head - total));
      if (toHead.length > 0) head.set(toHead, total);
      tail.write(chunk.subarray(toHead.length));
      total += chunk.length;
    },
    finish() {
      sink?.end();
      const [first, last] = [head.subarray(0, Math.min(total, limits.head)), tail.bytes()];
      if (first.length + last.length === total) {
        return { text: decode(join(first, last)), truncated: false, totalBytes: total, elidedBytes: 0, spilled };
      }
      const [keptFirst, keptLast] = [cutEnd(first), cutStart(last)];
      const elidedBytes = total - keptFirst.length - keptLast.length;
      const text = withMarker(decode(keptFirst), elidedBytes, decode(keptLast));
      return { text, truncated: true, totalBytes: total, elidedBytes, spilled };
    },
  };
}

/** The same for a text that is already here. */
export function bounded(text: string, limits: Limits = defaultLimits): Bounded {
  const encoder = new TextEncoder();
  const collector = collectBounded(limits);
  // In slices, because the whole text as bytes would be a second copy of it.
  for (let from = 0; from < text.length;) {
    const to = from + sliceLength;
    const end = to < text.length && isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
    collector.write(encoder.encode(text.slice(from, end)));
    from = end;
  }
  const result = collector.finish();
  return result.truncated ? result : { ...result, text };
}

const sliceLength = 65_536;
const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The last `size` bytes of what was written. */
function ring(size: number): { write(chunk: Uint8Array): void; bytes(): Uint8Array } {
  const buffer = new Uint8Array(size);
  let filled = 0;
  let next = 0;
  return {
    write(chunk) {
      if (size === 0) return;
      const last = chunk.subarray(Math.max(0, chunk.length - size));
      const upToEnd = last.subarray(0, size - next);
      buffer.set(upToEnd, next);
      buffer.set(last.subarray(upToEnd.length), 0);
      next = (next + last.length) % size;
      filled = Math.min(size, filled + last.length);
    },
    bytes: () => (filled < size ? buffer.slice(0, filled) : join(buffer.subarray(next), buffer.subarray(0, next))),
  };
}

/** Ends at a line's end when one is in the last quarter, else between two characters. */
function cutEnd(bytes: Uint8Array): Uint8Array {
  const newline = bytes.lastIndexOf(lineFeed);
  if (newline >= bytes.length * 0.75) return bytes.subarray(0, newline + 1);
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Starts at a line's start when one is in the first quarter, else between two characters. */
function cutStart(bytes: Uint8Array): Uint8Array {
  const newline = bytes.indexOf(lineFeed);
  if (newline !== -1 && newline < bytes.length * 0.25) return bytes.subarray(newline + 1);
  let start = 0;
  while (start < 3 && start < bytes.length && isContinuation(bytes[start]!)) start++;
  return bytes.subarray(start);
}

const lineFeed = 0x0a;
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
const sequenceLength = (first: number): number => (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1);

function withMarker(first: string, elided: number, last: string): string {
  const separator = first === "" || first.endsWith("\n") ? "" : "\n";
  return `${first}${separator}[… ${grouped(elided)} bytes left out …]\n${last}`;
}

const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

// Bytes that are no UTF-8 become U+FFFD; a byte order mark is text like any other.
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
