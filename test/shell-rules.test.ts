// Commands through the built command, with nobody to ask: what only reads runs, what a rule covers runs, the rest not.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { durableOf, type World, world } from "./e2e-kit.ts";

async function ran(commands: readonly string[], flags: readonly string[], prepare: (w: World) => void = () => {}) {
  await using w = await world([...commands.map((command) => calls("Bash", { command })), says("done")]);
  prepare(w);
  const { stdout, stderr } = await w.sous(["run", "--model", "anthropic/x", "-o", "jsonl", ...flags, "go"]);
  const outcomes = durableOf(stdout).flatMap((event) => (event.type === "tool.ended" ? [event.outcome] : []));
  expect(outcomes, stderr).toHaveLength(commands.length);
  return outcomes.map((outcome, n) => ({
    command: commands[n],
    ran: outcome.ok || outcome.why !== "refused",
    said: JSON.stringify(outcome.said),
  }));
}

describe("a command with nobody to ask", () => {
  test("P.B05, E3: runs when it only reads the workspace, and reads nothing through a link that leads out", async () => {
    const all = await ran(
      [
        "cat a.txt | head -1",
        "ls",
        "cat out.txt",
        "cat /etc/hostname",
        "grep -r x . > f",
        "cat ../outside.txt",
        "cat etc/apt/../hostname",
        "./env ls",
      ],
      [],
      (w) => {
        writeFileSync(w.dir.join("a.txt"), "first\nsecond\n");
        symlinkSync("/etc/hostname", w.dir.join("out.txt"));
        mkdirSync(w.dir.join("etc"));
        writeFileSync(w.dir.join("etc", "hostname"), "fine");
        symlinkSync("/etc/apt", w.dir.join("etc", "apt"));
        writeFileSync(w.dir.join("env"), "#!/bin/sh\ntouch ran\n", { mode: 0o755 });
      },
    );
    expect(all.map((one) => one.ran)).toEqual([true, true, false, false, false, false, false, false]);
    expect(all[0]?.said).toContain("first");
    expect(all[2]?.said).toContain("outside the workspace");
    expect(all[4]?.said).toContain("it writes f");
  });

  test("P.B01, P.B03, P.B04: a rule covers each part of a command by itself, and no variable, wrapper or redirection", async () => {
    const commands = [
      "touch a && touch b",
      "touch c; rm a",
      "X=1 touch d",
      "env X=1 touch e",
      "touch f > g",
      "timeout 5 touch h",
      "touch $(rm b)",
      "sh -c 'touch i'",
    ];
    const all = await ran(commands, ["--allow", "Bash(touch *)"]);
    expect(all.map((one) => one.ran)).toEqual([true, false, false, false, false, true, false, false]);
    expect(all[1]?.said).toContain("no rule covers rm a");
  });

  test("P.B04: a deny rule reaches through wrappers and substitutions in yolo, and nothing of the command runs", async () => {
    const commands = ["touch x; rm -f x", "echo $(rm x)", "env rm x", "sh -c 'rm x'", "find . -delete", "echo 'rm x'"];
    const all = await ran(commands, ["--mode", "yolo", "--deny", "Bash(rm *)"]);
    expect(all.map((one) => one.ran)).toEqual([false, false, false, false, false, true]);
  });

  test("P.F02: a file that Read is denied is not read by a command either", async () => {
    const all = await ran(["cat notes.txt", "cat link.txt"], ["--mode", "yolo", "--deny", "Read(secrets/**)"], (w) => {
      mkdirSync(w.dir.join("secrets"));
      writeFileSync(w.dir.join("secrets", "key.txt"), "canary");
      writeFileSync(w.dir.join("notes.txt"), "fine");
      symlinkSync(w.dir.join("secrets", "key.txt"), w.dir.join("link.txt"));
    });
    expect(all.map((one) => one.ran)).toEqual([true, false]);
  });

  test("P.B11: what runs is the command as it was judged; the record has it as it was asked for", async () => {
    const written = "cat  a.txt|head  -1  # the first";
    await using w = await world([calls("Bash", { command: written }), says("done")]);
    writeFileSync(w.dir.join("a.txt"), "first\nsecond\n");
    // A function of that name would run instead of the program, were it not for the environment of what only reads.
    const { stdout } = await w.sous(["run", "--model", "anthropic/x", "-o", "jsonl", "go"], {
      env: { "BASH_FUNC_cat%%": "() { echo forged; }", PATH: `.:${process.env["PATH"]}` },
    });
    const [outcome] = durableOf(stdout).flatMap((event) => (event.type === "tool.ended" ? [event.outcome] : []));
    expect(outcome).toMatchObject({ ok: true, facts: { command: { text: written, exitCode: 0 } } });
    expect(JSON.stringify(outcome?.said)).toContain("first");
  });

  test("P.B11, P.B04: in yolo a command that cannot be read whole does not run beside a rule that denies, and says why", async () => {
    const commands = [`${"true; ".repeat(600)}touch x`, "echo touch y | sh", "prlimit touch z", "touch ok", "ls"];
    const denied = await ran(commands, ["--mode", "yolo", "--deny", "Bash(rm *)"]);
    expect(denied.map((one) => one.ran)).toEqual([false, false, true, true, true]);
    expect(denied[0]?.said).toContain("it runs more than 500 commands; write it as short, plain commands");
    const free = await ran(commands, ["--mode", "yolo"]);
    expect(free.map((one) => one.ran)).toEqual([true, true, true, true, true]);
  });
});
