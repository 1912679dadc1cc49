// Splits a stream of bytes into lines, without decoding and without holding more than one unfinished line.

/** `bytes` has no newline and is valid only during the call; it is cut when the line is longer than the limit. */
export type OnLine = (bytes: Uint8Array, start: number, length: number) => void;

const newline = 10;

export class LineSplitter {
  readonly #onLine: OnLine;
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #kept = 0;
  #start = 0;
  #length = 0;

  constructor(onLine: OnLine, limit = 128 * 1024 * 1024) {
    this.#onLine = onLine;
    this.#limit = limit;
  }

  /** Where the unfinished last line begins, and how long it is so far. */
  get rest(): { readonly start: number; readonly length: number } {
    return { start: this.#start, length: this.#length };
  }

  /** The chunk may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      this.#finish(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** Hands over what stands after the last newline, if anything. */
  end(): void {
    if (this.#length > 0) this.#finish(new Uint8Array(0));
  }

  #finish(tail: Uint8Array): void {
    const length = this.#length + tail.length;
    this.#onLine(this.#pieces.length === 0 ? tail.subarray(0, this.#limit) : this.#join(tail), this.#start, length);
    this.#start += length + 1;
    this.#length = 0;
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    const room = this.#limit - this.#kept;
    if (room <= 0) return;
    // Not `slice`: a Node Buffer's shares the memory.
    const copy = new Uint8Array(piece.subarray(0, room));
    this.#pieces.push(copy);
    this.#kept += copy.length;
  }

  #join(tail: Uint8Array): Uint8Array {
    const end = tail.subarray(0, this.#limit - this.#kept);
    const line = new Uint8Array(this.#kept + end.length);
    let at = 0;
    for (const piece of [...this.#pieces, end]) {
      line.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#kept = 0;
    return line;
  }
}
