import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import type { Recorded } from "../../core/events.ts";
import type { Model, ModelPart } from "../../ports/model.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { call, callsAll, says } from "../../testing/wire-server/script.ts";
import { spawnSubagent } from "../tools/spawn-subagent.ts";

const RACES = process.env["SOAK"] === "1" ? 1_000 : 25;

/** Works for ever, unless it was told to be quick. */
const worker = (): Model => ({
  id: "scripted/worker",
  provider: "scripted",
  async *stream(request, signal): AsyncGenerator<ModelPart> {
    if (!JSON.stringify(request.messages.at(-1)).includes("quick")) await sleep(60_000, undefined, { signal });
    yield* scripted([says("done")]).stream(request, signal);
  },
});

const tree = (prompt: string, lines?: string[]) =>
  engine({
    model: scripted(
      lines
        ? [says("ok"), says("ok")]
        : [callsAll(call("spawn_subagent", { prompt, background: true })), says("waiting"), says("ok"), says("ok")],
    ),
    tools: [spawnSubagent],
    children: { "general-purpose": worker() },
    ...(lines && { lines }),
  });

/** A moment between two steps of the engine. */
async function moments(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await (n % 5 === 4 ? sleep(0) : Promise.resolve());
}

const endsOf = (lines: readonly string[], path: string): string[] =>
  lines
    .map((line) => JSON.parse(line) as Recorded)
    .flatMap((event) => (event.type === "run.ended" && event.path === path ? [event.result.status] : []));

async function staysStopped(lines: string[], ends: readonly string[], where: string): Promise<void> {
  const again = tree("", [...lines]);
  await again.ask("and now?");
  expect(endsOf(again.lines, "ROOT::S1"), `${where}, after a restart`).toEqual(ends);
}

test("P.P06: a child that is stopped in the instant it is spawned ends once, as cancelled, and nothing brings it back", async () => {
  const random = seededRandom(11);
  for (let race = 0; race < RACES; race++) {
    const e = tree("work");
    await e.send("go");
    const opened = Promise.withResolvers<void>();
    e.writer.subscribe((event) => event.type === "session.opened" && event.path === "ROOT::S1" && opened.resolve());
    const handle = await e.start();
    await opened.promise;
    const count = Math.floor(random.next() * 40);
    await moments(count);
    expect(await e.controls().stop(e.at("ROOT::S1").session, "person"), `race ${race}, ${count}`).toEqual({ ok: true });
    expect((await handle.result).status, `race ${race}, ${count}`).toBe("succeeded");
    expect(endsOf(e.lines, "ROOT::S1"), `race ${race}, ${count}`).toEqual(["cancelled"]);
    await staysStopped(e.lines, ["cancelled"], `race ${race}, ${count}`);
  }
});

test("P.P06: a child that is stopped in the instant it is resumed stays stopped", async () => {
  const random = seededRandom(12);
  for (let race = 0; race < RACES; race++) {
    const e = tree("be quick");
    await e.ask("go");
    await e.send("more");
    const handle = await e.start();
    const { session } = e.at("ROOT::S1");
    const resumed = e.controls().resume(session, "work on", "person");
    const count = Math.floor(random.next() * 40);
    await moments(count);
    const stopped = await e.controls().stop(session, "person");
    const wasResumed = (await resumed).ok;
    await handle.result;
    const where = `race ${race}, ${count}: ${JSON.stringify(stopped)}`;
    // The lead may have ended first: then it is not set to work at all.
    const ends = wasResumed ? ["succeeded", "cancelled"] : ["succeeded"];
    expect(endsOf(e.lines, "ROOT::S1"), where).toEqual(ends);
    await staysStopped(e.lines, ends, where);
  }
});

test("P.P06: one of two that a dead process left, stopped in the instant it is taken up again, ends once and stays ended; its sibling reports", async () => {
  const random = seededRandom(13);
  const twins = callsAll(
    call("spawn_subagent", { prompt: "work", background: true }),
    call("spawn_subagent", { prompt: "be quick", background: true }),
  );
  const reports = [says("waiting"), says("ok"), says("ok"), says("ok")];
  const of = (model: Model, lines?: string[]) =>
    engine({ model, tools: [spawnSubagent], children: { "general-purpose": worker() }, ...(lines && { lines }) });
  const dead = of(scripted([twins, ...reports]));
  await dead.send("go");
  const died = await dead.start();
  await expect.poll(() => dead.types().filter((type) => type === "turn.started").length).toBeGreaterThanOrEqual(3);
  const left = [...dead.lines];
  died.stop({ status: "cancelled", by: "person", because: "the test is over with it" });
  await died.result;
  const opened = left.findLastIndex((line) => line.includes('"type":"child.started"'));

  for (let race = 0; race < RACES; race++) {
    const cut = opened + 1 + Math.floor(random.next() * (left.length - opened));
    const count = Math.floor(random.next() * 40);
    const where = `race ${race}, cut ${cut}, ${count}`;
    const e = of(scripted(reports), left.slice(0, cut));
    const handle = await e.start();
    await moments(count);
    expect(await e.controls().stop(e.at("ROOT::S1").session, "person"), where).toEqual({ ok: true });
    await handle.result;
    expect([endsOf(e.lines, "ROOT::S1"), endsOf(e.lines, "ROOT::S2")], where).toEqual([["cancelled"], ["succeeded"]]);
    await staysStopped(e.lines, ["cancelled"], where);
  }
});
