// Words and standard input together, flags without a command, the tour, and a job in the background.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { sousArgv, world, type World } from "./e2e-kit.ts";

const x = ["run", "-m", "anthropic/x"];
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");
const shell = (w: World, line: string, env: Record<string, string> = {}) =>
  runProcess(["bash", "-c", line], { cwd: w.dir.path, env: { ...w.env, ...env } });
const promptOf = (w: World, n: number): unknown => {
  const body = w.server.requests[n]?.body as { messages: { content: { text: string }[] }[] };
  return body.messages[0]?.content[0]?.text;
};

describe("what is piped in beside a prompt", () => {
  test("comes after it, from a pipe of the shell, of a program, and from a file", async () => {
    await using w = await world({ always: says("ok") });
    const run = quoted(sousArgv(...x, "look at this"));
    const ran = await shell(w, `seq 60000 | ${run}`);
    expect(ran).toMatchObject({ code: 0, stdout: "ok\n", stderr: "" });
    expect(promptOf(w, 0)).toBe(`look at this\n\n${Array.from({ length: 60_000 }, (_, n) => `${n + 1}\n`).join("")}`);
    await w.sous([...x, "look at this"], { stdin: "from a program" });
    expect(promptOf(w, 1)).toBe("look at this\n\nfrom a program");
    writeFileSync(w.dir.join("in.txt"), "from a file");
    await shell(w, `${run} < in.txt`);
    expect(promptOf(w, 2)).toBe("look at this\n\nfrom a file");
    await shell(w, `${run} < /dev/null`);
    expect(promptOf(w, 3)).toBe("look at this");
  });

  test("is not waited for when the pipe stays silent, which is said; - as the last word waits", async () => {
    await using w = await world({ always: says("ok") });
    const ran = await shell(w, `sleep 20 | (${quoted(sousArgv(...x, "go"))}; kill $(pgrep -P $$ sleep))`);
    expect(ran).toMatchObject({ stdout: "ok\n", timedOut: false });
    expect(ran.stderr).toContain("nothing came on standard input, so it is left out");
    expect(promptOf(w, 0)).toBe("go");
    await shell(w, `(sleep 1; echo late) | ${quoted(sousArgv(...x, "go", "-"))}`);
    expect(promptOf(w, 1)).toBe("go\n\nlate\n");
    // A program that never closes it.
    const [command = "", ...rest] = sousArgv(...x, "go");
    const child = spawn(command, rest, { cwd: w.dir.path, env: { ...process.env, ...w.env }, stdio: "pipe" });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(promptOf(w, 2)).toBe("go");
  });

  test("is cut at 8 MB with one line", async () => {
    await using w = await world({ always: says("ok") });
    const ran = await shell(w, `head -c 9000000 /dev/zero | tr '\\0' a | ${quoted(sousArgv(...x, "go"))}`);
    expect(ran.stderr).toContain("sous: standard input is over 8 MB: only its beginning went into the prompt\n");
    expect(promptOf(w, 0)).toBe(`go\n\n${"a".repeat(8_000_000)}`);
  });
});

test("flags without a command are those of one prompt where nobody can type, and one that there is not is named", async () => {
  await using w = await world([calls("Bash", { command: "touch made" }), says("first"), says("second")]);
  const first = await w.sous(["--mode", "yolo", "-m", "anthropic/x", "go"]);
  expect(first).toMatchObject({ code: 0, stdout: "first\n" });
  const second = await shell(w, `echo and on | ${quoted(sousArgv("--resume", "last"))}`);
  expect(second).toMatchObject({ code: 0, stdout: "second\n", stderr: "" });
  expect(JSON.stringify(w.server.requests[2]?.body)).toContain("touch made");
  expect(JSON.stringify(w.server.requests[2]?.body)).toContain("and on");
  w.server.finish();
  expect(await w.sous(["--moed", "yolo"])).toMatchObject({
    code: 2,
    stderr: "sous: sous has no flag --moed; did you mean --mode? (see sous --help)\n",
  });
});

test("issue 9: what is piped to sous alone is a prompt, all of it one", async () => {
  await using w = await world({ always: says("ok") });
  const env = { SOUS_MODEL: "anthropic/x" };
  const ran = await shell(w, `printf 'hi\\nand more\\n' | ${quoted(sousArgv())}`, env);
  expect(ran).toMatchObject({ code: 0, stdout: "ok\n", stderr: "" });
  expect(promptOf(w, 0)).toBe("hi\nand more\n");
  writeFileSync(w.dir.join("in.txt"), "from a file");
  await shell(w, `${quoted(sousArgv())} < in.txt`, env);
  expect(promptOf(w, 1)).toBe("from a file");
});

test("the tour is a command of its own, and what npm start runs on a terminal too", async () => {
  await using w = await world([]);
  mkdirSync(w.dir.join("src"));
  writeFileSync(w.dir.join("package.json"), '{"name":"small","main":"src/main.ts","scripts":{"test":"node --test"}}');
  writeFileSync(w.dir.join("src/main.ts"), "export function main() {\n  return 1;\n}\n");
  const toured = await w.sous(["tour"]);
  expect(toured).toMatchObject({ code: 0, stderr: "" });
  expect(toured.stdout).toContain("Write a failing test");
  expect(toured.stdout).not.toContain("beside package.json");
  expect(toured.stdout).toMatch(/succeeded: \d children, session agent-/);
  const start = sousArgv()[1]?.replace(/bin\/sous\.cjs$/, "scripts/start.mjs") ?? "";
  const onTerminal = await shell(w, `script -qec "${process.execPath} ${start}" /dev/null < /dev/null`);
  expect(onTerminal.stdout).toMatch(/succeeded: \d children, session agent-/);
  expect((await w.sous(["--help"])).stdout).toContain("\n  tour ");
});

test("a job in the background draws no status line; its other lines are told", async () => {
  await using w = await world([
    calls("Bash", { command: "sleep 0.6" }),
    calls("Write", { file_path: "a", content: "b" }),
    says("The end."),
  ]);
  const run = quoted(sousArgv("run", "--deny", "Write", "--allow", "Bash", "-m", "anthropic/x", "go"));
  writeFileSync(w.dir.join("job.sh"), `set -m; ${run} < /dev/null & wait`);
  const { stdout: screen } = await shell(w, `script -qec "bash job.sh" /dev/null`, { TERM: "xterm" });
  expect(screen).toContain("The end.");
  expect(screen).not.toContain("\u001b[K");
  expect(screen).not.toContain("⠋");
});
