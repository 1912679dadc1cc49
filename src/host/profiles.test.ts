import { expect, test } from "vitest";
import { says, slow } from "../testing/wire-server/script.ts";
import { handsOut, lab, requestsOf, systemOf, toolsOf } from "./host-test-kit.ts";

const config = (value: object): string => JSON.stringify(value);

test("D1: profiles of the person's and of a trusted project's configuration are laid field by field over lower sources", async () => {
  await using l = await lab(
    { "a task": [says("ok")], "b task": [says("ok")], lead: handsOut(["a task", "Explore"], ["b task", "mine"]) },
    {
      "home/.config/sous/config.json": config({
        agents: {
          explore: { model: "claude-haiku-4-5-mine", temperature: 0.5 },
          mine: { description: "Mine.", prompt: "I am mine." },
        },
      }),
      "project/.sous/config.json": config({ agents: { Explore: { temperature: 0.1 }, mine: { tools: ["Read"] } } }),
    },
  );
  await l.run("lead");
  const [explore] = requestsOf(l.server, "a task");
  expect(explore?.model).toBe("claude-haiku-4-5-mine");
  expect(explore?.body).toMatchObject({ temperature: 0.1 });
  expect(systemOf(explore)).toContain("You find things in a code base");
  const [mine] = requestsOf(l.server, "b task");
  expect(systemOf(mine)).toMatch(/^I am mine\./);
  expect(toolsOf(mine)).toEqual(["Read"]);
  await l.run("lead", { trust: false });
  expect(requestsOf(l.server, "a task").at(-1)?.body).toMatchObject({ temperature: 0.5 });
});

test("D1: an agent that only leads, or only watches, is not spawned and not listed", async () => {
  await using l = await lab(
    { "a task": [says("ok")], lead: handsOut(["a task", "boss"], ["a task", "eye"]) },
    {
      "home/.config/sous/config.json": config({
        agents: {
          boss: { description: "Leads.", prompt: "Lead.", capabilities: ["primary"] },
          eye: { description: "Watches.", prompt: "Watch.", capabilities: ["watcher"] },
        },
      }),
    },
  );
  const { result } = await l.run("lead");
  expect(result.children).toEqual([]);
  expect(JSON.stringify(l.server.requests.at(-1)?.body)).toContain(
    "boss is not to be spawned: its capabilities are primary",
  );
  expect(systemOf(l.server.requests[0])).not.toMatch(/boss|eye:/);
});

test("B7: tools that a definition names and nobody has are told to the person, once", async () => {
  await using l = await lab(
    { "a task": [says("ok")], lead: handsOut(["a task", "odd"], ["a task", "odd"]) },
    {
      "home/.claude/agents/odd.md":
        "---\nname: odd\ndescription: Odd.\ntools: Read, Hammer\nmodel: Some Name 9\n---\nOdd.\n",
    },
  );
  const { notices } = await l.run("lead");
  expect(notices.filter((words) => words.includes("odd names tools that are not there: Hammer"))).toHaveLength(1);
  expect(notices.filter((words) => words.includes('there is no model "Some Name 9"'))).toHaveLength(1);
});

test("B16: --max-concurrent bounds how many children run at one time", async () => {
  await using l = await lab({
    "a task": [slow({ firstTokenAfterMs: 60 }, says("ok"))],
    lead: handsOut(["a task 1", "Explore"], ["a task 2", "Explore"], ["a task 3", "Explore"]),
  });
  await l.run("lead", { maxConcurrent: 1 });
  const at = requestsOf(l.server, "a task").map((request) => request.at);
  const apart = at.slice(1).map((time, n) => time - (at[n] ?? 0));
  expect(apart).toHaveLength(2);
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(55);
});
