import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { engine, origin } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import { type Answer, openItems } from "../../core/inbox.ts";
import type { Message } from "../../core/messages.ts";
import type { Model } from "../../ports/model.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { call, callsAll, fails, replies, says } from "../../testing/wire-server/script.ts";
import type { Step } from "../../testing/wire-server/step.ts";
import { answerItem } from "../runs/answer-item.ts";
import { type Tool, defineTool } from "../tools/define-tool.ts";

const FULL = { inputTokens: 170_000, outputTokens: 10 };
/** How models number their calls: from 0 in each reply, with one name for all, with no name, properly. */
const IDS = ["toolu_1", "call_0", "call_0", "0", ""] as const;

/** An effect that a person has to allow, and how often each account had it. */
function payments(): { tool: Tool; made: string[] } {
  const made: string[] = [];
  const tool = defineTool({
    name: "Pay",
    description: "Pays.",
    input: Type.Object({ to: Type.String() }),
    reach: () => [{ may: "act" }],
    async run(_, { to }) {
      made.push(to);
      return { ok: true, said: [{ type: "text", text: "paid" }] };
    },
  });
  return { tool, made };
}

type Pick = <T>(from: readonly T[]) => T;
const picking = (seed: number): Pick => {
  const random = seededRandom(seed);
  return (from) => from[Math.floor(random.next() * from.length)]!;
};

function randomSteps(pick: Pick): Step[] {
  return Array.from({ length: pick([2, 4, 6]) }, (): Step[] => {
    const list = Array.from({ length: pick([1, 1, 2, 3]) }, () =>
      call("Pay", { to: pick(["ann", "ann", "bob"]) }, pick(IDS)),
    );
    const usage = pick([true, false]) ? FULL : undefined;
    return [
      ...(pick([1, 2, 3, 4]) === 1 ? [fails("overloaded")] : []),
      replies({ calls: list, ...(usage && { usage }) }),
      // The compaction before the next turn asks for a summary.
      ...(usage ? [says("what was done")] : []),
    ];
  })
    .flat()
    .concat(says("done"));
}

