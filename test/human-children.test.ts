// Human mode at the plain terminal: a child is driven by what the person types, by tools and by the bash protocol.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { byTask } from "./by-task.ts";
import { sousArgv, world, type World } from "./e2e-kit.ts";

function typing(w: World, ...flags: string[]) {
  const [command = "", ...rest] = sousArgv("--plain", "--model", "anthropic/x", ...flags, "the lead");
  const child = spawn(command, rest, { cwd: w.dir.path, env: { ...process.env, ...w.env } });
  let screen = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (screen += text.toString()));
  const closed = new Promise((resolve) => child.on("close", resolve));
  const at = async (shown: string, line: string): Promise<void> => {
    await waitFor(() => screen.includes(shown), 15_000);
    screen = screen.slice(screen.indexOf(shown) + shown.length);
    child.stdin.write(`${line}\n`);
  };
  return { child, closed, at, screen: () => screen };
}

const block = (command: string) => says(`I do it.\n\`\`\`bash\n${command}\n\`\`\``);

test("A6, 000.23: /u at a child's question lets the person type its next command, /c hands it back to its model", async () => {
  await using w = await world(
    byTask({
      "the lead": [calls("spawn_subagent", { prompt: "the child" }), says("All done.")],
      "the child": [calls("Bash", { command: "touch by-model" }), says("The child is done.")],
    }),
  );
  const t = typing(w);
  await t.at("run it?", "/u");
  await t.at("human general-purpose (ROOT::S1) $", "touch by-hand");
  await waitFor(() => existsSync(w.dir.join("by-hand")), 15_000);
  await t.at("human general-purpose (ROOT::S1) $", "/c");
  await waitFor(() => t.screen().includes("All done."), 15_000);
  expect(existsSync(w.dir.join("by-model"))).toBe(false);
  t.child.kill("SIGKILL");
  await t.closed;
});

test("A6: by the bash protocol, too", async () => {
  await using w = await world(byTask({ "the lead": [block("echo the person was first"), block("touch by-model")] }));
  const t = typing(w, "--protocol", "bash", "--mode", "human");
  await t.at("human lead (ROOT) $", "touch by-hand");
  await waitFor(() => existsSync(w.dir.join("by-hand")), 15_000);
  await t.at("human lead (ROOT) $", "/c");
  await waitFor(() => t.screen().includes("touch by-model"), 15_000);
  expect(existsSync(w.dir.join("by-model"))).toBe(false);
  t.child.kill("SIGKILL");
  await t.closed;
});
