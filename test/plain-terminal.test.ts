// The line conversation on a real terminal: what is typed, pasted and shown when.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { PASTE_MS, STILL_MS } from "../src/surfaces/cli/conversation/keyboard.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { calls, says, slow } from "../src/testing/wire-server/script.ts";
import { byTask } from "./by-task.ts";
import { GATE, openGate, sousArgv, world, type World } from "./e2e-kit.ts";

/** A pane of tmux with the command in it. */
const terminal = (w: World, ...words: string[]) => paneWith(w, "--plain", "--model", "anthropic/x", ...words);
const paneWith = (w: World, ...words: string[]) =>
  paneRunning(w, `${quoted(sousArgv(...words))}; echo "ended $?"; read -r wait`);
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");
function paneRunning(w: World, command: string) {
  const name = `sous-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const env = { ...process.env, ...w.env, TERM: "xterm-256color", NO_COLOR: "1" };
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-L", name, "-f", "/dev/null", ...args], { cwd: w.dir.path, env, encoding: "utf8" });
  tmux("new-session", "-d", "-x", "100", "-y", "30", command);
  const screen = (): string => tmux("capture-pane", "-p", "-S", "-200").trimEnd();
  const lastRow = (): string => screen().split("\n").at(-1) ?? "";
  return {
    screen,
    lastRow,
    shows: (text: string) => waitFor(() => screen().includes(text), 15_000),
    /** The row where the person types. */
    row: (start: string) => waitFor(() => lastRow().includes(start), 15_000),
    async type(text: string) {
      tmux("send-keys", "-l", text);
      await waitFor(() => lastRow().endsWith(text.trimEnd()), 15_000);
    },
    resize: (columns: number) => tmux("resize-window", "-x", String(columns)),
    /** Without waiting for anything. */
    blindly: (...keys: string[]) => tmux("send-keys", ...keys),
    /** As late as a person presses it after another key, at least. */
    async enter() {
      await sleep(2 * PASTE_MS);
      tmux("send-keys", "Enter");
    },
    /** Bytes as they come from a slow line, all in one read. */
    raw: (bytes: string) => tmux("send-keys", "-H", ...[...Buffer.from(bytes)].map((byte) => byte.toString(16))),
    paste(text: string) {
      tmux("set-buffer", text);
      tmux("paste-buffer", "-p");
    },
    [Symbol.dispose]: () => void tmux("kill-server"),
  };
}

const touch = (file: string) => calls("Bash", { command: `touch ${file}` });
const bodies = (w: World): string[] => w.server.requests.map(({ body }) => JSON.stringify(body));

describe("P.B12: on a terminal", () => {
  test("what is typed before a question answers nothing and goes to the agent; y after it allows one call", async () => {
    await using w = await world([slow({ firstTokenAfterMs: 800 }, touch("one")), touch("two"), says("The end.")]);
    using pane = terminal(w, "go");
    await pane.row("lead confirm>");
    await waitFor(() => w.server.requests.length === 1, 10_000);
    for (const key of ["y", "Enter", "Enter", "y", "Enter"]) pane.blindly(key);
    await pane.row("ROOT run it?");
    expect(existsSync(w.dir.join("one"))).toBe(false);
    await pane.enter();
    await pane.shows("A bare Enter is no answer.");
    await pane.type("y");
    await pane.enter();
    await waitFor(() => existsSync(w.dir.join("one")), 10_000);
    await waitFor(() => pane.screen().includes("touch two") && pane.lastRow().includes("run it?"), 10_000);
    expect(existsSync(w.dir.join("two"))).toBe(false);
    await pane.type("n");
    await pane.enter();
    await pane.shows("The end.");
    expect(existsSync(w.dir.join("two"))).toBe(false);
    expect(bodies(w)[1]).toContain('"y"');
    expect(bodies(w)[2]).toContain("The person said no.");
  });

  test("keys that fall while questions come and go answer none of them", async () => {
    await using w = await world([touch("one"), touch("two"), touch("three"), says("The end.")]);
    using pane = terminal(w, "go");
    await pane.row("ROOT run it?");
    await pane.type("n");
    await pane.enter();
    // Meant for the first, pressed as fast as a person can while the next one appears.
    for (let press = 0; press < 30; press++) {
      await sleep(2 * PASTE_MS);
      pane.blindly(press % 2 === 0 ? "y" : "Enter");
    }
    await waitFor(() => pane.screen().includes("touch two") && pane.lastRow().includes("run it?"), 10_000);
    expect(["one", "two", "three"].filter((file) => existsSync(w.dir.join(file)))).toEqual([]);
    await pane.type("a reason");
    await pane.enter();
    await waitFor(() => pane.screen().includes("touch three") && pane.lastRow().includes("run it?"), 10_000);
    expect(["one", "two", "three"].filter((file) => existsSync(w.dir.join(file)))).toEqual([]);
  });

  test("a paste is one prompt with its lines, and at a question no answer", async () => {
    await using w = await world([touch("one"), says("The end.")]);
    using pane = terminal(w);
    await pane.row("lead confirm>");
    pane.paste("first line\ny\n\nlast line\n");
    await pane.row("last line");
    expect(w.server.requests).toHaveLength(0);
    await pane.enter();
    await pane.row("ROOT run it?");
    expect(bodies(w)[0]).toContain("first line\\ny\\n\\nlast line");
    pane.paste("y\n");
    await pane.row("y↵");
    expect(existsSync(w.dir.join("one"))).toBe(false);
    await pane.enter();
    await pane.shows("An answer is typed, not pasted");
    expect(existsSync(w.dir.join("one"))).toBe(false);
    await pane.type("n");
    await pane.enter();
    await pane.shows("The end.");
    expect(existsSync(w.dir.join("one"))).toBe(false);
  });
});

describe("issue 9: at a question on a terminal", () => {
  test.each([40, 60, 100])("the choice is shown whole at %i columns", async (columns) => {
    await using w = await world([touch("one"), says("The end.")]);
    using pane = terminal(w);
    await pane.row("lead confirm>");
    pane.resize(columns);
    await pane.type("go");
    await pane.enter();
    await pane.row("ROOT run it?");
    expect(pane.screen()).toMatch(/^y = yes, (a = always, )?n = no, or why not$/m);
    await pane.type("y");
    await pane.enter();
    await waitFor(() => existsSync(w.dir.join("one")), 10_000);
  });

  test("y and Enter that come in one read approve nothing, and the person is told at once what to do", async () => {
    await using w = await world([touch("one"), says("The end.")]);
    using pane = terminal(w, "go");
    await pane.row("ROOT run it?");
    await sleep(2 * STILL_MS);
    pane.raw("y\r");
    await pane.shows("An answer is typed, not pasted: type it, then press Enter.");
    expect(pane.lastRow()).toBe("ROOT run it?");
    expect(existsSync(w.dir.join("one"))).toBe(false);
    await pane.type("y");
    await pane.enter();
    await waitFor(() => existsSync(w.dir.join("one")), 10_000);
  });

  test.each(["ok", "yes please", "no thanks"])("%s is neither a yes nor a reason: it is asked again", async (words) => {
    await using w = await world([touch("one"), says("The end.")]);
    using pane = terminal(w, "go");
    await pane.row("ROOT run it?");
    await pane.type(words);
    await pane.enter();
    await pane.shows("Type y for yes,");
    expect(w.server.requests).toHaveLength(1);
    await pane.type("not here, yes please elsewhere");
    await pane.enter();
    await pane.shows("The end.");
    expect(existsSync(w.dir.join("one"))).toBe(false);
    expect(bodies(w)[1]).toContain("not here, yes please elsewhere");
  });

  test("the task is what the person has last said, not what the session began with", async () => {
    await using w = await world([says("Hello."), touch("one"), says("The end.")]);
    using pane = terminal(w, "the first prompt");
    await pane.shows("Hello.");
    await pane.type("the second prompt");
    await pane.enter();
    await pane.row("ROOT run it?");
    expect(pane.screen()).toContain("  task: the second prompt\n");
    expect(pane.screen()).not.toContain("task: the first prompt");
  });

  test("an answer from another terminal is told once, below its question", async () => {
    await using w = await world([touch("one"), says("The end.")]);
    using pane = terminal(w, "go");
    await pane.row("ROOT run it?");
    const [item] = JSON.parse((await w.sous(["inbox", "--json"])).stdout) as { id: string }[];
    await w.sous(["inbox", "answer", item?.id ?? "", "yes"], { env: { SOUS_RUN: "" } });
    await pane.shows("The end.");
    const screen = pane.screen();
    expect(screen.split("answered yes, by sous inbox")).toHaveLength(2);
    expect(screen.split("wants Bash")).toHaveLength(2);
    expect(screen.indexOf("wants Bash")).toBeLessThan(screen.indexOf("answered yes"));
  });
});

describe("issue 9: leaving a conversation on a terminal", () => {
  test("at an idle prompt the first Ctrl-C says so, the second leaves; what is heard between them starts anew", async () => {
    await using w = await world([says("Hello.")]);
    using pane = terminal(w);
    await pane.row("lead confirm>");
    pane.blindly("C-c");
    await pane.shows("press Ctrl-C again to leave");
    await pane.type("hi");
    await pane.enter();
    await pane.shows("Hello.");
    await sleep(2 * STILL_MS);
    pane.blindly("C-c");
    await waitFor(() => pane.screen().split("press Ctrl-C again to leave").length === 3, 10_000);
    pane.blindly("C-c");
    await pane.shows("ended 0");
  });

  test.each(["this Node", "an old one, from which the launcher hands over"])(
    "Ctrl-Z gives the shell back, and fg the conversation, on %s",
    async (which) => {
      await using w = await world([says("Hello.")]);
      const old = w.dir.join("old.cjs");
      writeFileSync(old, 'Object.defineProperty(process, "versions", { value: { node: "20.1.0" } });');
      const hand = which === "this Node" ? [] : ["--require", old];
      using pane = paneRunning(w, "PS1='shell> ' bash --norc --noprofile -i");
      await pane.row("shell>");
      const launcher = join(import.meta.dirname, "..", "bin", "sous.cjs");
      const line = quoted([process.execPath, ...hand, launcher, "--plain", "--model", "anthropic/x"]);
      writeFileSync(w.dir.join("go"), line);
      pane.blindly(". ./go", "Enter");
      await pane.row("lead confirm>");
      pane.blindly("C-z");
      await pane.row("shell>");
      pane.blindly("echo $((40 + 2)) here", "Enter");
      await pane.shows("42 here");
      pane.blindly("fg", "Enter");
      await pane.row("lead confirm>");
      await pane.type("hi");
      await pane.enter();
      await pane.shows("Hello.");
    },
  );

  test("Ctrl-Z where no shell could continue it changes nothing", async () => {
    await using w = await world([says("Hello.")]);
    using pane = terminal(w);
    await pane.row("lead confirm>");
    pane.blindly("C-z");
    await sleep(2 * STILL_MS);
    await pane.type("hi");
    expect(pane.lastRow()).toBe("lead confirm> hi");
    await pane.enter();
    await pane.shows("Hello.");
  });

  test("/q where the person drives is a person who has left, not an input that ended", async () => {
    await using w = await world([says("Hello.")]);
    using pane = terminal(w, "--mode", "human", "go");
    await pane.row("human lead");
    await pane.type("/q");
    await pane.enter();
    await pane.shows("ended ");
    expect(pane.screen()).not.toContain("the input ended");
    expect(pane.screen()).toContain("the person has left");
  });

  test("a letter that is no command suggests none, a mistyped name does", async () => {
    await using w = await world([]);
    using pane = terminal(w);
    await pane.row("lead confirm>");
    await pane.type("/x");
    await pane.enter();
    await pane.shows("there is no command /x (");
    await pane.type("/hepl");
    await pane.enter();
    await pane.shows("did you mean /help?");
  });
});

test("issue 9: sous changes revert lists the files and asks; only a typed y takes them back", async () => {
  await using w = await world([calls("Write", { file_path: "a.txt", content: "new" }), says("ok")]);
  await w.sous(["run", "-m", "anthropic/x", "--mode", "yolo", "go"]);
  using pane = paneWith(w, "changes", "revert", "last");
  pane.blindly("y");
  pane.blindly("Enter");
  await pane.row("Take them back?");
  expect(pane.screen()).toContain("created  +1 -0  a.txt");
  await pane.enter();
  await pane.shows("Type y or n");
  expect(existsSync(w.dir.join("a.txt"))).toBe(true);
  await pane.type("n");
  await pane.enter();
  await pane.shows("ended 1");
  expect(existsSync(w.dir.join("a.txt"))).toBe(true);
  using again = paneWith(w, "changes", "revert", "last");
  await again.row("Take them back?");
  await again.type("y");
  await again.enter();
  await again.shows("ended 0");
  expect(existsSync(w.dir.join("a.txt"))).toBe(false);
});

test("sous permissions clear lists the rules and asks; only a typed y removes them", async () => {
  await using w = await world([]);
  const grants = async () => (await w.sous(["permissions"])).stdout;
  await w.sous(["permissions", "add", "Bash(npm test)"], { env: { SOUS_RUN: "" } });
  using pane = paneWith(w, "permissions", "clear");
  await pane.row("Remove them?");
  expect(pane.screen()).toContain("Bash(npm test)");
  await pane.type("n");
  await pane.enter();
  await pane.shows("ended 1");
  expect(await grants()).toContain("Bash(npm test)");
  using again = paneWith(w, "permissions", "clear");
  await again.row("Remove them?");
  await again.type("y");
  await again.enter();
  await again.shows("ended 0");
  expect(await grants()).toContain("nothing is allowed for good");
});

describe("X11: on a terminal", () => {
  test("the prompt is free while a child works in the background, what it prints does not mangle what is typed, and a question stands below it", async () => {
    await using w = await world(
      byTask(
        {
          "the task": [
            calls("spawn_subagent", { prompt: "look around", name: "scout", background: true }),
            says("I wait for it."),
            touch("made"),
            says("The end."),
          ],
          "look around": [calls("Bash", { command: GATE }), calls("Bash", { command: "echo heard" }), says("seen")],
        },
        {},
      ),
    );
    using pane = terminal(
      w,
      "--allow",
      "Bash(until:*)",
      "--allow",
      `Bash(${GATE})`,
      "--allow",
      "Bash(echo:*)",
      "the task",
    );
    await pane.shows("I wait for it.");
    await pane.row("lead confirm>");
    await pane.type("half a sen");
    openGate(w);
    await pane.shows("heard");
    expect(pane.lastRow()).toBe("lead confirm> half a sen");
    await pane.shows("seen");
    await pane.row("ROOT run it?");
    expect(pane.screen()).toMatch(/ROOT lead wants Bash .*:\n {2}touch made\n {2}task: the task\n/);
    await pane.type("n");
    await pane.enter();
    await pane.shows("The end.");
    await pane.row("lead confirm> half a sen");
    await pane.type("half a sentence");
  });

  test("what is typed while the lead works is said to be read before its next step, and is", async () => {
    await using w = await world([calls("Bash", { command: "sleep 1" }), says("The end.")]);
    using pane = terminal(w, "--allow", "Bash(sleep 1)", "go");
    await pane.shows("sleep 1");
    await pane.row("lead confirm>");
    await pane.type("and the tests");
    await pane.enter();
    await pane.shows("(ROOT lead reads it before its next step)");
    await pane.shows("The end.");
    expect(bodies(w)[1]).toContain("and the tests");
  });
});
