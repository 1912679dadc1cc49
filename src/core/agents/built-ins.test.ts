import { expect, test } from "vitest";
import { builtIns } from "./built-ins.ts";
import { definitionOf } from "./draft.ts";
import { grantText } from "./tool-set.ts";

const all = builtIns({ docs: "/opt/sous/docs" }).map(definitionOf);
const bytes = (text: string): number => new TextEncoder().encode(text).length;

test("B12, E8: the built-ins, their models, tools and turns", () => {
  expect(
    all.map(({ name, model, tools, maxTurns }) => [name, model ?? "-", grantText(tools), maxTurns ?? "-"].join(" | ")),
  ).toEqual([
    "general-purpose | - | all of its parent | -",
    "Explore | haiku | Read, Glob, Grep, LS | -",
    "Plan | - | Read, Glob, Grep, LS | -",
    "Bash | - | Bash, BashOutput, KillShell | -",
    "CodeSearch | - | Read, Glob, Grep, LS | 8",
    "CodeReview | - | Read, Glob, Grep | 6",
    "Planner | - | Read, Glob, Grep, LS | 6",
    "statusline-setup | sonnet | Read, Edit, Write | -",
    "guide | haiku | Read, Glob, Grep | -",
  ]);
});

test("E1: three of them are tools of their own, with the seed's input", () => {
  const schemas = Object.fromEntries(
    all.flatMap(({ name, inputSchema }) => (inputSchema ? [[name, inputSchema]] : [])),
  );
  expect(schemas).toMatchObject({
    CodeSearch: { required: ["query"], properties: { query: {}, scope: {} } },
    CodeReview: {
      required: ["target"],
      properties: { focus: { enum: ["bugs", "style", "performance", "security", "all"] } },
    },
    Planner: { required: ["task"], properties: { task: {}, constraints: {} } },
  });
  expect(Object.keys(schemas)).toHaveLength(3);
});

test("every token of a prompt is paid with every spawn: each is short", () => {
  for (const { name, prompt } of all) expect(bytes(prompt), name).toBeLessThan(1_200);
});

test("all can be launched, none spawns, and the guide knows where the documentation is", () => {
  expect(all.every(({ launchable, spawns }) => launchable === true && spawns.length === 0)).toBe(true);
  expect(all.find(({ name }) => name === "guide")).toMatchObject({
    aliases: expect.arrayContaining(["claude-code-guide"]),
    prompt: expect.stringContaining("/opt/sous/docs"),
  });
});
