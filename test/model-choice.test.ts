// Which model a name means, given the keys that there are; told in one line before anything is sent.
import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { call, callsAll, says } from "../src/testing/wire-server/script.ts";
import { byTask } from "./by-task.ts";
import { world } from "./e2e-kit.ts";

const none = { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, GEMINI_API_KEY: undefined };
const anthropicOnly = { ...none, ANTHROPIC_API_KEY: "sk-anthropic" };

describe("B6: a model of a provider that has no key", () => {
  test.each([
    ["gpt-5", anthropicOnly, /^sous: gpt-5 is a model of openai, and there is no key for openai: set OPENAI_API_KEY, /],
    ["openai/gpt-5", anthropicOnly, /^sous: openai\/gpt-5 is a model of openai, .* or use a model of anthropic\n$/],
    ["gemini-3.8-flash", anthropicOnly, /there is no key for google: set GEMINI_API_KEY, run sous setup google,/],
    ["gpt-5", none, /^sous: gpt-5 needs a key for openai, and there is none: .* or use the model offline\n$/],
    ["sonnet", none, /^sous: sonnet needs a key for anthropic, .*set ANTHROPIC_API_KEY/],
  ])("%s is told before anything is sent, in one line that says what to do", async (model, env, expected) => {
    await using w = await world([]);
    const ran = await w.sous(["run", "-m", model, "go"], { env });
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(expected);
    expect(ran.stderr.trimEnd()).not.toContain("\n");
    expect(w.server.requests).toEqual([]);
  });

  test("is not used by an agent that asks for it: the parent's is, and parent and person are told", async () => {
    await using w = await world(
      byTask({
        "small task": [says("small is done")],
        lead: [callsAll(call("spawn_subagent", { prompt: "small task", agent: "far" })), says("all done")],
      }),
    );
    const agents = JSON.stringify({ far: { description: "far", prompt: "Far.", model: "openai/gpt-6-luna" } });
    const ran = await w.sous(["run", "-m", "anthropic/x", "--agents", agents, "lead"], { env: anthropicOnly });
    expect(ran).toMatchObject({ code: 0, stdout: "all done\n" });
    expect(ran.stderr).toMatch(/there is no key for openai: .*: the parent's is used/);
    const told = w.server.requests
      .map(({ body }) => JSON.stringify(body))
      .find((body) => body.includes("small is done"));
    expect(told).toMatch(/\[openai\/gpt-6-luna is a model of openai, .*the parent's is used\]/);
  });
});

test("B6: a bare name goes to its maker where that has a key, and otherwise to the provider that serves anything", async () => {
  await using w = await world([says("one"), says("two")]);
  const env = { ...anthropicOnly, OPENAI_API_KEY: "sk-openai" };
  expect((await w.sous(["run", "-m", "gpt-6-luna", "go"], { env })).stdout).toBe("one\n");
  expect(w.server.requests[0]?.wire).toBe("openai-responses");
  const local = { local: { api: "openai-chat", baseUrl: w.server.env["OPENAI_BASE_URL"] } };
  writeFileSync(w.dir.join("c.json"), JSON.stringify({ providers: local }));
  const config = w.dir.join("c.json");
  expect((await w.sous(["run", "-m", "gpt-oss-120b", "--config", config, "go"], { env: none })).stdout).toBe("two\n");
  expect(w.server.requests[1]?.body).toMatchObject({ model: "gpt-oss-120b" });
});

test("B6, B12: our own agents work with whatever model there is, and say nothing of sizes that it does not come in", async () => {
  await using w = await world([]);
  for (const agent of ["Explore", "guide"]) {
    const ran = await w.sous(["run", "--agent", agent, "list TODOs"], { env: none });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).not.toContain("haiku");
  }
});

test("E6: a temperature that the model would refuse is not sent, and parent and person are told", async () => {
  await using w = await world(
    byTask({
      "warm task": [says("warm is done")],
      "cool task": [says("cool is done")],
      lead: [
        callsAll(
          call("spawn_subagent", { prompt: "warm task", agent: "warm" }),
          call("spawn_subagent", { prompt: "cool task", agent: "warm", model: "claude-sonnet-4-5" }),
        ),
        says("all done"),
      ],
    }),
  );
  const agents = JSON.stringify({ warm: { description: "warm", prompt: "Warm.", temperature: 0.5 } });
  const ran = await w.sous(["run", "-m", "anthropic/claude-haiku-5-5", "--agents", agents, "lead"]);
  expect(ran.stdout, ran.stderr).toBe("all done\n");
  const note = "anthropic/claude-haiku-5-5 takes no temperature: the one of warm is not sent";
  expect(ran.stderr).toBe(`sous: ${note}\n`);
  const bodies = w.server.requests.map(({ body }) => body as { model: string; temperature?: number });
  expect(bodies.find(({ model }) => model === "claude-sonnet-4-5")?.temperature).toBe(0.5);
  expect(bodies.filter(({ temperature }) => temperature !== undefined)).toHaveLength(1);
  expect(JSON.stringify(bodies.at(-1))).toContain(`[${note}]`);
});
