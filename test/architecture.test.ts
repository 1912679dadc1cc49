// The invariants of ARCHITECTURE.md that a machine can check, each also seen failing on a planted violation.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { rules, violations } from "./architecture.ts";
import { importsOf, type Files } from "./architecture/files.ts";

const root = join(import.meta.dirname, "..");
const repository = read(root);

describe("this repository", () => {
  for (const { invariant, broken } of rules) {
    test(invariant, () => {
      expect(broken(repository)).toEqual([]);
    });
  }
});

describe("a planted violation is found", () => {
  const lines = (count: number): string => "x\n".repeat(count);
  const manifest = (parts: object): string => JSON.stringify(parts);
  const machine = (...parts: readonly string[]): string => ["", ...parts].join("/");

  const planted: readonly { readonly files: Files; readonly found: string }[] = [
    plant({ "src/std/a.ts": use("../core/ids.ts") }, "zones import one way: src/std/a.ts imports src/core/ids.ts"),
    plant({ "src/core/a.ts": use("../ports/clock.ts") }, "zones import one way: src/core/a.ts"),
    plant({ "src/ports/a.ts": use("../engine/loop/loop.ts") }, "zones import one way: src/ports/a.ts"),
    plant({ "src/engine/loop/a.ts": use("../../host/host.ts") }, "zones import one way: src/engine/loop/a.ts"),
    plant(
      { "src/engine/loop/a.test.ts": use("../../host/host.ts") },
      "zones import one way: src/engine/loop/a.test.ts",
    ),
    plant(
      { "src/adapters/log/a.ts": use("../../engine/runs/drive.ts") },
      "zones import one way: src/adapters/log/a.ts",
    ),
    plant(
      { "src/surfaces/cli/a.ts": use("../../engine/runs/drive.ts") },
      "zones import one way: src/surfaces/cli/a.ts",
    ),
    plant({ "src/host/a.ts": use("../surfaces/cli/main.ts") }, "zones import one way: src/host/a.ts"),
    plant({ "src/testing/a.ts": use("../engine/loop/loop.ts") }, "zones import one way: src/testing/a.ts"),
    plant({ "src/core/a.ts": use("../testing/index.ts") }, "zones import one way: src/core/a.ts"),
    plant({ "src/index.ts": use("./surfaces/cli/main.ts") }, "zones import one way: src/index.ts"),
    plant({ "src/misc/a.ts": use("../core/ids.ts") }, "zones import one way: src/misc/a.ts is in no known zone"),
    plant({ "src/engine/tools/a.ts": use("../guard/guard.ts") }, "engine rows import earlier rows only"),
    plant({ "src/engine/loop/a.ts": use("../runs/drive.ts") }, "engine rows import earlier rows only"),
    plant({ "src/engine/runs/a.ts": use("../watch/watch.ts") }, "engine rows import earlier rows only"),
    plant({ "src/engine/misc/a.ts": use("../loop/loop.ts") }, "src/engine/misc/a.ts is in no known row"),
    plant({ "src/cluster/a.ts": use("../adapters/log/log.ts") }, "only host imports adapters: src/cluster/a.ts"),
    plant({ "src/surfaces/web/a.ts": use("../../host/host.ts") }, "the web page imports core only"),
    plant({ "src/surfaces/web/a.ts": use("node:fs") }, "the web page imports core only"),
    plant({ "src/core/a.ts": use("node:fs") }, "core imports no Node module: src/core/a.ts imports node:fs"),
    plant({ "src/core/a.ts": use("path") }, "core imports no Node module: src/core/a.ts imports node:path"),
    plant({ "src/core/a.ts": "const home = process.env.HOME;" }, "core knows no process and no Buffer"),
    plant({ "src/core/a.ts": 'Buffer.from("a");' }, "core knows no process and no Buffer"),
    plant({ "src/engine/loop/a.ts": "const at = Date.now();" }, "core and engine take time and randomness from ports"),
    plant({ "src/engine/loop/a.ts": "const at = new Date();" }, "core and engine take time and randomness from ports"),
    plant({ "src/core/a.ts": "const n = Math.random();" }, "core and engine take time and randomness from ports"),
    plant({ "src/engine/loop/a.ts": "setTimeout(go, 1);" }, "core and engine take time and randomness from ports"),
    plant({ "src/host/a.ts": "let open = 0;" }, "no module has mutable state: src/host/a.ts says let open"),
    plant({ "src/host/a.ts": "export let open = 0;" }, "no module has mutable state"),
    plant({ "src/engine/loop/a.ts": "await run.log.append(event);" }, "nothing appends to a log but"),
    plant({ "src/host/a.ts": "treeLog.append(event);" }, "nothing appends to a log but"),
    plant({ "src/host/a.ts": use("node:child_process") }, "programs are started in few places"),
    plant({ "src/adapters/search/a.ts": "spawn(find(process.env.PATH))" }, "is found by our own environment"),
    plant({ "src/host/a.ts": "const text = readFileSync(path);" }, "read by the bounded reader only: src/host/a.ts"),
    plant({ "src/adapters/worktrees/a.ts": "await copyFile(a, b);" }, "read by the bounded reader only"),
    plant({ "src/host/a.ts": lines(401) }, "files are small: src/host/a.ts has 401 lines"),
    plant({ "src/host/a.ts": lines(121) }, "files are small: the median is 121 lines"),
    plant({ "src/host/a.ts": lines(260), "src/host/b.ts": lines(255) }, "files are small: nine of ten are under 255"),
    plant({ "package.json": manifest({ dependencies: { left: "1" } }) }, "left is imported by no file"),
    plant({ "package.json": manifest({ devDependencies: { left: "1" } }) }, "left is imported by no file"),
    plant({ "src/host/a.ts": use("left/pad") }, "every imported package is a dependency: left is not in package.json"),
    plant({ "src/host/a.ts": use("@some/left/pad") }, "@some/left is not in package.json"),
    plant({ "docs/a.md": machine("root", ".ssh") }, "no file names a machine's own path or a package registry"),
    plant({ "docs/a.md": machine("work", "main") }, "no file names a machine's own path or a package registry"),
    plant(
      { ".npmrc": ["registry", "example", "com"].join(".") },
      "no file names a machine's own path or a package registry",
    ),
  ];

  for (const { files, found } of planted) {
    test(`${found} (by ${Object.values(files).join().slice(0, 50).replaceAll("\n", " ").trim()})`, () => {
      expect(violations(files).join("\n")).toContain(found);
    });
  }

  test("for every invariant", () => {
    const without = rules.filter(({ broken }) => planted.every(({ files }) => broken(files).length === 0));
    expect(without).toEqual([]);
  });
});

