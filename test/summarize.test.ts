// Results that a child hands in a second time, shorter, through the built command.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Recorded } from "../src/core/events.ts";
import { call, callsAll, calls, fails, responder, says, slow } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { journal, resultIn, type World, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x", "--trust", "-o", "json"];
const long = Array.from({ length: 5_000 }, (_, n) => `finding ${n}`).join("\n");

/** The lead spawns with this input; its child follows these steps. */
const script = (input: Record<string, unknown>, child: readonly Step[]) =>
  responder((request: WireRequest) => {
    const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
    const spawn = call("spawn_subagent", { prompt: "list findings", ...input } as never);
    if (first.includes("the lead")) return request.turn === 1 ? callsAll(spawn) : says("ok");
    return child[request.turn - 1];
  });

function define(w: World, name: string, head: string): void {
  mkdirSync(w.dir.join(".sous/agents"), { recursive: true });
  writeFileSync(w.dir.join(`.sous/agents/${name}.md`), `---\nname: ${name}\ndescription: d\n${head}\n---\nYou list.\n`);
}

function outcome(w: World) {
  const events = journal(w.stateDir);
  const ends = events.flatMap((one) => (one.type === "run.ended" && one.path === "ROOT::S1" ? [one.result] : []));
  const told = events.findLast((one) => one.type === "tool.ended" && one.path === "ROOT");
  const asked = w.server.requests.filter((one) => JSON.stringify(one.body).includes("list findings"));
  return {
    ends,
    child: ends[0]!,
    told: told?.type === "tool.ended" ? JSON.stringify(told.outcome.said) : "",
    asked: asked.filter((one) => !JSON.stringify(one.body).includes("the lead")),
  };
}

describe("E5: summarize", () => {
  test("a definition that says so: the child shortens a result that is too long, and the whole stays in a file", async () => {
    await using w = await world(script({ agent: "lister" }, [says(long), says("5,000 findings; 17 is the worst")]));
    define(w, "lister", "summarize: true");
    const ran = await w.sous([...yolo, "the lead"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "ok" });
    const { child, told, asked } = outcome(w);
    expect(child).toMatchObject({ status: "succeeded", turns: 2, summary: "5,000 findings; 17 is the worst" });
    expect(child.output).toBe(long);
    expect(readFileSync(child.artifact!.path, "utf8")).toBe(long);
    expect(told).toContain("17 is the worst");
    expect(told).toContain(`its own summary of ${long.length} characters; Read ${child.artifact!.path} for the whole`);
    expect(told).not.toContain("finding 42");
    // It is asked in its own session, so that all it was shown before is the start of the request.
    const [before, after] = asked.map((one) => one.body as { system: unknown; tools: unknown; messages: unknown[] });
    expect(after!.tools).toEqual(before!.tools);
    expect(JSON.stringify(after!.messages.at(-1))).toContain("in at most 3000 characters");
  });

  test("a call with a number: also a yielded result over it; what is short enough is not asked for again", async () => {
    const report = "a finding. ".repeat(100);
    const yields = calls("yield_to_parent", { result: report });
    await using w = await world(script({ summarize: 300 }, [yields, calls("yield_to_parent", { result: "one" })]));
    await w.sous([...yolo, "the lead"]);
    expect(outcome(w).child).toMatchObject({ status: "succeeded", output: report, summary: "one" });
    await using short = await world(script({ summarize: 300 }, [says("nothing found")]));
    await short.sous([...yolo, "the lead"]);
    expect(outcome(short).child).toMatchObject({ output: "nothing found", turns: 1 });
    expect(outcome(short).child).not.toHaveProperty("summary");
  });

  test.each([
    ["is too long itself", [says("x".repeat(5_000))]],
    ["is a call of another tool", [calls("Bash", { command: "touch ran" })]],
    ["does not come", [fails(400)]],
  ])("a summary that %s changes nothing: head and tail are told, and the result stands", async (_, more: Step[]) => {
    await using w = await world(script({ summarize: true }, [says(long), ...more]));
    const ran = await w.sous([...yolo, "the lead"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded" });
    const { child, told } = outcome(w);
    expect(child).toMatchObject({ status: "succeeded", output: long });
    expect(child).not.toHaveProperty("summary");
    expect(child.receipt.toolCalls).toEqual({});
    expect(told).toContain("finding 42\\n");
    expect(told).toContain("finding 4999");
    expect(told).toContain(`Read ${child.artifact!.path} for the whole`);
    expect(told.length).toBeLessThan(23_000);
  });

  test("kill -9 while it is asked: the whole is still its result, and it is asked and ends once", async () => {
    const again = slow({ firstTokenAfterMs: 300 }, says("in short"));
    await using w = await world(script({ agent: "lister" }, [says(long), again]));
    define(w, "lister", "summarize: always");
    await w.sous([...yolo.slice(0, -1), "jsonl", "the lead"], {
      killOn: (line) => {
        const event = JSON.parse(line) as Recorded;
        return event.type === "turn.started" && event.path !== "ROOT" && event.turn === 2;
      },
    });
    expect(outcome(w).ends).toEqual([]);
    const ran = await w.sous(["run", "--trust", "--continue", "-o", "json"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "ok" });
    const { ends, child, told } = outcome(w);
    expect(ends).toHaveLength(1);
    expect(child).toMatchObject({ status: "succeeded", output: long, summary: "in short" });
    expect(told).toContain("in short");
    const asks = journal(w.stateDir).filter((one) => one.type === "summary.asked");
    expect(asks).toHaveLength(1);
  });
});
