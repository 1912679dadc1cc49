// `sous --plain` as a person uses it: a real process whose lines are typed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { byTask } from "./by-task.ts";
import { call, calls, callsAll, says, slow } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { journal, sousArgv, world, type World } from "./e2e-kit.ts";

function typing(w: World, ...words: string[]) {
  const [command = "", ...rest] = sousArgv("--plain", "--model", "anthropic/x", ...words);
  const child = spawn(command, rest, { cwd: w.dir.path, env: { ...process.env, ...w.env } });
  let screen = "";
  child.stdout.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (screen += chunk.toString()));
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  let read = 0;
  return {
    child,
    closed,
    screen: () => screen,
    /** Waits until something new is shown, then types a line. */
    async at(shown: string, line: string) {
      await waitFor(() => screen.indexOf(shown, read) >= 0, 10_000);
      read = screen.indexOf(shown, read) + shown.length;
      child.stdin.write(`${line}\n`);
    },
  };
}

const touch = (file: string) => calls("Bash", { command: `touch ${file}` });
const results = (w: World) =>
  journal(w.stateDir).flatMap((event) => (event.type === "run.ended" ? [event.result.status] : []));

describe("sous --plain", () => {
  test("A6: in confirm the person accepts, or a reason goes to the model and nothing runs", async () => {
    await using w = await world([touch("one"), touch("two"), says("I see."), says("Bye.")]);
    const person = typing(w);
    await person.at("> ", "go");
    await person.at("run it?", "y");
    await person.at("run it?", "two is not wanted");
    await person.at("I see.", "and now?");
    await person.at("Bye.", "/q");
    expect(await person.closed).toBe(0);
    w.server.finish();
    expect(existsSync(w.dir.join("one"))).toBe(true);
    expect(existsSync(w.dir.join("two"))).toBe(false);
    expect(JSON.stringify(w.server.requests[2]?.body)).toContain("two is not wanted");
    expect(person.screen()).toContain("ROOT lead wants Bash");
    expect(results(w)).toEqual(["succeeded", "succeeded"]);
  });

  test("A6: a switch to yolo at a question holds from there on, and is recorded", async () => {
    await using w = await world([touch("one"), touch("two"), says("Done.")]);
    const person = typing(w);
    await person.at("> ", "go");
    await person.at("run it?", "/y");
    await person.at("Done.", "/q");
    await person.closed;
    expect(existsSync(w.dir.join("two"))).toBe(true);
    expect(journal(w.stateDir).filter((event) => event.type === "mode.changed")).toMatchObject([{ mode: "yolo" }]);
    expect(person.screen().split("run it?")).toHaveLength(2);
  });

  test("A6: a switch to yolo from another terminal answers what is being asked; a switch out of human gives the work back", async () => {
    await using w = await world([touch("one"), says("Done."), says("Thanks.")]);
    const person = typing(w);
    await person.at("> ", "go");
    await waitFor(() => person.screen().includes("run it?"), 10_000);
    expect((await w.sous(["mode", "last", "yolo"])).code).toBe(0);
    await waitFor(() => person.screen().includes("Done."), 10_000);
    expect(existsSync(w.dir.join("one"))).toBe(true);
    await w.sous(["mode", "last", "human"]);
    await person.at("Done.", "and now?");
    await waitFor(() => person.screen().includes("human lead (ROOT) $ "), 10_000);
    await w.sous(["mode", "last", "confirm"]);
    await person.at("Thanks.", "/q");
    expect(await person.closed).toBe(0);
  });

  test("A6: in human mode the person's command is the action, and the model sees it", async () => {
    await using w = await world([says("You made a file.")]);
    const person = typing(w, "--mode", "human");
    await person.at("> ", "watch me");
    await person.at("human lead (ROOT) $ ", "touch mine");
    await person.at("human lead (ROOT) $ ", "/h");
    await person.at("human lead (ROOT) $ ", "/c");
    await person.at("You made a file.", "/q");
    await person.closed;
    expect(existsSync(w.dir.join("mine"))).toBe(true);
    expect(JSON.stringify(w.server.requests[0]?.body)).toContain("touch mine");
  });

  test("questions of calls that run side by side are asked one after the other, and each gets its answer", async () => {
    const fetch = (host: string) => call("WebFetch", { url: `http://${host}.invalid/` });
    await using w = await world([callsAll(fetch("one"), fetch("two"), fetch("three")), says("All answered.")]);
    const person = typing(w);
    await person.at("> ", "go");
    await person.at("run it?", "not the first");
    await person.at("run it?", "not the second");
    await person.at("run it?", "not the third");
    await person.at("All answered.", "/q");
    await person.closed;
    const told = JSON.stringify(w.server.requests[1]?.body);
    const answers = ["first", "second", "third"].map((word) => told.indexOf(`says: not the ${word}`));
    expect(answers.every((at) => at > 0)).toBe(true);
    expect(answers).toEqual(answers.toSorted((a, b) => a - b));
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 0],
    ["the end of the input", 0],
  ] as const)("P.P01: %s while the session is opening is not lost", async (what, code) => {
    await using w = await world({ always: slow({ firstTokenAfterMs: 20_000 }, says("too late")) });
    const person = typing(w, "go");
    // The greeting comes right before the session is opened, which takes longer than a signal.
    await waitFor(() => person.screen() !== "", 10_000, 1);
    if (what === "the end of the input") person.child.stdin.end();
    else person.child.kill(what);
    if (what === "SIGINT") await person.at("cancelled: ", "/q");
    expect(await person.closed).toBe(code);
    expect(results(w)).toEqual(["cancelled"]);
  });

  test("issue 9: the lines of a pipe are prompts, one after the other, and none is lost while the lead works", async () => {
    await using w = await world([slow({ firstTokenAfterMs: 300 }, says("one")), says("two"), says("three")]);
    const person = typing(w);
    person.child.stdin.write("first\nsecond\nthird\n");
    await person.at("three", "/q");
    expect(await person.closed).toBe(0);
    w.server.finish();
    expect(results(w)).toEqual(["succeeded", "succeeded", "succeeded"]);
  });

  test("P.B12: a line of a pipe that came before the question is a prompt and never its answer", async () => {
    await using w = await world([slow({ firstTokenAfterMs: 300 }, touch("made")), says("no?"), says("y, you say")]);
    const person = typing(w);
    person.child.stdin.write("go\ny\n\ny\n");
    await person.at("run it?", "n");
    await person.at("y, you say", "/q");
    await person.closed;
    expect(existsSync(w.dir.join("made"))).toBe(false);
    expect(JSON.stringify(w.server.requests[1]?.body)).toContain("The person said no.");
  });

  test("P.B12: a bare Enter approves nothing, n is no and not a reason, always shows its rule first", async () => {
    await using w = await world([touch("one"), touch("two"), says("I see.")]);
    const person = typing(w);
    await person.at("> ", "go");
    await person.at("run it?", "");
    await person.at("run it?", "  ");
    await person.at("run it?", "n");
    await person.at("run it?", "n, not on Fridays");
    await person.at("I see.", "/q");
    await person.closed;
    expect([existsSync(w.dir.join("one")), existsSync(w.dir.join("two"))]).toEqual([false, false]);
    expect(person.screen().split("A bare Enter is no answer.")).toHaveLength(3);
    const told = JSON.stringify(w.server.requests[2]?.body);
    expect(told).toContain("The person said no.");
    expect(told).toContain("says: not on Fridays");
  });

  test("A5: the prompt names the agent and the mode, questions and lines name agent, path and task", async () => {
    await using w = await world(
      byTask({
        "the whole task": [
          calls("spawn_subagent", { agent: "general-purpose", name: "scout", prompt: "look around" }),
          says("lead is done"),
        ],
        "look around": [touch("by-child"), says("seen")],
      }),
    );
    const person = typing(w);
    await person.at("lead confirm> ", "/y");
    await person.at("lead yolo> ", "/c");
    await person.at("lead confirm> ", "the whole task");
    await person.at("run it?", "n");
    await person.at("lead is done", "/q");
    await person.closed;
    const screen = person.screen();
    expect(screen).toContain('ROOT::S1 general-purpose "scout" wants Bash');
    expect(screen).toContain("  task: look around");
    expect(screen).toContain("* ROOT lead spawn_subagent");
    expect(screen).toContain("ROOT lead: lead is done");
  });

  test("003.38: a slash and a word reach no model, known or not; a path and // do", async () => {
    await using w = await world({ always: says("ok") });
    const person = typing(w);
    await person.at("> ", "/oracle what now");
    await person.at("there is no command /oracle", "/yol");
    await person.at("did you mean /yolo?", "/etc/hosts is odd");
    await person.at("ok", "//plan it");
    await person.at("ok", "/q");
    await person.closed;
    const bodies = w.server.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toContain("/etc/hosts is odd");
    expect(bodies[1]).toContain('"/plan it"');
    expect(bodies.join("")).not.toContain("oracle");
    for (const words of [["run", "/oracle now"], ["/oracle now"], ["run", "-"]]) {
      const ran = await w.sous(words, { stdin: words.at(-1) === "-" ? "/oracle now" : "" });
      expect(ran.code, words.join(" ")).toBe(2);
    }
    expect(await w.sous([], { stdin: "/oracle now" })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("there is no command /oracle here"),
    });
    expect(w.server.requests).toHaveLength(2);
  });

  test("a screen that is closed ends the run as a person who leaves, without a word of the machine", async () => {
    await using w = await world([calls("Bash", { command: "sleep 0.3; echo hi" }), says("END"), says("x")]);
    const argv = sousArgv("--plain", "--mode", "yolo", "--model", "anthropic/x", "go")
      .map((word) => `'${word}'`)
      .join(" ");
    const piped = spawn("bash", ["-c", `(sleep 30 & wait) | (${argv}; echo "ended $?" >&2) | head -1; kill 0`], {
      cwd: w.dir.path,
      env: { ...process.env, ...w.env },
      detached: true,
    });
    let stderr = "";
    piped.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    await waitFor(() => stderr.includes("ended"), 10_000);
    expect(stderr).toBe("ended 0\n");
    expect(results(w)).toEqual(["cancelled"]);
    process.kill(-piped.pid!, "SIGKILL");
  });

  test("P.B10: an edit is asked as what goes and what comes, a new file as its text", async () => {
    await using w = await world([
      calls("Write", { file_path: "new.txt", content: "one\ntwo" }),
      calls("Edit", { file_path: "new.txt", old_string: "two", new_string: "three\nfour" }),
      says("ok"),
    ]);
    const person = typing(w);
    await person.at("> ", "go");
    await person.at("run it?", "y");
    await person.at("run it?", "y");
    await person.at("ok", "/q");
    await person.closed;
    expect(person.screen()).toMatch(/new\.txt\n {2}\+ one\n {2}\+ two\n/);
    expect(person.screen()).toMatch(/new\.txt\n {2}- two\n {2}\+ three\n {2}\+ four\n/);
    expect(readFileSync(w.dir.join("new.txt"), "utf8")).toBe("one\nthree\nfour");
  });

  test("P.B10: what is asked is shown escaped and whole, here and in the inbox, and exactly that runs", async () => {
    const odd = "\u001b[2J\u202eevil\u200b\u00ad\u061c\u{e0041}\ufeff\r";
    const command = `# harmless\n${" ".repeat(10_000)}echo "${odd}"\t> out${"\n".repeat(50)}touch x`;
    await using w = await world([calls("Bash", { command }), says("ok")]);
    const person = typing(w);
    await person.at("> ", "go");
    await waitFor(() => person.screen().includes("run it?"), 10_000);
    const listed = (await w.sous(["inbox", "list"])).stdout;
    await person.at("run it?", "y");
    await person.at("ok", "/q");
    await person.closed;
    for (const shown of [person.screen(), listed]) {
      for (const hidden of [...odd].filter((char) => !/[ -~]/.test(char))) expect(shown).not.toContain(hidden);
      expect(shown).toContain(
        '  # harmless\n  [10000 spaces]echo "\\e[2J\\u202eevil\\u200b\\xad\\u061c\\u{e0041}\\ufeff\\r"\t> out\n  [49 empty lines]\n  touch x',
      );
    }
    expect(readFileSync(w.dir.join("out"), "utf8")).toBe(`${odd}\n`);
    expect(existsSync(w.dir.join("x"))).toBe(true);
    const ran = journal(w.stateDir).flatMap((event) => (event.type === "tool.started" ? [event.input] : []));
    expect(ran).toEqual([{ command }]);
  });
});
