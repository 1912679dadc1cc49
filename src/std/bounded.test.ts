import { describe, expect, test } from "vitest";
import { bounded, collectBounded, type Sink } from "./bounded.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const marker = /\[… ([\d,]+) bytes left out …\]\n/;

describe("a text that fits", () => {
  test("is kept as it is, also when it fills head and tail to the last byte", () => {
    const text = "é".repeat(8);
    expect(bounded(text, { head: 7, tail: 9 })).toEqual({
      text,
      truncated: false,
      totalBytes: 16,
      elidedBytes: 0,
      spilled: 0,
    });
  });

  test("opens no spill", () => {
    const spill = memorySpill(100);
    const collector = collectBounded({ head: 4, tail: 4 }, spill);
    collector.write(bytes("12345678"));
    collector.finish();
    expect(spill.opened).toBe(0);
  });
});

describe("a text that does not fit", () => {
  test("says on one line how much was left out, between whole lines", () => {
    const lines = Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join("");
    const { text, elidedBytes, totalBytes } = bounded(lines, { head: 40, tail: 40 });
    expect(text).toBe(
      "line 0\nline 1\nline 2\nline 3\nline 4\n" +
        `[… ${elidedBytes.toLocaleString("en-US")} bytes left out …]\n` +
        "line 996\nline 997\nline 998\nline 999\n",
    );
    expect(totalBytes).toBe(lines.length);
  });

  test("puts the marker on its own line when it is one long line", () => {
    expect(bounded("a".repeat(1_000_020), { head: 10, tail: 10 }).text).toBe(
      `${"a".repeat(10)}\n[… 1,000,000 bytes left out …]\n${"a".repeat(10)}`,
    );
  });

  test("may keep nothing at all", () => {
    expect(bounded("abc", { head: 0, tail: 0 }).text).toBe("[… 3 bytes left out …]\n");
  });

  test("goes to the spill from its first byte, up to the cap", () => {
    const whole = memorySpill(1_000);
    const capped = memorySpill(10);
    for (const spill of [whole, capped]) {
      const collector = collectBounded({ head: 3, tail: 3 }, spill);
      for (const chunk of ["ab", "cd", "ef", "gh", "ijklmnop"]) collector.write(bytes(chunk));
      expect(collector.finish().spilled).toBe(spill === whole ? 16 : 10);
      expect(spill.ended).toBe(true);
    }
    expect(whole.text()).toBe("abcdefghijklmnop");
    expect(capped.text()).toBe("abcdefghij");
  });
});

test("head, left-out bytes and tail account for every byte, and no character is split, however the chunks fall", () => {
  const next = seeded(42);
  const alphabet = ["a", "é", "€", "😀", "\n", "漢"];
  for (let round = 0; round < 400; round++) {
    const text = Array.from({ length: next(300) }, () => alphabet[next(alphabet.length)]).join("");
    const limits = { head: next(80), tail: next(80) };
    const all = bytes(text);
    const spill = memorySpill(next(400));
    const collector = collectBounded(limits, spill);
    for (let at = 0; at < all.length;) {
      const size = 1 + next(40);
      collector.write(all.subarray(at, at + size));
      at += size;
    }
    const result = collector.finish();

    expect(result.totalBytes).toBe(all.length);
    expect(result.text).not.toContain("�");
    expect(result.truncated).toBe(all.length > limits.head + limits.tail);
    expect(spill.text("bytes")).toEqual(result.truncated ? all.subarray(0, spill.cap) : new Uint8Array());
    // The same text without a marker counts as all head.
    const [before, count, after] = result.truncated
      ? (result.text.split(marker) as [string, string, string])
      : [result.text, "0", ""];
    const headBytes = all.length - result.elidedBytes - bytes(after).length;
    const head = new TextDecoder("utf-8", { fatal: true }).decode(all.subarray(0, headBytes));
    const needsNoLineEnd = !result.truncated || head === "" || head.endsWith("\n");
    expect(before).toBe(needsNoLineEnd ? head : `${head}\n`);
    expect(text.endsWith(after)).toBe(true);
    expect(Number(count.replaceAll(",", ""))).toBe(result.elidedBytes);
    expect(headBytes).toBeLessThanOrEqual(limits.head + (result.truncated ? 0 : limits.tail));
    expect(bytes(after).length).toBeLessThanOrEqual(limits.tail);
    // Little is given away for the sake of whole lines and characters.
    expect(headBytes).toBeGreaterThanOrEqual(Math.min(all.length, Math.floor(limits.head * 0.75) - 3));
  }
});

test("random bytes that are no UTF-8 are counted right too", () => {
  const next = seeded(7);
  for (let round = 0; round < 200; round++) {
    const all = Uint8Array.from({ length: 60 + next(200) }, () => next(256));
    const collector = collectBounded({ head: 20, tail: 20 });
    collector.write(all);
    const { elidedBytes, totalBytes, truncated } = collector.finish();
    expect(truncated).toBe(true);
    expect(totalBytes).toBe(all.length);
    expect(elidedBytes).toBeGreaterThanOrEqual(all.length - 40);
    expect(elidedBytes).toBeLessThanOrEqual(all.length - 40 + 5 + 4 + 3);
  }
});

test("a surrogate pair on the border of a slice survives", () => {
  const text = `${"a".repeat(65_535)}😀${"b".repeat(100)}`;
  const { text: kept } = bounded(text, { head: 65_539, tail: 10 });
  expect(kept.startsWith(`${"a".repeat(65_535)}😀`)).toBe(true);
});

test("P.U02: 157 MB in one line and a million short lines take no memory beyond head and tail", () => {
  const collector = collectBounded();
  const long = new Uint8Array(65_536).fill(0x61);
  const short = bytes("y\n");
  const before = process.memoryUsage();
  const started = performance.now();
  for (let n = 0; n < 2_400; n++) collector.write(long);
  for (let n = 0; n < 1_000_000; n++) collector.write(short);
  const after = process.memoryUsage();
  const { totalBytes, text } = collector.finish();

  expect(totalBytes).toBe(2_400 * 65_536 + 2_000_000);
  expect(text.length).toBeLessThan(16_100);
  expect(text.endsWith("y\ny\n")).toBe(true);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1_000_000);
  expect(performance.now() - started).toBeLessThan(3_000);
});

function memorySpill(cap: number) {
  const chunks: Uint8Array[] = [];
  const all = (): Uint8Array => Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
  function text(): string;
  function text(as: "bytes"): Uint8Array;
  function text(as?: "bytes"): string | Uint8Array {
    return as ? all() : new TextDecoder().decode(all());
  }
  const spill = {
    cap,
    opened: 0,
    ended: false,
    text,
    open(): Sink {
      spill.opened++;
      return { write: (chunk) => void chunks.push(chunk), end: () => void (spill.ended = true) };
    },
  };
  return spill;
}

/** Numbers below `n`, the same ones each time. */
function seeded(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
