import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mustHaveNode } from "./needs-node.ts";

test("E7: a Node that is too old is told in one line, and none that is new enough", () => {
  for (const version of ["20.20.2", "22.17.9", "18.0.0"])
    expect(() => mustHaveNode(version)).toThrow(`sous needs Node 22.18 or newer, this is ${version}`);
  for (const version of ["22.18.0", "24.1.0", "25.0.0-nightly"]) expect(() => mustHaveNode(version)).not.toThrow();
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe(">=22.18");
});
