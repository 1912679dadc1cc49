// Questions outside the conversation on a real terminal: what was typed before they were shown answers none of them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { PASTE_MS } from "../src/surfaces/cli/conversation/keyboard.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { type World, sousArgv, world } from "./e2e-kit.ts";

/** A pane of tmux where the command starts once `go` is there. */
function laterPane(w: World, ...words: string[]) {
  const name = `sous-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const env = { ...process.env, ...w.env, TERM: "xterm-256color", NO_COLOR: "1" };
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-L", name, "-f", "/dev/null", ...args], { cwd: w.dir.path, env, encoding: "utf8" });
  const command = sousArgv(...words).map((word) => `'${word}'`);
  const wait = "until [ -e go ]; do sleep 0.05; done";
  tmux("new-session", "-d", "-x", "100", "-y", "30", `${wait}; ${command.join(" ")}; echo "ended $?"; read -r wait`);
  const screen = (): string => tmux("capture-pane", "-p", "-S", "-200").trimEnd();
  return {
    screen,
    shows: (text: string) => waitFor(() => screen().includes(text), 15_000),
    row: (start: string) => waitFor(() => (screen().split("\n").at(-1) ?? "").includes(start), 15_000),
    keys: (...keys: string[]) => tmux("send-keys", ...keys),
    async answer(text: string) {
      tmux("send-keys", "-l", text);
      await sleep(2 * PASTE_MS);
      tmux("send-keys", "Enter");
    },
    [Symbol.dispose]: () => void tmux("kill-server"),
  };
}

const rules = (w: World, text: string): void => writeFileSync(w.dir.join("AGENTS.md"), text);
const trusted = (w: World): string => {
  const folder = join(w.stateDir, "trust");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
};

/** A project that was trusted, and whose instructions changed since. */
async function changedProject(): Promise<World> {
  const w = await world([]);
  mkdirSync(w.dir.join(".git"));
  rules(w, "first\n");
  expect(await w.sous(["trust"])).toMatchObject({ code: 0 });
  rules(w, "second\n");
  return w;
}

test("P.B12: what was typed before sous trust asks is no yes, and neither is a bare Enter", async () => {
  await using w = await changedProject();
  using pane = laterPane(w, "trust");
  for (const key of ["y", "Enter", "y", "Enter"]) pane.keys(key);
  writeFileSync(w.dir.join("go"), "");
  await pane.row("Trust it as it is now?");
  await sleep(400);
  pane.keys("Enter");
  await pane.shows("Type y or n");
  expect(trusted(w)).not.toContain("second");
  await pane.answer("y");
  await pane.shows("ended 0");
  expect(trusted(w)).toContain("second");
});

test("P.T05: sous trust accepts exactly what it showed; what changed before the answer is shown again", async () => {
  await using w = await changedProject();
  using pane = laterPane(w, "trust");
  writeFileSync(w.dir.join("go"), "");
  await pane.row("Trust it as it is now?");
  expect(pane.screen()).toContain("+ second");
  rules(w, "third, never shown\n");
  await sleep(400);
  await pane.answer("y");
  await pane.shows("+ third, never shown");
  await pane.shows("the files changed while you were asked");
  expect(trusted(w)).not.toContain("third");
  expect(trusted(w)).not.toContain("second");
  await pane.row("Trust it as it is now?");
  await sleep(400);
  await pane.answer("n");
  await pane.shows("ended 1");
  expect(trusted(w)).not.toContain("third");
});

test("what was typed before sous setup asks is no key and no provider", async () => {
  await using w = await world([]);
  using pane = laterPane(w, "setup", "openai");
  for (const key of ["z", "z", "z", "Enter"]) pane.keys(key);
  writeFileSync(w.dir.join("go"), "");
  await pane.shows("The key of openai");
  await sleep(400);
  expect(pane.screen()).not.toContain("stored in");
  expect(pane.screen()).not.toContain("A command that prints the key");
  await pane.answer("sk-typed-after-the-question");
  await pane.shows("ended 0");
  const [, path = ""] = /stored in (\S+)/.exec(pane.screen().replace(/\n/g, "")) ?? [];
  expect(existsSync(path.replace(/json.*$/, "json"))).toBe(true);
  expect(readFileSync(path.replace(/json.*$/, "json"), "utf8")).toContain("sk-typed-after-the-question");
});
