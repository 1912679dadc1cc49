// What `sous agents check` accepts, launches; what it refuses, does not.
import { expect, test } from "vitest";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { call, callsAll, says } from "../../testing/wire-server/script.ts";
import { lab } from "../host-test-kit.ts";
import { checkAgents } from "./check.ts";

const COUNT = process.env["SOAK"] === "1" ? 400 : 60;

/** Heads that are right, wrong, and right in one place only. */
const lines = {
  tools: [
    ...["Read, Grep", "Bash", "WebSearch", "Raed", "Read, Raed", "mcp__x__y", "Bash(git log:*)", "subagents"],
    ...["child_changes, Read", "spawn_foreach", "request_review", "ask_user, Read", "[]", "'*'", "Skill, NotebookEdit"],
  ],
  disallowedTools: ["Bash", "Read", "Nothing", "Read, Grep, Bash"],
  exitVia: ["yield_to_parent", "ask_user", "submit_for_review", "Bash", "[yield_to_parent, Read]", "nonsense"],
  outputSchema: ["{type: object}", "{type: nonsense}", "{properties: 3}"],
  protocol: ["bash", "tools"],
  spawns: ["'*'", "[Explore]", "[nobody]"],
  hooks: ["{PreToolUse: [{hooks: [{type: command, command: 'true'}]}]}", "{PreToolUse: 3}", "{Nonsense: []}"],
  model: ["haiku", "No Such Model"],
} as const;

function agentFile(name: string, random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const head = Object.entries(lines).flatMap(([key, values]) =>
    random() < 0.35 ? [`${key}: ${pick<string>(values)}`] : [],
  );
  const body = random() < 0.1 ? "Do {{nonsense}}." : "Do.";
  return `---\nname: ${name}\ndescription: does\n${head.join("\n")}\n---\n${body}\n`;
}

test("B4, D11: an agent file is accepted by check exactly when a lead can launch it", async () => {
  const random = seededRandom(9);
  const names = Array.from({ length: COUNT }, (_, n) => `gen${n}x`);
  const files = names.map(
    (name) => [`home/.config/sous/agents/${name}.md`, agentFile(name, () => random.next())] as const,
  );
  const tasks = names.map(
    (name) => [`task ${name}`, [says("```bash\necho MINI_SWE_AGENT_FINAL_OUTPUT\n```")]] as const,
  );
  const spawns = names.map((agent) => call("spawn_subagent", { prompt: `task ${agent}`, agent, background: true }));
  await using l = await lab(
    { ...Object.fromEntries(tasks), lead: [callsAll(...spawns), says("done")] },
    Object.fromEntries(files),
  );
  const { result } = await l.run("lead", { mode: "yolo", limits: { maxTurns: 3 } });
  const launched = new Set(result.children.map((child) => (child as { agent: string }).agent));
  const checked = await checkAgents([`${l.home}/.config/sous/agents`], l.project);
  const accepted = new Set(checked.filter(({ ok }) => ok).map(({ name }) => name));
  const differ = names.filter((name) => launched.has(name) !== accepted.has(name));
  expect(differ.map((name) => [files.find(([path]) => path.endsWith(`/${name}.md`))?.[1], accepted.has(name)])).toEqual(
    [],
  );
  // Both kinds must be there, or this shows nothing.
  expect(Math.min(launched.size, COUNT - launched.size)).toBeGreaterThan(COUNT / 6);
});
