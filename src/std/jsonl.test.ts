import { expect, test } from "vitest";
import { LineSplitter } from "./jsonl.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(chunks: readonly string[], limit?: number): { lines: [string, number, number][]; rest: unknown } {
  const lines: [string, number, number][] = [];
  const splitter = new LineSplitter(
    (line, start, length) => lines.push([new TextDecoder().decode(line), start, length]),
    limit,
  );
  for (const chunk of chunks) splitter.push(bytes(chunk));
  return { lines, rest: splitter.rest };
}

test("lines come whole, with their place, however the chunks were cut", () => {
  const text = 'a\n\n{"b":1}\nlong line here\nrest';
  const whole = split([text]);
  expect(whole.lines).toEqual([
    ["a", 0, 1],
    ["", 2, 0],
    ['{"b":1}', 3, 7],
    ["long line here", 11, 14],
  ]);
  expect(whole.rest).toEqual({ start: 26, length: 4 });
  for (let size = 1; size < text.length; size++) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
      text.slice(i * size, (i + 1) * size),
    );
    expect(split(chunks)).toEqual(whole);
  }
});

test("a chunk may be overwritten by its owner as soon as it was pushed", () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(new TextDecoder().decode(line)));
  const buffer = Buffer.from("half");
  splitter.push(buffer);
  buffer.fill(120);
  splitter.push(bytes(" whole\n"));
  expect(lines).toEqual(["half whole"]);
});

test("a line over the limit is cut but its true length is told, and the next line is whole", () => {
  for (const chunks of [["0123456789\nok\n"], ["01234", "56789", "\nok\n"]]) {
    expect(split(chunks, 4).lines).toEqual([
      ["0123", 0, 10],
      ["ok", 11, 2],
    ]);
  }
});

test("the end hands over what stands after the last newline, once", () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(new TextDecoder().decode(line)));
  splitter.push(bytes("a\nb"));
  splitter.end();
  splitter.end();
  expect(lines).toEqual(["a", "b"]);
});
