// Names of tools and agents that are not there, or not yet: told before anything runs, with what was meant.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import type { Finding } from "../src/host/doctor.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { lines, world } from "./e2e-kit.ts";

const x = ["run", "-m", "anthropic/x", "--mode", "yolo"];

test("an agent that is asked for and lies in a project that is not trusted: the error says so, and what to do", async () => {
  await using w = await world([says("as the reviewer")]);
  const file = w.dir.join(".claude/agents/reviewer.md");
  mkdirSync(dirname(file), { recursive: true });
  mkdirSync(w.dir.join(".git"));
  writeFileSync(file, "---\nname: reviewer\ndescription: reviews\n---\nReview.");
  const asked = ["run", "-m", "anthropic/x", "--agent", "reviewer", "go"];
  expect(await w.sous(asked)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: `sous: there is no agent "reviewer": .claude/agents/reviewer.md is not read, because ${w.dir.path} is not trusted: look at it, then run sous trust, or use --trust for once (sous agents list shows all)\n`,
  });
  const other = await w.sous(["run", "--agent", "reviewr", "go"]);
  expect(other.stderr).toContain(`the agents in .claude/agents are not read, because ${w.dir.path} is not trusted`);
  expect((await w.sous([...asked, "--trust"])).stdout).toBe("as the reviewer\n");
  expect((await w.sous(["run", "--agent", "none", "--trust", "go"])).stderr).not.toContain("trusted");
});

describe("a rule that names no tool", () => {
  test("by flag or as a grant is refused with the name that was meant, before the model is asked", async () => {
    await using w = await world([]);
    const denied = await w.sous([...x, "--deny", "Bsh", "go"]);
    expect(denied).toMatchObject({ code: 2, stdout: "" });
    expect(denied.stderr).toMatch(
      /^sous: the deny rule Bsh holds nothing: there is no tool "Bsh"; did you mean Bash\?.*\n$/,
    );
    expect((await w.sous([...x, "--allow", "bash(npm test)", "go"])).stderr).toContain("did you mean Bash?");
    expect((await w.sous([...x, "--deny", "Frobnicate", "go"])).code).toBe(2);
    expect(await w.sous(["permissions", "add", "Bsh(npm test)"])).toMatchObject({ code: 2, stdout: "" });
    expect(w.server.requests).toEqual([]);
  });

  test("by flag may be an MCP tool's, one of Claude Code's, another name of ours, or an agent's that is a tool", async () => {
    await using w = await world([
      calls("spawn_subagent", { agent: "general-purpose", prompt: "look", description: "look" }),
      says("done"),
    ]);
    const agents = JSON.stringify({ sum: { description: "sums", prompt: "Sum.", inputSchema: { type: "object" } } });
    const flags = ["mcp__github", "NotebookEdit", "KillBash", "sum", "Task"].flatMap((rule) => ["--deny", rule]);
    const ran = await w.sous([...x, "--agents", agents, ...flags, "go"]);
    expect(ran.stdout).toBe("done\n");
    // Another name of a tool of ours holds for that tool.
    expect(JSON.stringify(w.server.requests.at(-1)?.body)).toContain("spawn_subagent was refused");
    w.server.finish();
  });

  test("in the configuration is one line at each run and in doctor, where it denies or is a near miss", async () => {
    await using w = await world([calls("Bash", { command: "touch made" }), says("done")]);
    const config = w.dir.join("c.json");
    const permissions = { deny: ["Bsh(rm:*)", "WebSearch"], allow: ["Raed", "SomethingElse"] };
    writeFileSync(config, JSON.stringify({ permissions }));
    const ran = await w.sous([...x, "--config", config, "go"]);
    const told = [
      'in the configuration, the allow rule Raed holds nothing: there is no tool "Raed"; did you mean Read?',
      'in the configuration, the deny rule Bsh(rm:*) holds nothing: there is no tool "Bsh"; did you mean Bash?',
    ];
    expect(lines(ran.stderr)).toEqual(told.map((line) => `sous: ${line}`));
    expect(existsSync(w.dir.join("made"))).toBe(true);
    const { findings } = JSON.parse((await w.sous(["doctor", "--json", "--config", config])).stdout) as {
      findings: Finding[];
    };
    expect(findings.filter(({ check }) => check === "rules").map((one) => one.says)).toEqual(told);
  });
});
