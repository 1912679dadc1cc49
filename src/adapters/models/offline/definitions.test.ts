import { describe, expect, test } from "vitest";
import { definitionsIn, fullName, signatureOf } from "./definitions.ts";

const found = (path: string, text: string): string[] =>
  definitionsIn(path, text.split("\n")).map((one) => `${one.kind} ${fullName(one)} ${one.from}-${one.to}`);

describe("definitions are found with their extents", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "a.ts",
      `export class Box {
  constructor(private x: number) {}
  async #put<T>(
    item: T,
  ): Promise<void> {
    await this.put(item);
    if (item) {
      call(item, () => {
        go();
      });
    }
  }
  get size(): number {
    return 1;
  }
}
export const half = (n: number): number => n / 2;
const MOST = 3;
export type Shape = { area(): number };
export default async function* run() {
  yield 1;
}`,
      [
        "class Box 1-16",
        "method Box.#put 3-12",
        "method Box.size 13-15",
        "function half 17-17",
        "constant MOST 18-18",
        "type Shape 19-19",
        "function run 20-22",
      ],
    ],
    [
      "a.py",
      `class Jar:
    """Keeps things."""
    async def load(
        self, name
    ):
        return name

def main():
    pass

LIMIT = 3`,
      ["class Jar 1-6", "method Jar.load 3-6", "function main 8-9", "constant LIMIT 11-11"],
    ],
    [
      "a.go",
      `type Tree struct {\n\tn int\n}\n\nfunc (t *Tree) Add(n int) error {\n\treturn nil\n}\n\nfunc main() {\n}`,
      ["type Tree 1-3", "method Tree.Add 5-7", "function main 9-10"],
    ],
    [
      "a.rs",
      `pub struct Tree;\nimpl Display for Tree {\n    pub(crate) async fn add(&self) -> u8 {\n        1\n    }\n}\nmacro_rules! twice { () => {} }`,
      ["type Tree 1-1", "class Tree 2-6", "function Tree.add 3-5", "function twice 7-7"],
    ],
    [
      "A.java",
      `public final class A {\n    private static List<String> names(int n) throws X {\n        return null;\n    }\n    void go() {\n        names(3);\n    }\n}`,
      ["class A 1-8", "method A.names 2-4", "method A.go 5-7"],
    ],
    [
      "a.c",
      `#define MOST 3\nstatic int add(int a, int b)\n{\n    return sum(a, b);\n}\nint later(void);`,
      ["constant MOST 1-1", "method add 2-5"],
    ],
    [
      "a.rb",
      `module M\n  class Jar\n    def self.open!(x)\n      x\n    end\n  end\nend`,
      ["class M 1-7", "class M.Jar 2-6", "method Jar.open! 3-5"],
    ],
    ["a.sh", `#!/bin/sh\nfail() {\n  exit 1\n}\nfunction go {\n  fail\n}`, ["function fail 2-4", "function go 5-7"]],
    [
      "a.php",
      `<?php\nclass A {\n    public static function go($x) {\n        return $x;\n    }\n}`,
      ["class A 2-6", "function A.go 3-5"],
    ],
    [
      "a.kt",
      `class A {\n    suspend fun load(id: Int): Int {\n        return id\n    }\n}`,
      ["class A 1-5", "method A.load 2-4"],
    ],
    ["a.md", "function not() {}", []],
  ];
  for (const [path, text, expected] of cases) test(`in ${path}`, () => expect(found(path, text)).toEqual(expected));
});

test("calls are no definitions", () => {
  expect(
    found("a.ts", `  foo(bar);\n  await foo(\n  it("works", () => {\n  if (a) {\n  return foo(a) {\n  a.b(c, () => {`),
  ).toEqual([]);
});

test("the comment above and the docstring below belong to a definition", () => {
  const [one] = definitionsIn("a.ts", ["/**", " * Adds two.", " */", "function add() {", "}"]);
  expect(one?.comment).toBe("Adds two.");
  const [two] = definitionsIn("a.py", ["def add(a):", '    """Adds two."""', "    return a"]);
  expect(two?.comment).toBe("Adds two.");
});

test("a signature over several lines is told on one", () => {
  const [one] = definitionsIn("a.ts", ["export function add(", "  a: number,", "): number {", "  return a;", "}"]);
  expect(signatureOf(one!)).toBe("export function add( a: number, ): number");
});

test("lines made to be slow are not", () => {
  const started = performance.now();
  for (const path of ["a.ts", "a.py", "a.go", "a.rs", "A.java", "a.c", "a.rb", "a.sh", "a.php"])
    for (const part of [
      "(",
      "<",
      " ",
      "\t",
      "a ",
      "=> ",
      "const a: ",
      "public ",
      "*/",
      ") ",
      "template <",
      "impl<",
      "@a ",
    ])
      definitionsIn(path, [
        part.repeat(100),
        part.repeat(390),
        `  ${part.repeat(50_000)}`,
        `class A ${part.repeat(180)}`,
      ]);
  expect(performance.now() - started).toBeLessThan(2_000);
});
