// What a tree is said to have used, against what its provider has billed: failed calls and stopped children too.
import { expect, test } from "vitest";
import { call, callsAll, cut, responder, says, stalls } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { background, journal, resultIn, world } from "./e2e-kit.ts";

const billed = (inputTokens: number) => ({ usage: { inputTokens } });
const words = "words ".repeat(20);

test("X6, X3: own and subtree usage are exact, with a failed call and a child stopped in the middle of a reply", async () => {
  let attempts = 0;
  const script = responder((request: WireRequest) => {
    const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
    if (first.includes("task good")) return says("I fixed it and all tests pass.", billed(100));
    if (first.includes("task failing"))
      return attempts++ === 0 ? cut({}, says(words, billed(1_000))) : says("after all", billed(10_000));
    if (first.includes("task stopped"))
      return request.turn === 1 ? callsAll(call("LS", {})) : stalls({ afterDeltas: 1 }, says(words, billed(1_000_000)));
    const spawn = (prompt: string) => call("spawn_subagent", { prompt });
    return request.turn === 1
      ? callsAll(spawn("task good"), spawn("task failing"), spawn("task stopped"))
      : says("ok", billed(3));
  });
  await using w = await world(script);
  const run = background(w, "run", "--mode", "yolo", "-m", "anthropic/x", "-o", "json", "the lead");
  await waitFor(
    () => w.server.requests.filter((one) => JSON.stringify(one.body).includes("task stopped")).length >= 2,
    15_000,
  );
  await waitFor(() => journal(w.stateDir).filter((one) => one.type === "child.ended").length === 2, 15_000);
  await w.sous(["stop", "last/S3"]);
  const result = resultIn((await run.ended).stdout);
  const ends = journal(w.stateDir).flatMap((one) => (one.type === "run.ended" ? [one.result] : []));
  const own = (path: string) => ends.find((one) => one.path === path)?.usage.own.inputTokens ?? 0;
  expect(ends.map(({ path, status }) => `${path} ${status}`).toSorted()).toEqual([
    "ROOT succeeded",
    "ROOT::S1 succeeded",
    "ROOT::S2 succeeded",
    "ROOT::S3 cancelled",
  ]);
  expect([own("ROOT::S1"), own("ROOT::S2")]).toEqual([100, 11_000]);
  expect(own("ROOT::S3")).toBeGreaterThanOrEqual(1_000_000);
  const sum = ["ROOT", "ROOT::S1", "ROOT::S2", "ROOT::S3"].reduce((total, path) => total + own(path), 0);
  expect(result.usage.tree.inputTokens).toBe(sum);
  expect(ends.find((one) => one.path === "ROOT::S1")?.receipt.flags).toEqual(["claims work, but no tool was called"]);
});
