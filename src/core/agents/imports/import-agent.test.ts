import { beforeAll, describe, expect, test } from "vitest";
import { ruleText } from "../../rules.ts";
import { type AgentDefinition } from "../definition.ts";
import { definitionOf } from "../draft.ts";
import { readDefinition } from "../read-definition.ts";
import { type YamlReader, loadYaml } from "../yaml.ts";
import { type ImportFormat, importMarkdown, importToml } from "./import-agent.ts";
import type { Imported } from "./imported.ts";
import { type TomlReader, loadToml } from "./toml.ts";

let yaml: YamlReader;
let toml: TomlReader;
beforeAll(async () => {
  [yaml, toml] = await Promise.all([loadYaml(), loadToml()]);
});

/** What was written, read as one of ours. */
function back(one: Imported): AgentDefinition & { readonly told: readonly string[] } {
  if ("skipped" in one) throw new Error(one.skipped);
  const reading = readDefinition(one.markdown, { kind: "user", priority: 20, file: "x.md" }, yaml);
  if (!("draft" in reading)) throw new Error(JSON.stringify(reading));
  const definition = definitionOf(reading.draft);
  expect(definition.problems).toEqual([]);
  return { ...definition, told: one.told };
}

const from = (file: string, head: string, body = "Prompt: one.", format?: ImportFormat) =>
  importMarkdown(file, `---\n${head}\n---\n${body}\n`, yaml, format);
const toolsOf = ({ tools }: AgentDefinition) => (tools === "inherit" ? tools : tools.map(ruleText));

describe("X14: OpenCode", () => {
  test("mode, steps, tools and denials are carried over, what cannot be is told", () => {
    const agent = back(
      from(
        ".opencode/agents/review.md",
        `description: "Reviews: all"\nmode: all\nmodel: anthropic/claude-x\ntemperature: 0.1\nsteps: 9\ntop_p: 0.3\ntools:\n  write: false\npermission:\n  edit: deny\n  webfetch: allow\n  bash:\n    "rm *": deny\n    "git *": allow`,
      ),
    );
    expect(agent).toMatchObject({
      name: "review",
      description: "Reviews: all",
      model: "anthropic/claude-x",
      temperature: 0.1,
      maxTurns: 9,
      capabilities: ["primary", "subtask"],
      tools: "inherit",
      prompt: "Prompt: one.",
    });
    expect(agent.disallowedTools.map(ruleText)).toEqual(["Write", "Edit", "Bash(rm *)"]);
    expect(agent.told.join("\n")).toMatch(
      /top_p has no counterpart[^]*permission for webfetch[^]*permission for bash git/,
    );
  });

  test("what is closed stays closed", () => {
    expect(toolsOf(back(from("opencode/agent/a.md", 'description: d\ntools: {"*": false, read: true}')))).toEqual([
      "Read",
    ]);
    expect(toolsOf(back(from(".opencode/agents/a.md", "description: d\ntools: [read, magic]")))).toEqual(["Read"]);
    const bash = back(from(".opencode/agents/a.md", 'description: d\npermission: {bash: {"*": deny, "git *": allow}}'));
    expect(bash.disallowedTools.map(ruleText)).toEqual(["Bash"]);
    expect(bash.told.join()).toContain("bash is denied whole");
    expect(back(from(".opencode/agents/a.md", "description: d\npermission: 4")).disallowedTools).toEqual([
      { tool: "*" },
    ]);
    expect(from(".opencode/agents/a.md", "description: d\ndisable: true")).toEqual(
      expect.objectContaining({ skipped: "it is disabled" }),
    );
  });
});

describe("X14: Gemini", () => {
  test("tools, turns and minutes are carried over", () => {
    const agent = back(
      from(
        ".gemini/agents/scout.md",
        "name: scout\ndescription: Scouts\ndisplay_name: The Scout\ntools:\n  - read_file\n  - run_shell_command\n  - google_web_search\nmodel: gemini-3\nmax_turns: 7\ntimeout_mins: 2",
      ),
    );
    expect(agent).toMatchObject({ name: "scout", maxTurns: 7, timeout: 120, model: "gemini-3" });
    expect(toolsOf(agent)).toEqual(["Read", "Bash"]);
    expect(agent.told).toEqual(["there is no tool like google_web_search"]);
  });

  test("a remote agent is not imported", () => {
    expect(from(".gemini/agents/r.md", "name: r\nkind: remote\nagent_card_url: https://x.example")).toHaveProperty(
      "skipped",
    );
  });
});

