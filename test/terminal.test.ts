// What a person sees on a real terminal: the progress line, and completion in a real bash.
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textWidth } from "../src/std/text-width.ts";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { byTask } from "./by-task.ts";
import { sousArgv, world, type World } from "./e2e-kit.ts";

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(" ");

describe("the progress line", () => {
  const script = [calls("Bash", { command: "sleep 0.6" }), says("The end.", { usage: { inputTokens: 1_200 } })];
  const words = ["run", "--mode", "yolo", "-m", "anthropic/x", "go"];
  /** Standard error is a terminal, standard output a file. */
  const onTerminal = (w: World, env: Record<string, string>) =>
    runProcess(["script", "-qec", `${quoted(sousArgv(...words))} > ${w.dir.join("out")}`, "/dev/null"], {
      cwd: w.dir.path,
      env: { ...w.env, TERM: "xterm", ...env },
    });

  test("is one line written over, says what runs, and is gone at the end", async () => {
    await using w = await world(script);
    const { stdout: screen } = await onTerminal(w, {});
    const frames = screen.split("\r\u001b[K");
    expect(frames.some((frame) => /Bash sleep 0\.6 · turn 1 · \d s · 110 tokens/.test(frame))).toBe(true);
    expect(frames.length).toBeLessThan(40);
    expect(screen.trimEnd()).not.toContain("\n");
    expect(screen.trimEnd().endsWith("\r\u001b[K") || frames.at(-1)?.trim() === "").toBe(true);
    expect(screen).toContain("\u001b[2m");
  });

  test("000.22: names the child that is at work", async () => {
    await using w = await world(
      byTask({
        "the lead": [calls("spawn_subagent", { prompt: "look around", name: "scout" }), says("The end.")],
        "look around": [calls("Bash", { command: "sleep 0.6" }), says("seen")],
      }),
    );
    const line = `${quoted(sousArgv(...words.slice(0, -1), "the lead"))} > ${w.dir.join("out")}`;
    const env = { ...w.env, TERM: "xterm", COLUMNS: "120" };
    const { stdout } = await runProcess(["script", "-qec", `stty cols 120; ${line}`, "/dev/null"], {
      cwd: w.dir.path,
      env,
    });
    expect(stdout).toMatch(/ROOT::S1 general-purpose "scout": Bash sleep 0\.6 · turn 1/);
  });

  test("has no colours where they are not wanted, and is not there without a terminal", async () => {
    await using w = await world([...script, ...script]);
    const { stdout: screen } = await onTerminal(w, { NO_COLOR: "1" });
    expect(screen).toContain("Bash sleep 0.6");
    expect(screen).not.toContain("\u001b[2m");
    expect(await w.sous(words)).toMatchObject({ stdout: "The end.\n", stderr: "" });
  });
});

describe("tables on a terminal", () => {
  test.each([40, 57, 80, 132])("issue 9: no row is wider than a terminal of %i columns", async (columns) => {
    await using w = await world({ always: says("1") });
    await w.sous(["run", "-m", "anthropic/x", `a wide title, 日本語の題名です, ${"and more of it ".repeat(20)}`]);
    await w.sous(["run", "-m", "anthropic/x", "short"]);
    for (const words of [["sessions"], ["ps", "--all"], ["agents"]]) {
      const line = `stty cols ${columns}; ${quoted(sousArgv(...words))}`;
      const env = { ...w.env, TERM: "xterm", NO_COLOR: "1" };
      const { stdout } = await runProcess(["script", "-qec", line, "/dev/null"], { cwd: w.dir.path, env });
      const rows = stdout.replaceAll("\r", "").split("\n");
      expect(rows.length).toBeGreaterThan(2);
      expect(rows.filter((row) => textWidth(row) > columns)).toEqual([]);
    }
  });

  test("issue 9: colours are colours on a terminal, and the text of others has none", async () => {
    await using w = await world([
      calls("Write", { file_path: "a.txt", content: "a\u001b[31mred\n" }),
      says("1\u001b[31mred"),
    ]);
    await w.sous(["run", "-m", "anthropic/x", "--mode", "yolo", "make it \u001b[31mred"]);
    const env = { ...w.env, TERM: "xterm", NO_COLOR: undefined };
    const shown: Record<string, string> = {};
    for (const words of ["ps --all", "sessions", "sessions show last", "changes show last", "inbox --all", "doctor"]) {
      const line = quoted(sousArgv(...words.split(" ")));
      shown[words] = (await runProcess(["script", "-qec", line, "/dev/null"], { cwd: w.dir.path, env })).stdout;
      expect(shown[words], words).not.toContain("\u001b[31mred");
      expect(shown[words].replaceAll("\\e[31mred", ""), words).not.toContain("\\e[");
    }
    expect(shown["ps --all"]).toContain("\u001b[2mAGENT\u001b[0m");
    expect(shown["ps --all"]).toContain("\\e[31mred");
    expect(shown["changes show last"]).toContain("\u001b[32m+a\\e[31mred\u001b[0m");
  }, 60_000);

  test("X4: fit its width, with ids that can be typed; in a pipe nothing is cut", async () => {
    await using w = await world([says("1")]);
    const title = "a rather long title that says what it is all about, in many words";
    await w.sous(["run", "-m", "anthropic/x", title]);
    const [session = ""] = readdirSync(join(w.stateDir, "trees"));
    for (const words of [["sessions"], ["ps", "--all"], ["agents"]]) {
      const line = `stty cols 80; ${quoted(sousArgv(...words))}`;
      const env = { ...w.env, TERM: "xterm", NO_COLOR: "1" };
      const { stdout: screen } = await runProcess(["script", "-qec", line, "/dev/null"], { cwd: w.dir.path, env });
      const shown = screen.replaceAll("\r", "").split("\n");
      expect(shown.filter((one) => one.length > 80)).toEqual([]);
      expect(screen).toContain("…");
      const piped = (await w.sous(words)).stdout;
      expect(piped).not.toContain("…");
      if (words[0] === "agents") continue;
      expect(screen).toContain(session.slice(6, 17));
      expect(screen).not.toContain(session);
      expect(piped).toContain(session);
    }
  }, 60_000);
});

