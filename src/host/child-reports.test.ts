// What a lead sees of its children: while they work, at their end, and of long reports.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Recorded } from "../core/events.ts";
import { call, calls, callsAll, fails, responder, says, slow } from "../testing/wire-server/script.ts";
import { startWireServer } from "../testing/wire-server/start-wire-server.ts";
import type { WireRequest } from "../testing/wire-server/wire-request.ts";
import { type Lab, lab, requestsOf } from "./host-test-kit.ts";
import { createHost } from "./host.ts";

const untilThere = (file: string): string => `until [ -e ${file} ]; do sleep 0.05; done`;
/** What the lead was told before its nth request. */
const toldBefore = (l: Lab, n: number): string => {
  const body = requestsOf(l.server, "lead")[n - 1]?.body as { messages: unknown[] } | undefined;
  return JSON.stringify(body?.messages.at(-1));
};

test("B13, C1: output gives what a child said so far, at its end its report, after a timeout what there is; a failure has its reason", async () => {
  await using l = await lab({
    "child task": [
      calls("Bash", { command: `touch begun; ${untilThere("open")}` }, { says: "I begin with the parser." }),
      says("all of it"),
    ],
    "bad task": [fails(401)],
    lead: [
      callsAll(call("Task", { prompt: "child task", run_in_background: true, name: "scout" })),
      calls("Bash", { command: untilThere("begun") }),
      calls("subagents", { action: "output", id: "scout" }),
      calls("subagents", { action: "output", id: "ROOT::S1", block: true, timeout: 600 }),
      calls("Bash", { command: "touch open" }),
      calls("subagents", { action: "output", id: "scout", block: true, timeout: 20_000 }),
      callsAll(call("spawn_subagent", { prompt: "bad task", name: "bad" })),
      calls("subagents", { action: "output", id: "bad" }),
      says("done"),
      says("done"),
    ],
  });
  const { result } = await l.run("lead", { mode: "yolo" });
  expect(result.status).toBe("succeeded");
  expect(toldBefore(l, 2)).toMatch(/child ROOT::S1 \(agent-[^)]*\) runs in the background/);
  for (const n of [4, 5])
    expect(toldBefore(l, n)).toMatch(/ROOT::S1 general-purpose .*scout.* running.*I begin with the parser.*calls Bash/);
  expect(toldBefore(l, 7)).toMatch(/child ROOT::S1 \(general-purpose, agent-[^)]*\): succeeded.*all of it/);
  expect(toldBefore(l, 9)).toMatch(/child ROOT::S2 \(general-purpose, agent-[^)]*\): failed.*key/);
});

test("E5, C5: of long reports of spawn_foreach the lead is told a part each, and reads the rest where they say", async () => {
  const long = (item: string): string => Array.from({ length: 1_500 }, (_, n) => `${item} ${n}`).join("\n");
  const first = ({ body }: WireRequest): string => JSON.stringify((body as { messages: unknown[] }).messages[0]);
  await using l = await lab({});
  await using server = await startWireServer(
    responder((request) => {
      const item = /look at (\w+)/.exec(first(request))?.[1];
      if (item) return says(long(item));
      if (request.turn === 1)
        return calls("spawn_foreach", { items: ["apples", "pears", "plums"], prompt: "look at {{item}}" });
      const paths = [...JSON.stringify(request.body).matchAll(/Read (\S+?\.txt) for the whole/g)].map(
        ([, path]) => path!,
      );
      return request.turn === 2 ? calls("Read", { file_path: paths[1]!, offset: 1_499 }) : says("read");
    }),
  );
  const host = createHost({ env: { ...server.env, HOME: l.home }, version: "0", stateDir: l.dir.join("state") });
  const live = await host.run(
    {
      ...{ cwd: l.project, model: "anthropic/x", limits: {}, budget: {}, addDirs: [], trust: true, trigger: "test" },
      ...{ mode: "confirm", rules: { allow: [], ask: [], deny: [] }, prompt: "lead" },
    },
    {},
  );
  expect(await live.result).toMatchObject({ status: "succeeded", output: "read" });
  const [, told, after] = server.requests.filter((request) => first(request).includes("lead"));
  expect(told?.size).toBeLessThan(45_000);
  expect(JSON.stringify(after?.body).slice(told?.size)).toContain("pears 1499");
});

test("E6: a child has 50 turns unless its definition says otherwise; B11: its definition can send it to the background", async () => {
  const reads = Array.from({ length: 60 }, (_, n) => calls("Read", { file_path: "lines.txt", offset: n + 1 }));
  await using l = await lab(
    {
      "child task": reads,
      lead: [callsAll(call("spawn_subagent", { prompt: "child task", agent: "slow" })), says("done"), says("done")],
    },
    {
      "home/.claude/agents/slow.md": "---\nname: slow\ndescription: d\nbackground: true\n---\nYou.\n",
      "project/lines.txt": "a line\n".repeat(100),
    },
  );
  const { result } = await l.run("lead", { mode: "yolo" });
  expect(toldBefore(l, 2)).toContain("runs in the background");
  expect(result.children).toMatchObject([{ status: "limit" }]);
  // And one to hand in what it has.
  expect(requestsOf(l.server, "child task")).toHaveLength(51);
});