describe("X14: Copilot", () => {
  test("the file names it; tools of sets and servers become ours", () => {
    const agent = back(
      from(
        ".github/agents/se-architect.agent.md",
        "name: 'SE: Architect'\ndescription: 'Draws: plans'\nmodel: [gpt-6, gpt-5]\ntools: ['codebase', 'edit/editFiles', 'runCommands', 'github/*', 'tracker/open', 'vscodeAPI']\nagents: [scout]\nhandoffs: []",
      ),
    );
    expect(agent).toMatchObject({
      name: "se-architect",
      description: "Draws: plans",
      model: "gpt-6",
      spawns: ["scout"],
      metadata: { label: "SE: Architect" },
    });
    expect(toolsOf(agent)).toEqual([
      "Read",
      "Glob",
      "Grep",
      "Edit",
      "Write",
      "Bash",
      "mcp__github",
      "mcp__tracker__open",
    ]);
    expect(agent.told.join("\n")).toMatch(/handoffs[^]*the first is used[^]*vscodeAPI/);
  });

  test("a list of which nothing is known becomes no tools, never all", () => {
    expect(toolsOf(back(from("a.agent.md", "description: d\ntools: [vscodeAPI]")))).toEqual([]);
  });
});

describe("X14: Codex", () => {
  const parsed = (text: string): Record<string, unknown> => toml(text) as Record<string, unknown>;

  test("a role's own file", () => {
    const [one] = importToml(
      "agents/judge.toml",
      parsed(
        'name = "judge"\ndescription = "Judges"\ndeveloper_instructions = """\nRead.\n---\nJudge."""\nmodel = "gpt-6"\nmodel_reasoning_effort = "high"\nsandbox_mode = "read-only"\nnickname_candidates = ["Jo"]\n[mcp_servers.docs]\ncommand = "docs-server"',
      ),
      () => undefined,
    );
    const agent = back(one!);
    expect(agent).toMatchObject({
      name: "judge",
      effort: "high",
      model: "gpt-6",
      prompt: "Read.\n---\nJudge.",
      mcpServers: [{ name: "docs", config: { command: "docs-server" } }],
    });
    expect(toolsOf(agent)).toEqual(["Read", "Glob", "Grep", "LS"]);
    expect(agent.told).toEqual(["nickname_candidates has no counterpart and is left out"]);
  });

  test("roles of a configuration, with files of their own", () => {
    const roles = importToml(
      "config.toml",
      parsed(
        '[agents]\nmax_depth = 2\n[agents.scout]\ndescription = "Scouts"\nconfig_file = "scout.toml"\n[agents.lost]\nconfig_file = "gone.toml"',
      ),
      (path) => (path === "scout.toml" ? parsed('developer_instructions = "Scout."') : undefined),
    );
    expect(roles).toHaveLength(2);
    expect(back(roles[0]!)).toMatchObject({ name: "scout", description: "Scouts", prompt: "Scout." });
    expect(roles[1]).toEqual({ skipped: "lost: gone.toml cannot be read" });
  });

  test("broken TOML is said with its line", () => {
    expect(toml("a = 1\nb = [")).toMatchObject({ line: 2, problem: expect.any(String) });
  });
});

test("whose file it is shows from its folder, its ending, or its keys; else nobody guesses", () => {
  const format = (file: string, head: string) => from(file, head).format;
  expect(format("x.md", "description: d\nmax_turns: 3")).toBe("gemini");
  expect(format("x.md", "description: d\npermission: {}")).toBe("opencode");
  expect(format("x.md", "description: d\nhandoffs: []")).toBe("copilot");
  expect(format("x.chatmode.md", "description: d")).toBe("copilot");
  expect(from("x.md", "description: d")).toHaveProperty("skipped", expect.stringContaining("--from"));
  expect(from("x.md", "description: d", "p", "gemini").format).toBe("gemini");
});