describe("completion in bash", () => {
  /** What bash offers for the words, the last of which is being typed. */
  async function offered(w: World, ...typed: string[]): Promise<string[]> {
    const line = `source <(sous completions bash); COMP_WORDS=(${quoted(typed)}); COMP_CWORD=${typed.length - 1}; _sous; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...w.env, SOUS_CONFIG: w.dir.join("config.json") };
    if (!existsSync(env.SOUS_CONFIG)) writeFileSync(env.SOUS_CONFIG, "{}");
    writeFileSync(w.dir.join("sous.sh"), `sous() { ${quoted(sousArgv())} "$@"; }; set -eu; ${line}`);
    const ran = await runProcess(["bash", w.dir.join("sous.sh")], { cwd: w.dir.path, env });
    expect(ran.stderr).toBe("");
    return ran.stdout.split("\n").filter((word) => word !== "");
  }

  test("offers open items of the inbox, and what an approval can be answered with", async () => {
    await using w = await world([calls("ask_user", { question: "blue or green?" })]);
    await w.sous(["run", "-m", "anthropic/x", "paint it"]);
    const [item = ""] = /item-\w+/.exec((await w.sous(["inbox"])).stdout) ?? [];
    expect(await offered(w, "sous", "inbox", "answer", "")).toEqual([item]);
    expect(await offered(w, "sous", "inbox", "answer", item, "a")).toEqual(["always"]);
    expect((await w.sous(["completions", "words", "items"])).stdout).toBe(`${item}\tblue or green?\n`);
  }, 60_000);

  test("offers commands, verbs, flags, values, folders, sessions, agents and models", async () => {
    await using w = await world([says("1")]);
    writeFileSync(w.dir.join("config.json"), '{"aliases": {"mine": "anthropic/x"}}');
    await w.sous(["run", "-m", "anthropic/x", 'a title with "id":"agent-0123" in it']);
    const [session = ""] = readdirSync(join(w.stateDir, "trees"));
    expect(await offered(w, "sous", "")).toEqual(
      expect.arrayContaining(["run", "sessions", "doctor", "setup", "trust", "completions"]),
    );
    expect(await offered(w, "sous", "se")).toEqual(["sessions", "send", "setup"]);
    expect(await offered(w, "sous", "sessions", "e")).toEqual(["export"]);
    expect(await offered(w, "sous", "sessions", "show", "agent-")).toEqual([session]);
    const short = session.slice(6, 17);
    expect(await offered(w, "sous", "run", "--resume", "")).toEqual(["last", short]);
    expect((await w.sous(["sessions", "tree", short])).stdout).toContain(session);
    expect(await offered(w, "sous", "mode", "")).toEqual(["last", short]);
    expect(await offered(w, "sous", "mode", "last", "")).toEqual(["human", "confirm", "yolo"]);
    expect(await offered(w, "sous", "run", "--agent", "Ex")).toEqual(["Explore"]);
    expect(await offered(w, "sous", "agents", "show", "Pl")).toEqual(["Plan", "Planner"]);
    expect(await offered(w, "sous", "agents", "check", "sta")).toEqual(["state"]);
    expect(await offered(w, "sous", "run", "--model", "s")).toEqual(["sonnet"]);
    expect(await offered(w, "sous", "run", "-m", "mine")).toEqual(["mine"]);
    expect(await offered(w, "sous", "run", "--mode", "")).toEqual(["human", "confirm", "yolo"]);
    expect(await offered(w, "sous", "sessions", "export", "last", "--format", "")).toEqual(["md", "jsonl", "atif"]);
    expect(await offered(w, "sous", "run", "--bud")).toEqual(["--budget-usd", "--budget-tokens"]);
    expect(await offered(w, "sous", "run", "--cwd", "sta")).toEqual(["state"]);
    expect(await offered(w, "sous", "completions", "z")).toEqual(["zsh"]);
  }, 60_000);

  test("the scripts for zsh and fish name every command and flag", async () => {
    await using w = await world([]);
    for (const shell of ["zsh", "fish"]) {
      const { stdout, code } = await w.sous(["completions", shell]);
      expect(code).toBe(0);
      for (const word of ["sessions", "doctor", "budget-usd", "yolo", "state-dir"])
        expect(stdout, `${shell} ${word}`).toContain(word);
    }
  });
});
