import { describe, expect, test } from "vitest";
import { actionIn, asBlock } from "./action.ts";

const block = (command: string, fence = "```"): string => `${fence}bash\n${command}\n${fence}`;

describe("A1: the one action of a reply", () => {
  const runs: [name: string, reply: string, command: string][] = [
    ["a thought and a block", `I look.\n\n${block("ls -la")}\n`, "ls -la"],
    ["several lines", block("cd src\nls"), "cd src\nls"],
    ["Windows line ends", "Look:\r\n```bash\r\ncd src\r\nls\r\n```\r\n", "cd src\nls"],
    ["backticks in the command", block("echo `date` ``x``"), "echo `date` ``x``"],
    ["a block of another language beside it", `As in\n\`\`\`python\nprint(1)\n\`\`\`\n${block("ls")}`, "ls"],
    ["an example within a longer fence", `\`\`\`\`text\n${block("rm -rf x")}\n\`\`\`\`\n${block("ls")}`, "ls"],
    [
      "fences in a command within a longer fence",
      block("cat <<'E'\n```\nx\n```\nE", "````"),
      "cat <<'E'\n```\nx\n```\nE",
    ],
    ["a named fence in a here-document", block("cat <<E > a.md\n```js\nx\n```\nE"), "cat <<E > a.md\n```js\nx\n```\nE"],
    ["an indented fence", "1. so:\n   ```bash\n   ls\n   ```", "   ls"],
    ["a word after bash in the fence", "```bash title=x\nls\n```", "ls"],
    ["inline code", `Use \`\`\`bash\`\`\` like this:\n${block("ls")}`, "ls"],
  ];
  test.each(runs)("%s", (_name, reply, command) => {
    expect(actionIn(reply)).toEqual({ is: "command", command });
  });

  const refused: [name: string, reply: string, why: RegExp][] = [
    ["words only", "I am done.", /found 0 actions/],
    ["nothing", "", /found 0 actions/],
    ["two blocks", `${block("ls")}\nand then\n${block("pwd")}`, /found 2 actions/],
    ["another language only", "```sh\nls\n```", /found 0 actions/],
    ["a block that is not closed", "```bash\nls", /not closed/],
    ["a block that is not closed before the next", "```bash\nls\n```bash\npwd\n```", /not closed/],
    ["an empty block", "```bash\n\n```", /empty/],
    ["a here-document cut by its own fence", block("cat <<'EOF' > a.md\n```\ncode\n```\nEOF"), /here-document/],
  ];
  test.each(refused)("%s is a format error, never run by half", (_name, reply, why) => {
    expect(actionIn(reply)).toEqual({ is: "none", why: expect.stringMatching(why) as string });
  });

  test("a command written as a block is read back the same, whatever fences it holds", () => {
    for (const command of ["ls", "cat <<E\n```\nE", "cat <<E\n`````js\nE\n```"])
      expect(actionIn(asBlock(command))).toEqual({ is: "command", command });
  });
});