test("D6: the lead looks into the inbox of its tree: what waits for a person, what has stalled, what has come in", async () => {
  const same = calls("Read", { file_path: "lines.txt" });
  await using l = await lab(
    {
      "asks for it": [calls("Write", { file_path: "made", content: "x" }), says("left it")],
      "ends at once": [says("all is well")],
      "goes round": [same],
      lead: [
        callsAll(
          ...["asks for it", "ends at once", "goes round"].map((prompt) =>
            call("spawn_subagent", { prompt, background: true }),
          ),
        ),
        calls("subagents", { action: "wait", id: "ROOT::S2,ROOT::S3" }),
        calls("subagents", { action: "inbox" }),
        calls("subagents", { action: "stop", id: "ROOT::S1" }),
        says("done"),
      ],
    },
    { "project/lines.txt": "a line\n" },
  );
  await l.run("lead", { mode: "confirm", approvals: "inbox" });
  const told = toldBefore(l, 4);
  expect(told).toContain("ROOT::S1 general-purpose: approval for a person: Write made");
  expect(told).toContain("ROOT::S2 general-purpose: result: succeeded: all is well");
  expect(told).toMatch(/ROOT::S3 general-purpose: stall: /);
});

test("E6: the effort of a definition is its child's", async () => {
  await using l = await lab(
    {
      "hard task": [says("ok")],
      "plain task": [says("ok")],
      lead: [
        callsAll(
          call("spawn_subagent", { prompt: "hard task", agent: "thinker" }),
          call("spawn_subagent", { prompt: "plain task" }),
        ),
        says("done"),
      ],
    },
    { "home/.claude/agents/thinker.md": "---\nname: thinker\ndescription: d\neffort: high\n---\nYou.\n" },
  );
  await l.run("lead", { model: "anthropic/claude-sonnet-4-5" });
  const body = (task: string): unknown => {
    const {
      messages: _messages,
      system: _system,
      tools: _tools,
      ...rest
    } = requestsOf(l.server, task)[0]!.body as Record<string, unknown>;
    return rest;
  };
  expect(body("hard task")).not.toEqual(body("plain task"));
  expect(JSON.stringify(body("hard task"))).toMatch(/thinking|effort/);
});

test("C3, A8: from the files on disk parent and child find each other, and a child works in its parent's folder and environment", async () => {
  await using l = await lab({
    "child task": [calls("Bash", { command: 'echo "at $PWD with $HOME"' }), says("ok")],
    lead: [callsAll(call("spawn_subagent", { prompt: "child task" })), says("done")],
  });
  const { result } = await l.run("lead", { mode: "yolo" });
  const fileOf = (path: string): Recorded[] =>
    readFileSync(join(dirname(result.transcript), `${path}.jsonl`), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Recorded);
  const made = fileOf("ROOT").find((event) => event.type === "child.started");
  const opened = fileOf("ROOT::S1").find((event) => event.type === "session.opened");
  const asked = fileOf("ROOT").find((event) => event.type === "tool.started");
  expect(made).toMatchObject({ child: opened?.session, childPath: "ROOT::S1" });
  expect(opened).toMatchObject({ spawnedBy: { session: result.session, call: (asked as { call: string }).call } });
  expect(JSON.stringify(requestsOf(l.server, "child task")[1]?.body)).toContain(`at ${l.project} with ${l.home}`);
});

test("E3, A5: a child reads unasked; what it writes is asked of the person with its path, and done on a yes", async () => {
  const asked: string[] = [];
  await using l = await lab(
    {
      "child task": [
        callsAll(
          call("Read", { file_path: "lines.txt" }),
          call("LS"),
          call("Glob", { pattern: "*.txt" }),
          call("Grep", { pattern: "line" }),
          call("Write", { file_path: "made.txt", content: "by the child" }),
        ),
        says("ok"),
      ],
      lead: [callsAll(call("spawn_subagent", { prompt: "child task" })), says("done")],
    },
    { "project/lines.txt": "a line\n" },
  );
  const { result } = await l.run("lead", {
    mode: "confirm",
    person: {
      decide: async (approval) => {
        asked.push(`${approval.path} ${approval.tool}`);
        return { allow: true };
      },
      act: async () => undefined,
    },
  });
  expect(result.status).toBe("succeeded");
  expect(asked).toEqual(["ROOT::S1 Write"]);
  expect(readFileSync(`${l.project}/made.txt`, "utf8")).toBe("by the child");
});

test("E5: of a long report the lead is told the beginning and the end, and what is between is left out", async () => {
  const report = Array.from({ length: 5_000 }, (_, n) => `finding ${n};`).join("\n");
  await using l = await lab({
    "child task": [says(report)],
    lead: [callsAll(call("spawn_subagent", { prompt: "child task" })), says("done")],
  });
  await l.run("lead");
  const told = toldBefore(l, 2);
  for (const there of ["finding 0;", "finding 4999;", "characters left out; Read "]) expect(told).toContain(there);
  expect(told).not.toContain("finding 2500;");
});

test("X4: a call that waits for children is not silent, however long they take", async () => {
  const late = slow({ firstTokenAfterMs: 2_000 }, says("late"));
  await using l = await lab(
    {
      "child task": [late],
      lead: [
        callsAll(
          call("spawn_subagent", { prompt: "child task" }),
          call("spawn_foreach", { items: ["a"], prompt: "child task" }),
          call("spawn_subagent", { prompt: "child task", name: "behind", background: true }),
          call("CodeSearch", { query: "child task" }),
        ),
        calls("subagents", { action: "output", id: "behind", block: true }),
        says("done"),
        says("done"),
      ],
    },
    { "home/.config/sous/config.json": JSON.stringify({ limits: { tool: { silenceMs: 700 } } }) },
  );
  const { result } = await l.run("lead");
  expect(result).toMatchObject({ status: "succeeded" });
  expect(result.children.map((child) => (child as { status: string }).status)).toEqual(Array(4).fill("succeeded"));
  expect(JSON.stringify(requestsOf(l.server, "lead").at(-1)?.body)).not.toContain("sign of life");
});
