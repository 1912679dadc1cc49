import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempDir } from "../memory/temp-dir.ts";
import { ask } from "./test-client.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));

test("the server runs as a process of its own, tells what came, and ends with its stdin", async () => {
  await using dir = await tempDir();
  const script = dir.join("script.json");
  await writeFile(script, JSON.stringify([{ says: "hello" }, { says: "left" }]));
  const child = spawn(process.execPath, [main, "--script", script], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { url } = JSON.parse((await lines.next()).value as string) as { url: string };

  expect((await ask(url, "openai-chat")).text).toContain("hello");
  expect(await (await fetch(`${url}/__requests`)).json()).toMatchObject({
    count: 1,
    requests: [{ wire: "openai-chat" }],
  });
  const finish = await fetch(`${url}/__finish`);
  expect([finish.status, await finish.json()]).toEqual([
    409,
    { ok: false, problems: [expect.stringContaining("left over: step 2")] },
  ]);
  child.kill("SIGUSR2");
  expect((await lines.next()).value).toBe('{"requests":1}');

  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.stdin.end();
  expect(await exited).toBe(0);
});

test("the server says how it is used when it has no script", async () => {
  const child = spawn(process.execPath, [main], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  expect([code, said]).toEqual([2, expect.stringContaining("usage: main.ts --script FILE")]);
});
