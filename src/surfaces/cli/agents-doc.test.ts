import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "../../testing/memory/run-process.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";

const main = resolve(import.meta.dirname, "main.ts");
const page = resolve(import.meta.dirname, "../../../docs/agents.md");

/** Other tools' files that the page's examples import. */
const others = {
  ".opencode/agents/a.md": "---\ndescription: a\n---\nA.\n",
  ".gemini/agents/b.md": "---\nname: b\ndescription: b\n---\nB.\n",
  ".github/agents/c.agent.md": "---\ndescription: c\n---\nC.\n",
  "codex/judge.toml": 'description = "d"\ndeveloper_instructions = "D."\n',
};

test("every example of the page about agents runs as it is written", async () => {
  await using dir = await tempDir();
  const text = await readFile(page, "utf8");
  const files = [...text.matchAll(/^`([^`]+)`:\n\n```\w+\n([^]*?)```$/gm)].map(([, path = "", body = ""]) => [
    path,
    body,
  ]);
  for (const [path = "", body = ""] of [...files, ...Object.entries(others), [".git/HEAD", ""]]) {
    await mkdir(dirname(dir.join(path)), { recursive: true });
    await writeFile(dir.join(path), body);
  }
  const commands = [...text.matchAll(/^```sh\n([^]*?)```$/gm)].flatMap(([, body = ""]) => body.trim().split("\n"));
  expect([files.length, commands.length]).toEqual([3, 8]);
  for (const command of commands) {
    const script = command.replace(/^sous /, `"$NODE" "$MAIN" `);
    const env = {
      NODE: process.execPath,
      MAIN: main,
      HOME: dir.path,
      XDG_CONFIG_HOME: undefined,
      SOUS_STATE_DIR: dir.join("state"),
    };
    const { code, stderr } = await runProcess(["sh", "-c", script], { cwd: dir.path, env });
    expect(code, `${command}: ${stderr}`).toBe(0);
  }
}, 120_000);
