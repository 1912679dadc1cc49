import { describe, expect, test } from "vitest";
import { commandsIn, scriptWords } from "./named-scripts.ts";

describe("the scripts that a command names", () => {
  test.each([
    ["./check.sh --fast", [["./check.sh"]]],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/x.py', [["/p/.claude/hooks/x.py"]]],
    ["${CLAUDE_PROJECT_DIR}/a.sh", [["/p/a.sh"]]],
    ['bash "$(git rev-parse --show-toplevel)"/a.sh', [["/p/a.sh"]]],
    ["python3 -u 'tools/lint.py' src/a.ts", [["tools/lint.py", "src/a.ts"]]],
    ["FOO=1 node scripts/a.js", [["scripts/a.js"]]],
    ["npx tsx scripts/a.ts", [["tsx", "scripts/a.ts"]]],
    ["jq -r .x < in.json | ./send", [["./send"]]],
    ["true && sh ./a.sh; sh b.sh", [["./a.sh"], ["b.sh"]]],
    ["bash -c './a.sh'", [["./a.sh"]]],
    ["/usr/bin/env python3 x.py", [["/usr/bin/env"], ["python3", "x.py"]]],
    ["cat notes.md >> log.txt", []],
    ["eslint src/a.ts", []],
  ])("%s", (command, words) => {
    expect(scriptWords(command, "/p")).toEqual(words);
  });
});

test("the commands of settings, configurations and definitions are found", () => {
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "./a.sh" }] }] };
  expect(commandsIn(".claude/settings.json", JSON.stringify({ hooks }))).toEqual(["./a.sh"]);
  expect(commandsIn(".sous/agents/a.json", JSON.stringify({ workspace: { command: "sh b.sh" } }))).toEqual(["sh b.sh"]);
  expect(commandsIn(".claude/settings.json", '{"command')).toEqual([]);
  const named = (text: string): string[] => commandsIn("a.md", text).flatMap((one) => scriptWords(one, "/p").flat());
  expect(named("---\nhooks:\n  Stop:\n    - hooks:\n        - command: ./a.sh\ntools: Read\n---\nsh no.sh")).toEqual([
    "./a.sh",
  ]);
  expect(named("---\nhooks:\n  Stop:\n  - hooks:\n    - command: |\n        sh ./b.sh\n---\n")).toEqual(["./b.sh"]);
  expect(named(`---\nhooks: ${JSON.stringify(hooks)}\n---\n`)).toEqual(["./a.sh"]);
  expect(named("---\nworkspace: {isolation: custom, command: ./make.sh}\n---\n")).toEqual(["./make.sh"]);
  expect(named("---\ndescription: uses command ./no.sh\n---\n")).toEqual([]);
});
