import { describe, expect, test } from "vitest";
import { ModelFault } from "../../core/model-fault.ts";
import { createSseParser } from "./sse.ts";

type Seen = { events: [data: string, name: string][]; comments: number };

function parse(chunks: readonly Buffer[], max?: number): Seen {
  const seen: Seen = { events: [], comments: 0 };
  const sink = {
    event: (data: string, name: string) => seen.events.push([data, name]),
    comment: () => (seen.comments += 1),
  };
  const parser = createSseParser(sink, max);
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return seen;
}

const stream = [
  '\ufeffevent: first\ndata: {"a":"ä 世 👩‍🚀"}\n\n',
  ": a comment\n",
  "data: one\ndata: two\ndata:three\n\n",
  "id: 7\nretry: 10\nunknown: x\ndata: line\u2028separator\n\n",
  "event: empty\n\n",
  "data\n\n",
  "data: [DONE]\n\n",
].join("");
const expected: Seen = {
  events: [
    ['{"a":"ä 世 👩‍🚀"}', "first"],
    ["one\ntwo\nthree", ""],
    ["line\u2028separator", ""],
    ["[DONE]", ""],
  ],
  comments: 1,
};

describe("events are the same", () => {
  const endings = { LF: "\n", CRLF: "\r\n", CR: "\r" };
  for (const [name, ending] of Object.entries(endings)) {
    const bytes = Buffer.from(stream.replaceAll("\n", ending));
    test(`with ${name} line ends, wherever the chunks are cut in two`, () => {
      for (let at = 0; at <= bytes.length; at++) {
        expect(parse([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
      }
    });
    test(`with ${name} line ends, byte by byte`, () => {
      expect(parse([...bytes].map((byte) => Buffer.of(byte)))).toEqual(expected);
    });
  }
});

test("a last event without its blank line is still dispatched", () => {
  expect(parse([Buffer.from("data: a\n\ndata: b")]).events).toEqual([
    ["a", ""],
    ["b", ""],
  ]);
});

test("P.I03: a line of 5 MB in small chunks arrives whole and quickly", () => {
  const line = Buffer.from(`data: ${"x".repeat(5 * 1024 * 1024)}\n\n`);
  const chunks: Buffer[] = [];
  for (let at = 0; at < line.length; at += 1024) chunks.push(line.subarray(at, at + 1024));
  const began = performance.now();
  const { events } = parse(chunks);
  expect(events[0]?.[0].length).toBe(5 * 1024 * 1024);
  expect(performance.now() - began).toBeLessThan(1500);
});

test("an event over the limit is a fault, in one line and in many", () => {
  const kb = Buffer.from("y".repeat(1024));
  expect(() => parse([Buffer.from("data: "), ...Array.from({ length: 20 }, () => kb)], 10_000)).toThrow(ModelFault);
  const lines = Array.from({ length: 20 }, () => Buffer.from(`data: ${"y".repeat(1024)}\n`));
  expect(() => parse(lines, 10_000)).toThrow(/over/);
});

test("small events cost a few microseconds", () => {
  const event = 'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"word "}}\n\n';
  const chunk = Buffer.from(event.repeat(10));
  let count = 0;
  const parser = createSseParser({ event: () => (count += 1), comment: () => {} });
  for (let n = 0; n < 2000; n++) parser.push(chunk);
  const began = performance.now();
  for (let n = 0; n < 2000; n++) parser.push(chunk);
  const each = ((performance.now() - began) * 1000) / 20_000;
  expect(count).toBe(40_000);
  expect(each).toBeLessThan(15);
});
