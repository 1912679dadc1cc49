// Keys that Sous knows: nowhere on the disk, nowhere in what it prints; whole for the person who approves a command.
import { spawn } from "node:child_process";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { calls, fails, says } from "../src/testing/wire-server/script.ts";
import { eventsOf, journal, sousArgv, world } from "./e2e-kit.ts";

const key = "sk-ant-canary-5f2a91c07e";
const run = ["run", "--mode", "yolo", "--model", "anthropic/x"];

/** Files below the folder that hold the text, in any of its forms. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path, "latin1").includes(text));
}

describe("P.X02: a key", () => {
  test("that is in the prompt, a file, an output, an artifact and an answer is on no disk and in no output", async () => {
    const script = [
      calls("Bash", { command: "cat key.txt; seq 1 20000; cat key.txt" }),
      calls("Bash", { command: `echo '{"key":"${key}"}'` }),
      says(`Your key is ${key}, I think.`, { deltas: 20, thinks: `the key: ${key}` }),
    ];
    for (const form of ["text", "json", "jsonl"]) {
      await using w = await world(script);
      writeFileSync(w.dir.join("key.txt"), `${key}\n`);
      const env = { ANTHROPIC_API_KEY: key };
      const ran = await w.sous([...run, "--output", form, `my key is ${key}`], { env });
      w.server.finish();
      expect(ran.code, ran.stderr).toBe(0);
      expect(ran.stdout + ran.stderr).not.toContain(key);
      expect(ran.stdout).toContain("[masked ANTHROPIC_API_KEY]");
      expect(filesWith(w.stateDir, key)).toEqual([]);
      expect(filesWith(w.stateDir, "[masked ANTHROPIC_API_KEY]").length).toBeGreaterThan(1);
      // The run itself is not disturbed: the model is sent what the person and the tools said.
      expect(JSON.stringify(w.server.requests[1]?.body)).toContain(`my key is ${key}`);
      for (const words of [
        ["show", "last"],
        ["export", "last", "--format", "atif"],
        ["search", "your key is"],
      ])
        expect((await w.sous(["sessions", ...words])).stdout).toContain("[masked ANTHROPIC_API_KEY]");
      if (form !== "jsonl") continue;
      const events = eventsOf(ran.stdout);
      const told = events.flatMap((event) => (event.type === "text.delta" ? [event.text] : [])).join("");
      expect(told).toBe("Your key is [masked ANTHROPIC_API_KEY], I think.");
    }
  });

  test("that a command hands out is masked from then on", async () => {
    await using w = await world([says(`I saw ${key}.`), fails("auth", { message: `wrong key ${key}` })]);
    const config = w.dir.join("c.json");
    writeFileSync(
      config,
      JSON.stringify({ providers: { anthropic: { api: "anthropic", apiKeyCommand: `echo ${key}` } } }),
    );
    const env = { ANTHROPIC_API_KEY: undefined };
    const ran = await w.sous(["run", "--config", config, "--model", "anthropic/x", "-o", "json", "hi"], { env });
    expect(ran.stdout).toContain("I saw [masked key of anthropic].");
    const failed = await w.sous(["run", "--config", config, "--continue", "and now?"], { env });
    expect(failed.code).toBe(1);
    for (const said of [ran, failed]) expect(said.stdout + said.stderr).not.toContain(key);
    expect(filesWith(w.stateDir, key)).toEqual([]);
  });

  test("in a command is shown whole to the person who approves it, and the command runs as it is", async () => {
    const command = `printf %s ${key} > out`;
    await using w = await world([calls("Bash", { command }), says("Done.")]);
    const [program = "", ...rest] = sousArgv("--plain", "--model", "anthropic/x", "go");
    const env = { ...process.env, ...w.env, ANTHROPIC_API_KEY: key };
    const child = spawn(program, rest, { cwd: w.dir.path, env });
    let screen = "";
    child.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
    await waitFor(() => screen.includes("run it?"), 10_000);
    child.stdin.write("y\n");
    await waitFor(() => screen.includes("Done."), 10_000);
    child.stdin.end("/q\n");
    await new Promise((resolve) => child.on("close", resolve));
    expect(screen.slice(0, screen.indexOf("run it?"))).toContain(command);
    expect(screen.slice(screen.indexOf("run it?"))).not.toContain(key);
    expect(readFileSync(w.dir.join("out"), "utf8")).toBe(key);
    expect(filesWith(w.stateDir, key)).toEqual([]);
    expect(journal(w.stateDir).find((event) => event.type === "tool.started")).toMatchObject({
      input: { command: "printf %s [masked ANTHROPIC_API_KEY] > out" },
    });
  });
});