/** Every call in a request has an id of its own and its result right after it. */
function invalid(messages: readonly Message[]): string | undefined {
  const seen = new Set<string>();
  for (const [at, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const ids = message.content.flatMap((part) => (part.type === "call" ? [part.call] : []));
    for (const id of ids) if (id === "" || seen.has(id) || !seen.add(id)) return `the id ${JSON.stringify(id)} repeats`;
    const next = messages[at + 1];
    const answered = next?.role === "tool" ? next.results.map((result) => result.call) : [];
    if (JSON.stringify(answered) !== JSON.stringify(ids)) return `${ids.join()} are answered by ${answered.join()}`;
  }
  return undefined;
}

async function play(seed: number): Promise<{ yes: string[]; made: string[]; requests: Message[][]; status: string }> {
  const pick = picking(seed);
  const { tool, made } = payments();
  const script = scripted(randomSteps(pick));
  const requests: Message[][] = [];
  const model: Model = {
    ...script,
    stream(request, signal) {
      requests.push([...request.messages]);
      return script.stream(request, signal);
    },
  };
  const yes: string[] = [];
  let lines: string[] = [];
  let e = engine({ model, tools: [tool], approvals: "inbox", lines, baseMs: 0 });
  let result = await e.ask("pay what is due");
  for (let rounds = 0; result.status === "parked" && rounds < 100; rounds++) {
    for (const item of openItems(e.writer.state.items)) {
      const answer: Answer = pick([{ allow: true }, { allow: true }, { allow: false }]);
      if ("allow" in answer && answer.allow) yes.push(String(item.approval!.input["to"]));
      expect(await answerItem(e.writer, item.id, answer, "a test")).toMatchObject({ is: "taken" });
      // An answer that comes again, or late, does nothing.
      expect(await answerItem(e.writer, item.id, { allow: true }, "another")).toMatchObject({ is: "late" });
    }
    ({ lines } = e);
    // A new process goes on; sometimes with all that an old one left in its record.
    e = engine({ model, tools: [tool], approvals: "inbox", lines, baseMs: 0 });
    result = await (await e.start()).result;
  }
  return { yes, made, requests, status: result.status };
}

describe("P.B12: one yes is one call", () => {
  const seeds = Number(process.env["SOAK"] ? 3_000 : 25);
  test(`in ${seeds} histories with repeated ids, compactions, retries and resumes, effects are as many as yeses`, async () => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { yes, made, requests, status } = await play(seed);
      expect({ seed, status, made }).toEqual({ seed, status: "succeeded", made: yes });
      for (const request of requests) expect({ seed, wrong: invalid(request) }).toEqual({ seed, wrong: undefined });
    }
  });

  test("the same call again after a compaction, by the same id, asks again", async () => {
    const { tool, made } = payments();
    const pay = { calls: [call("Pay", { to: "ann" }, "toolu_1")] };
    const model = scripted([replies({ ...pay, usage: FULL }), says("paid ann"), replies(pay), says("done")]);
    let asked = 0;
    const decide = async () => (++asked === 1 ? ({ allow: true } as const) : ({ allow: false, reason: "no" } as const));
    const e = engine({ model, tools: [tool], person: { decide, act: async () => undefined } });
    await e.ask("pay");
    expect([asked, made]).toEqual([2, ["ann"]]);
    expect(e.types().filter((type) => type === "context.compacted")).toHaveLength(1);
  });

  test("a fork that begins with the history of another session gives its calls other ids", async () => {
    const { tool, made } = payments();
    const model = scripted([callsAll(call("Pay", { to: "ann" }, "toolu_1")), says("done")]);
    const person = { decide: async () => ({ allow: true }) as const, act: async () => undefined };
    const first = engine({ model, tools: [tool], person });
    await first.ask("pay");
    const opened = JSON.parse(first.lines[0]!) as Recorded & { type: "session.opened" };
    const history = { from: origin.session, messages: first.state().messages };
    const again = scripted([callsAll(call("Pay", { to: "ann" }, "toolu_1")), says("done")]);
    const fork = engine({ model: again, tools: [tool], person, lines: [JSON.stringify({ ...opened, history })] });
    await fork.ask("pay again");
    expect(made).toEqual(["ann", "ann"]);
    expect(invalid(again.requests.at(-1)!.messages)).toBeUndefined();
  });

  test("a record in which an older version let an id repeat: the answer is spent, and the second call asks", async () => {
    const { tool, made } = payments();
    const model = scripted([callsAll(call("Pay", { to: "ann" }, "toolu_1")), says("done")]);
    const e = engine({ model, tools: [tool], approvals: "inbox" });
    await e.ask("pay");
    const [item] = openItems(e.writer.state.items);
    await answerItem(e.writer, item!.id, { allow: true }, "a test");
    const paid = engine({ model, tools: [tool], approvals: "inbox", lines: e.lines });
    await (
      await paid.start()
    ).result;
    const replied = paid.lines.find((line) => line.includes('"assistant.replied"'))!;
    const last = (JSON.parse(paid.lines.at(-1)!) as Recorded).seq;
    const turn = (type: object, n: number) =>
      JSON.stringify({ ...(JSON.parse(replied) as Recorded), ...type, seq: last + n });
    const lines = [...paid.lines, turn({}, 1)];
    const old = engine({ model: scripted([says("done")]), tools: [tool], approvals: "inbox", lines });
    const result = await (await old.start()).result;
    expect([result.status, made]).toEqual(["parked", ["ann"]]);
    const [again] = openItems(old.writer.state.items);
    expect(again!.id).not.toBe(item!.id);
    expect(await answerItem(old.writer, item!.id, { allow: true }, "a replay")).toMatchObject({ is: "late" });
  });
});
