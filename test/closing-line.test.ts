// The closing line of `npm test`, on small checkouts whose outcome is known.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { copyOfCheckout, cutOff, root, run } from "./checkout.ts";

const pass = `import { expect, test } from "vitest";\ntest("passes", () => expect(1).toBe(1));\n`;
const fail = `import { expect, test } from "vitest";\ntest("fails", () => expect(1).toBe(2));\n`;
const skip = (how: string): string => `import { test } from "vitest";\ntest("waits", (it) => it.skip(${how}));\n`;

describe("the last line of npm test", { timeout: 120_000 }, () => {
  test("counts checks and tests, and tells of skipped ones with the reason above it", async () => {
    const checkout = smallCheckout({ "src/a.test.ts": pass, "src/b.test.ts": skip(`"no tmux here"`) });
    expect(await npmTest(checkout)).toEqual({
      code: 0,
      last: "skipped: src/b.test.ts > waits (no tmux here)\n5 passed, 0 failed, 1 skipped",
    });
    expect(await npmTest(checkout, "a.test.ts")).toEqual({ code: 0, last: "5 passed, 0 failed" });
    expect(await npmTest(checkout, "no-such-test")).toEqual({
      code: 1,
      last: "FAILED  vitest ended with 1\n4 passed, 1 failed",
    });
  });

  test("counts as failed a test, a file that cannot be loaded, a check, and a skip without a reason", async () => {
    const checkout = smallCheckout({
      "src/a.test.ts": fail,
      "src/b.test.ts": `import "./missing.ts";\n`,
      "src/c.ts": "export const  c = 1;\n",
      "src/d.test.ts": skip(""),
    });
    // Of the checks, types (b) and format (c) fail; build and lint pass.
    expect(await npmTest(checkout)).toEqual({
      code: 1,
      last: "FAILED  skipped without a reason: src/d.test.ts > waits\n2 passed, 5 failed",
    });
  });
});

function smallCheckout(files: Readonly<Record<string, string>>): string {
  const checkout = copyOfCheckout({ installed: true });
  // Only the machinery stays: the outcome must not depend on the state of the rest.
  for (const name of [
    "src",
    "bench",
    "docs",
    "examples",
    "test",
    ...readdirSync(checkout).filter((file) => file.endsWith(".md")),
  ]) {
    rmSync(join(checkout, name), { recursive: true, force: true });
  }
  mkdirSync(join(checkout, "test"));
  for (const name of ["setup.ts", "global-setup.ts"]) cpSync(join(root, "test", name), join(checkout, "test", name));
  const entries = ["src/index.ts", "src/testing/index.ts", "src/surfaces/cli/main.ts"];
  const needed = Object.fromEntries(entries.map((path) => [path, "export const here = true;\n"]));
  for (const [path, text] of Object.entries({ ...needed, ...files })) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  return checkout;
}

async function npmTest(checkout: string, ...args: readonly string[]): Promise<{ code: number; last: string }> {
  const { code, stdout } = await run("npm", ["test", "--", ...args], { cwd: checkout, env: cutOff() });
  const lines = stdout.trimEnd().split("\n");
  const from = lines.findLastIndex((line) => !/^(skipped: |FAILED {2}(skipped|vitest)|\d+ passed)/.test(line));
  return { code, last: lines.slice(from + 1).join("\n") };
}
