// Runs reached from another terminal: the built command in several processes at once.
import { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { background, GATE, journal, openGate, resultIn, type World, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x"];
type Row = { id: string; tree: string; path: string; status: string; name?: string; waitsFor?: { for: string } };

const types = (w: World): string[] => journal(w.stateDir).map((event) => `${event.path} ${event.type}`);
const rows = async (w: World, ...more: string[]): Promise<Row[]> =>
  JSON.parse((await w.sous(["ps", "--json", ...more])).stdout) as Row[];

/** As if it had been begun at another time. */
async function copySession(trees: string, from: string, to: string): Promise<void> {
  cpSync(join(trees, from), join(trees, to), { recursive: true });
  const files = readdirSync(join(trees, to), { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".jsonl"))) {
    const path = join(trees, to, file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(from, to));
  }
}

describe("another terminal", () => {
  test("X4, B13: ps tells what each agent waits for and since when; output and wait tell its end", async () => {
    await using w = await world({
      conversations: {
        "the lead": [callsAll(call("spawn_subagent", { prompt: "look here", name: "scout" })), says("all in")],
        "look here": [calls("Bash", { command: GATE }), says("seen")],
      },
    });
    expect((await w.sous(["ps"])).stdout).toBe("no agent is at work (sous ps --all shows all)\n");
    const { ended } = background(w, ...yolo, "the lead");
    await waitFor(() => types(w).includes("ROOT::S1 tool.started"));
    const [lead, scout] = await rows(w);
    expect(lead).toMatchObject({
      path: "ROOT",
      agent: "lead",
      status: "waiting",
      waitsFor: { for: "child" },
      turns: 1,
    });
    expect(scout).toMatchObject({
      path: "ROOT::S1",
      name: "scout",
      status: "running",
      waitsFor: { for: "tool", detail: "Bash" },
    });
    const table = (await w.sous(["ps"])).stdout;
    expect(table).toMatch(/^ROOT lead +waiting +child \(spawn_subagent\) \d+ s +1 +1 /m);
    expect(table).toMatch(/^ {2}ROOT::S1 general-purpose "scout" +running +tool \(Bash\) \d+ s /m);
    const early = await w.sous(["wait", "scout", "--timeout", "0.2", "--json"]);
    expect(early.code).toBe(3);
    expect(JSON.parse(early.stdout)).toMatchObject([{ name: "scout", status: "running" }]);
    const sofar = await w.sous(["output", "last/S1"]);
    expect(sofar.stdout).toMatch(/look here[\s\S]*\(running, waits for tool\)/);
    const blocking = w.sous(["output", "scout", "--block", "--json"]);
    openGate(w);
    const blocked = await blocking;
    expect(JSON.parse(blocked.stdout)).toMatchObject({ status: "succeeded", result: { output: "seen" } });
    expect((await w.sous(["wait", "last"])).code).toBe(0);
    expect((await ended).code).toBe(0);
    expect(await rows(w)).toEqual([]);
    expect(await rows(w, "--all")).toMatchObject([
      { path: "ROOT", status: "succeeded", title: "the lead" },
      { path: "ROOT::S1", status: "succeeded", name: "scout" },
    ]);
  });

  test("X4: ps --all shows the agents of the newest twenty ended sessions, and says how many are older", async () => {
    await using w = await world([]);
    await w.sous(["run", "-m", "offline", "hi"]);
    const trees = join(w.stateDir, "trees");
    const [first = ""] = readdirSync(trees);
    for (let at = 10; at < 31; at++) await copySession(trees, first, `agent-0199c2f4-12${at}-7000-8000-000000000000`);
    const { stdout, stderr } = await w.sous(["ps", "--all"]);
    const shown = stdout.split("\n");
    expect(shown.filter((line) => line.startsWith("ROOT lead")).length, stderr).toBe(20);
    expect(shown[1]).toContain(first);
    expect(shown.at(-2)).toBe("(2 older sessions have ended and are not shown: sous sessions, sous sessions tree ID)");
  });

  test("A6: the mode changes for the whole tree at once, also for a child mid-run", async () => {
    await using w = await world({
      conversations: {
        "the lead": [callsAll(call("spawn_subagent", { prompt: "look here" })), says("all in")],
        "look here": [calls("Bash", { command: GATE }), calls("Bash", { command: "touch made" }), says("done")],
      },
    });
    const { ended } = background(w, "run", "-m", "anthropic/x", "--allow", `Bash(${GATE})`, "the lead");
    await waitFor(() => types(w).includes("ROOT::S1 tool.started"));
    expect((await w.sous(["mode", "last"])).stdout).toBe("confirm\n");
    const changed = await w.sous(["mode", "last/S1", "yolo", "--json"]);
    expect(JSON.parse(changed.stdout)).toMatchObject({ mode: "yolo" });
    openGate(w);
    expect((await ended).stdout).toBe("all in\n");
    expect(existsSync(w.dir.join("made"))).toBe(true);
    // Where nobody has it open, it is recorded for the next time.
    await w.sous(["mode", "last", "confirm"]);
    expect(journal(w.stateDir).at(-1)).toMatchObject({ type: "mode.changed", mode: "confirm", path: "ROOT" });
    expect(await w.sous(["mode", "last", "yoloo"])).toMatchObject({
      code: 2,
      stderr: 'sous: there is no mode "yoloo"; did you mean yolo? (human, confirm, yolo)\n',
    });
  });

  test("X5: a tree that pauses at its budget goes on when the budget is raised, in the run or after it", async () => {
    const usage = { inputTokens: 900, outputTokens: 100 };
    const read = () => calls("LS", { path: "." }, { usage });
    await using w = await world([read(), calls("Bash", { command: GATE }, { usage }), read(), says("done")]);
    const { ended } = background(w, ...yolo, "--budget-tokens", "1500", "-o", "json", "go");
    await waitFor(() => types(w).filter((type) => type === "ROOT tool.started").length === 2);
    // In time: without it the run would pause after the second reply.
    expect((await w.sous(["budget", "last", "--tokens", "2500"])).stdout).toMatch(/2000 tokens of 2500\n$/);
    openGate(w);
    const first = await ended;
    expect(first.code, first.stderr).toBe(6);
    expect(resultIn(first.stdout)).toMatchObject({ status: "paused", turns: 3 });
    expect((await w.sous(["wait", "last"])).code).toBe(6);
    expect(await rows(w, "--all")).toMatchObject([{ path: "ROOT", status: "paused" }]);
    const raised = JSON.parse((await w.sous(["budget", "last", "--tokens", "90000", "--json"])).stdout) as unknown;
    expect(raised).toMatchObject({ budget: { tokens: 90000 }, spent: { tokens: 3000 } });
    expect((await w.sous(["run", "--resume", "last"])).stdout).toBe("done\n");
  });

  test("an agent that is not there, or not the only one, is told in one line with what fits", async () => {
    await using w = await world({
      conversations: {
        lead: [callsAll(call("spawn_subagent", { prompt: "CHILD", name: "scout" })), says("ok"), says("again")],
        CHILD: [says("seen")],
      },
    });
    expect(await w.sous(["output", "nobody"])).toMatchObject({
      code: 2,
      stderr: 'sous: there is no session or agent "nobody"; see sous sessions and sous ps --all\n',
    });
    await w.sous([...yolo, "lead"]);
    expect((await w.sous(["output", "scout"])).stdout).toBe("seen\n");
    const [opened] = journal(w.stateDir).filter((event) => event.path === "ROOT::S1");
    expect((await w.sous(["output", opened!.session])).stdout).toBe("seen\n");
    expect(await w.sous(["output", "last/S9"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^sous: there is no agent "S9" in agent-.*\n$/),
    });
    expect(await w.sous(["wait"])).toMatchObject({ code: 2, stdout: "" });
  });

  test("X11: every verb takes the same names: last/S1, a child's name, the start of an id", async () => {
    await using w = await world({
      conversations: {
        lead: [
          callsAll(call("spawn_subagent", { prompt: "CHILD", name: "scout" })),
          says("ok"),
          says("again"),
          says("third"),
        ],
        CHILD: [says("seen"), says("seen again"), says("seen a third time")],
      },
    });
    await w.sous([...yolo, "lead"]);
    const child = journal(w.stateDir).find((event) => event.path === "ROOT::S1")!.session;
    for (const name of ["last/S1", "scout", child, child.slice(6)]) {
      const shown = (await w.sous(["sessions", "show", name])).stdout;
      expect(shown).toMatch(new RegExp(`^session ${child} ROOT::S1: succeeded`));
      expect(shown).not.toContain("> lead");
    }
    expect((await w.sous(["sessions", "tree", "scout"])).stdout).toMatch(
      /^ {2}ROOT::S1 general-purpose succeeded .*\n$/,
    );
    const exported = (await w.sous(["sessions", "export", "last/scout", "-f", "jsonl"])).stdout;
    expect(
      exported
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { path: string }).path),
    ).not.toContain("ROOT");
    expect((await w.sous(["sessions", "export", "scout", "-f", "md"])).stdout).toMatch(/^# CHILD\n/);
    expect(JSON.parse((await w.sous(["sessions", "export", "scout", "-f", "atif"])).stdout)).toMatchObject({
      session_id: child,
    });
    expect((await w.sous(["sessions", "rm", "scout"])).stderr).toMatch(
      /rm removes whole sessions; scout is ROOT::S1 of/,
    );
    const resumed = await w.sous([...yolo, "--resume", "last/S1", "once more"]);
    expect(resumed, resumed.stderr).toMatchObject({ code: 0, stdout: "seen again\n" });
    const more = await w.sous([...yolo, "--resume", "scout", "-o", "json", "and once more"]);
    expect(JSON.parse(more.stdout)).toMatchObject({ session: child, status: "succeeded", output: "seen a third time" });
    expect((await w.sous(["--plain", "--resume", "scout"])).stderr).toMatch(/a conversation is with the lead/);
  });

  test("X11: resume takes --json like the others; run says what it is called there; the version has all its names", async () => {
    await using w = await world([says("one"), says("two")]);
    await w.sous([...yolo, "go"]);
    const resumed = await w.sous(["resume", "last", "more", "--json"]);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: "succeeded", output: "two" });
    expect(await w.sous(["run", "--json", "hi"])).toMatchObject({
      code: 2,
      stderr: "sous: sous run has no flag --json: it is --output json\n",
    });
    const versions = await Promise.all(["--version", "-v", "-V", "version"].map((word) => w.sous([word])));
    expect(new Set(versions.map(({ stdout }) => stdout))).toEqual(new Set([versions[0]!.stdout]));
    expect(versions[0]!.stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});