describe("what is allowed stays allowed", () => {
  test.each([
    ["a test of any zone may use the test kit", { "src/engine/loop/a.test.ts": use("../../testing/index.ts") }],
    ["an adapter's test may import its adapter", { "src/adapters/log/a.test.ts": use("./log.ts") }],
    [
      "a later row may import an earlier one",
      { "src/engine/runs/a.ts": use("../loop/loop.ts") + use("../tools/t.ts") },
    ],
    ["a date may be made from a given time", { "src/core/a.ts": "const at = new Date(ms);" }],
    ["a comment or a text may speak of the clock", { "src/core/a.ts": '// Date.now()\nconst a = "Math.random";' }],
    ["a function may keep local state", { "src/host/a.ts": "export function f() {\n  let n = 0;\n  return n;\n}" }],
    ["the run may append to its log", { "src/engine/runs/a.ts": "await log.append(event);" }],
    ["one file of ten may be larger", { "src/host/a.ts": "x\n".repeat(260), "src/host/b.ts": "x\n" }],
    ["a path of another program may end like ours", { "docs/a.md": "src/engine/work/a.ts, /proc/self/root/etc" }],
  ] as const)("%s", (_, files: Files) => {
    expect(violations(files)).toEqual([]);
  });
});

test("every way to import is seen", () => {
  const target = JSON.stringify("./b.ts");
  const ways = [
    `import ${target};`,
    `import b from ${target};`,
    `import * as b from ${target};`,
    `import type { B } from ${target};`,
    `import {\n  type B,\n  b as c,\n} from ${target};`,
    `import b, { c } from ${target};`,
    `export { b } from ${target};`,
    `export type { B } from ${target};`,
    `export * from ${target};`,
    `export * as b from ${target};`,
    `const b = await import(${target});`,
    `type B = typeof import(${target});`,
    `import b from ${target} with { type: "json" };`,
  ];
  for (const way of ways) expect(importsOf("src/a.ts", `const first = 1;\n${way}\n`), way).toEqual(["src/b.ts"]);
});

test("every decision record has a number of its own, which is that of its title", () => {
  const records = Object.entries(read(join(root, "docs/decisions")));
  const numbers = records.map(([path]) => Number(/(\d{4})-[^/]*\.md$/.exec(path)?.[1]));
  expect(numbers.length).toBeGreaterThan(10);
  expect(new Set(numbers).size).toBe(numbers.length);
  records.forEach(([path, text], at) => expect(text, path).toMatch(new RegExp(`^# 0*${numbers[at]}[.:] `)));
});

function plant(files: Files, found: string) {
  return { files, found };
}

function use(target: string): string {
  return `import { x } from ${JSON.stringify(target)};\n`;
}

function read(folder: string): Files {
  const left = new Set(["node_modules", "dist", ".git", ".sous"]);
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !left.has(name));
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return read(path);
      return entry.isFile() ? { [relative(root, path).split(sep).join("/")]: readFileSync(path, "utf8") } : {};
    }),
  ) as Files;
}
