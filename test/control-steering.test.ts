// Steering from another terminal: words, interrupting, stopping, going on, in the background, forked.
import { describe, expect, test } from "vitest";
import type { Recorded } from "../src/core/events.ts";
import { call, calls, callsAll, says, slow } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { byTask } from "./by-task.ts";
import { background, GATE, journal, openGate, processesWith, resultIn, type World, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x"];
const spawn = (prompt: string, more: Record<string, string | boolean> = {}) =>
  call("spawn_subagent", { prompt, ...more });
const held = slow({ headersAfterMs: 60_000 }, says("never"));

const asked = (w: World, words: string): number =>
  w.server.requests.filter((request) => JSON.stringify(request.body).includes(words)).length;
const ends = (w: World): string[] =>
  journal(w.stateDir).flatMap((event: Recorded) =>
    event.type === "run.ended" ? [`${event.path} ${event.result.status} ${event.result.by ?? ""}`.trim()] : [],
  );

describe("from another terminal", () => {
  test("X11: words are read before the next model call, once; a follow-up when the agent would end", async () => {
    await using w = await world([calls("Bash", { command: GATE }), says("First answer."), says("Second answer.")]);
    const { ended } = background(w, ...yolo, "go");
    await waitFor(() => w.server.requests.length === 1);
    const later = await w.sous(["send", "last", "and", "the", "follow-up", "--follow-up", "--json"]);
    expect(JSON.parse(later.stdout)).toEqual({ ok: true, said: "sent to ROOT" });
    expect((await w.sous(["send", "last", "-"], { stdin: "leave the tests alone" })).stdout).toBe("sent to ROOT\n");
    openGate(w);
    expect((await ended).stdout).toBe("Second answer.\n");
    const bodies = w.server.requests.map((request) => JSON.stringify(request.body));
    expect(bodies.map((body) => body.split("leave the tests alone").length - 1)).toEqual([0, 1, 1]);
    expect(bodies.map((body) => body.includes("and the follow-up"))).toEqual([false, false, true]);
  });

  test("X11, B13, C7: a child that a person stopped ends alone; its sibling and its parent go on; a person resumes it", async () => {
    await using w = await world(
      byTask(
        {
          "task-one": [held],
          "task-two": [calls("Bash", { command: GATE }), says("two is done")],
          "the lead": [
            callsAll(spawn("task-one", { name: "first" }), spawn("task-two")),
            says("both in"),
            says("one is in too"),
          ],
        },
        { "once more": says("one after all") },
      ),
    );
    const { ended } = background(w, ...yolo, "the lead");
    await waitFor(() => w.server.requests.length === 3);
    expect((await w.sous(["stop", "first"])).stdout).toBe("ROOT::S1 is stopped\n");
    expect(ends(w)).toEqual(["ROOT::S1 cancelled person"]);
    openGate(w);
    expect((await ended).stdout).toBe("both in\n");
    expect(ends(w)).toEqual(["ROOT::S1 cancelled person", "ROOT::S2 succeeded", "ROOT succeeded"]);
    const again = await w.sous(["stop", "last/S1"]);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /ROOT::S1 .*does not run \(cancelled\), so there is nothing to stop: sous resume \S+ goes on with it\n$/,
      ),
    });
    const resumed = await w.sous(["resume", "last/first", "once", "more"]);
    // The child was spoken to, so its answer is printed; its lead reads it and goes on.
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: "one after all\n" });
    expect(resumed.stderr).toMatch(
      /^sous: its lead read this and ended succeeded: one is in too \(sous output \S+ shows/m,
    );
    expect(ends(w).slice(3)).toEqual(["ROOT::S1 succeeded", "ROOT succeeded"]);
  });

  test("X11: an agent that is interrupted lets go of what it does and goes on with the words, knowing all it knew", async () => {
    await using w = await world([calls("Bash", { command: "sleep 9401" }, { says: "I wait." }), says("As you wish.")]);
    const { ended } = background(w, ...yolo, "go");
    await waitFor(() => processesWith("sleep\u00009401").length > 0, 10_000);
    const done = await w.sous(["interrupt", "last"]);
    expect(done).toMatchObject({ code: 0, stdout: "ROOT is interrupted and waits for words\n" });
    await waitFor(() => processesWith("sleep\u00009401").length === 0, 2_000);
    const [row] = JSON.parse((await w.sous(["ps", "--json"])).stdout) as unknown[];
    expect(row).toMatchObject({ path: "ROOT", status: "waiting", waitsFor: { for: "person" } });
    expect((await w.sous(["interrupt", "last", "not", "like", "that"])).stderr).toMatch(/interrupted already/);
    await w.sous(["send", "last", "not like that"]);
    expect((await ended).stdout).toBe("As you wish.\n");
    const told = JSON.stringify(w.server.requests[1]?.body);
    for (const words of ["I wait.", "sleep 9401", "interrupted", "not like that"]) expect(told).toContain(words);
  });

  test("X11: interrupt with words says that it interrupted, and the agent goes on with them", async () => {
    await using w = await world([calls("Bash", { command: "sleep 9403" }), says("As you wish.")]);
    const { ended } = background(w, ...yolo, "go");
    await waitFor(() => processesWith("sleep\u00009403").length > 0, 10_000);
    const done = await w.sous(["interrupt", "last", "not", "like", "that"]);
    expect(done).toMatchObject({ code: 0, stdout: "ROOT is interrupted and goes on with your words\n" });
    expect((await ended).stdout).toBe("As you wish.\n");
  });

  test("X11: where no process has it open, words are kept and the next resume carries them exactly once", async () => {
    await using w = await world([says("one"), says("two"), says("three")]);
    await w.sous([...yolo, "go"]);
    const kept = await w.sous(["send", "last", "KEPT WORDS"]);
    expect(kept.stdout).toMatch(/^kept for ROOT: sous resume agent-.* goes on with it\n$/);
    expect((await w.sous(["resume", "last"])).stdout).toBe("two\n");
    expect(JSON.stringify(w.server.requests[1]?.body).split("KEPT WORDS")).toHaveLength(2);
    expect((await w.sous(["resume", "last"])).stderr).toMatch(/has ended \(succeeded\): give a prompt/);
    const last = await w.sous(["resume", "last", "-o", "json", "more"]);
    expect(resultIn(last.stdout)).toMatchObject({ output: "three", turns: 3 });
    expect(await w.sous(["interrupt", "last"])).toMatchObject({ code: 1, stdout: "" });
  });

  test("C7: words kept for a child that has ended set it to work when its session goes on", async () => {
    await using w = await world(
      byTask({
        "look here": [says("seen"), says("seen again")],
        "the lead": [callsAll(spawn("look here")), says("ok"), says("ok again")],
      }),
    );
    await w.sous([...yolo, "the lead"]);
    await w.sous(["send", "last/S1", "KEPT FOR CHILD"]);
    const resumed = await w.sous(["resume", "last"]);
    expect(resumed, resumed.stderr).toMatchObject({ stdout: "ok again\n", code: 0 });
    expect(asked(w, "KEPT FOR CHILD")).toBe(1);
    expect((await w.sous(["output", "last/S1"])).stdout).toBe("seen again\n");
    expect(asked(w, "seen again")).toBe(1);
  });

  test("X11: a child is sent to the background, forked, and resumed in the process that has it open", async () => {
    await using w = await world(
      byTask({
        "look here": [calls("Bash", { command: GATE }), says("seen at last")],
        "other way": [says("forked report")],
        "quick one": [says("quick"), says("quick again")],
        "the lead": [
          callsAll(spawn("quick one"), spawn("look here")),
          says("I go on."),
          says("some are in"),
          says("all are in"),
        ],
      }),
    );
    const { ended } = background(w, ...yolo, "the lead");
    await waitFor(() => w.server.requests.length === 3 && ends(w).length === 1);
    expect((await w.sous(["background", "last/S2"])).stdout).toBe("ROOT::S2 works on in the background\n");
    await waitFor(() => asked(w, "I go on.") > 0 || w.server.requests.length >= 4);
    const forked = await w.sous(["fork", "last/S1", "the", "other", "way", "--turns", "1"]);
    expect(forked.stdout, forked.stderr).toMatch(/^ROOT::S3 \(agent-.*\) begins as ROOT::S1 stands\n$/);
    const resumed = await w.sous(["resume", "last/S1", "ONCE MORE"]);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: "ROOT::S1 goes on\n" });
    expect((await w.sous(["resume", "last"])).stderr).toMatch(/ROOT is at work already\n$/);
    openGate(w);
    const run = await ended;
    expect(run.code, run.stderr).toBe(0);
    expect(ends(w).toSorted()).toEqual([
      "ROOT succeeded",
      "ROOT::S1 succeeded",
      "ROOT::S1 succeeded",
      "ROOT::S2 succeeded",
      "ROOT::S3 succeeded",
    ]);
    expect(asked(w, "ONCE MORE")).toBeGreaterThan(0);
  });

  test("X11: a fork without words is idle: ps says so, stop and interrupt have nothing to end, words set it to work", async () => {
    await using w = await world(
      byTask(
        {
          "look here": [calls("Bash", { command: GATE }), says("seen")],
          "look there": [calls("Bash", { command: GATE }), says("seen")],
          "the lead": [callsAll(spawn("look here", { name: "bob" }), spawn("look there")), says("in"), says("all in")],
        },
        { "now you": says("forked report") },
      ),
    );
    const { ended } = background(w, ...yolo, "the lead");
    await waitFor(() => w.server.requests.length === 3);
    expect((await w.sous(["fork", "bob"])).stdout).toMatch(/^ROOT::S3 /);
    await w.sous(["background", "bob"]);
    const table = (await w.sous(["ps"])).stdout;
    expect(table).toMatch(/^ {2}ROOT::S1 general-purpose "bob" +running, bg .* look here$/m);
    expect(table).toMatch(/^ {2}ROOT::S2 general-purpose +running .* look there$/m);
    expect(table).toMatch(/^ {2}ROOT::S3 general-purpose +idle, bg +person .* fork of ROOT::S1$/m);
    const idle = (what: string): string =>
      `sous: ROOT::S3 is idle: there is nothing to ${what}, it begins when it is spoken to\n`;
    expect(await w.sous(["stop", "last/S3"])).toMatchObject({ code: 1, stderr: idle("stop") });
    expect(await w.sous(["interrupt", "last/S3"])).toMatchObject({ code: 1, stderr: idle("interrupt") });
    expect((await w.sous(["wait", "last/S3"])).stdout).toMatch(/ROOT::S3 general-purpose idle\n$/);
    expect((await w.sous(["send", "last/S3", "now you"])).stdout).toBe("ROOT::S3 goes on with it\n");
    openGate(w);
    expect((await ended).code).toBe(0);
    expect(ends(w)).toContain("ROOT::S3 succeeded");
  });

  test("a session that is stopped ends with everything it started; what is missing is said in one line", async () => {
    await using w = await world([calls("Bash", { command: "sleep 9402" })]);
    const { ended } = background(w, ...yolo, "-o", "json", "go");
    await waitFor(() => processesWith("sleep\u00009402").length > 0, 10_000);
    expect(await w.sous(["send", "last"])).toMatchObject({ code: 2, stdout: "" });
    expect((await w.sous(["stop"])).stderr).toBe("sous: sous stop needs an agent (see sous ps)\n");
    expect((await w.sous(["stop", "last"])).stdout).toBe("ROOT is stopped\n");
    const run = await ended;
    expect(run.code).toBe(1);
    expect(resultIn(run.stdout)).toMatchObject({ status: "cancelled", by: "person" });
    expect(processesWith("sleep\u00009402")).toEqual([]);
  });
});
