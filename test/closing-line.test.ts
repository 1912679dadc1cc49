// The closing line of `npm test`, on small checkouts whose outcome is known.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyOfCheckout, run } from "./checkout.ts";

const pass = `import { expect, test } from "vitest";\ntest("passes", () => expect(1).toBe(1));\n`;
const fail = `import { expect, test } from "vitest";\ntest("fails", () => expect(1).toBe(2));\n`;
const skip = (how: string): string => `import { test } from "vitest";\ntest("waits", (it) => it.skip(${how}));\n`;

describe("the last line of npm test", () => {
  test("counts the checks and the tests", async () => {
    const ended = await npmTest({ "src/a.test.ts": pass });
    expect(ended).toEqual({ code: 0, last: "5 passed, 0 failed" });
  });

  test("tells of skipped tests, with the reason above it", async () => {
    const ended = await npmTest({ "src/a.test.ts": pass, "src/b.test.ts": skip(`"no tmux here"`) });
    expect(ended).toEqual({
      code: 0,
      last: "skipped: src/b.test.ts > waits (no tmux here)\n5 passed, 0 failed, 1 skipped",
    });
  });

  test("takes a test skipped without a reason for a failure", async () => {
    const ended = await npmTest({ "src/b.test.ts": skip("") });
    expect(ended).toEqual({
      code: 1,
      last: "FAILED  skipped without a reason: src/b.test.ts > waits\n4 passed, 1 failed",
    });
  });

  test("counts a failed test, a file that cannot be loaded and a failed check", async () => {
    const ended = await npmTest({
      "src/a.test.ts": fail,
      "src/b.test.ts": `import "./missing.ts";\n`,
      "src/c.ts": "export const  c = 1;\n",
    });
    // types (b), format (c), test a, file b; build and lint pass
    expect(ended).toEqual({ code: 1, last: "2 passed, 4 failed" });
  });

  test("is no success when there is no test", async () => {
    expect(await npmTest({})).toMatchObject({ code: 1, last: expect.stringContaining("4 passed, 1 failed") as string });
  });
});

async function npmTest(files: Readonly<Record<string, string>>): Promise<{ code: number; last: string }> {
  const checkout = copyOfCheckout({ installed: true });
  for (const name of ["src", "bench", "docs"]) rmSync(join(checkout, name), { recursive: true, force: true });
  for (const name of readdirSync(join(checkout, "test"))) {
    if (!/setup\.ts$/.test(name)) rmSync(join(checkout, "test", name), { recursive: true });
  }
  const entries = ["src/index.ts", "src/testing/index.ts", "src/surfaces/cli/main.ts"];
  const needed = Object.fromEntries(entries.map((path) => [path, "export const here = true;\n"]));
  for (const [path, text] of Object.entries({ ...needed, ...files })) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  const { code, stdout } = await run("npm", ["test"], { cwd: checkout });
  const lines = stdout.trimEnd().split("\n");
  const from = lines.findLastIndex((line) => !/^(skipped: |FAILED  skipped|\d+ passed)/.test(line));
  return { code, last: lines.slice(from + 1).join("\n") };
}
