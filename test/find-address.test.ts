// Whom a word names, of all the agents at work and at rest.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { libraryWorld } from "./library-kit.ts";
import type { SessionId } from "../src/core/ids.ts";
import { runAgent } from "../src/index.ts";
import { call, callsAll, says, slow } from "../src/testing/wire-server/script.ts";
import { findAddress } from "../src/host/control/find-address.ts";

test("P.P06: a child is found by its name in the instant it begins, before it has a file, and before one of that name that has ended", async () => {
  const spawned = callsAll(call("spawn_subagent", { prompt: "task", name: "first", background: true }));
  const { host, cwd, dir } = await libraryWorld({
    conversations: {
      one: [spawned, says("waiting"), says("ok")],
      two: [spawned, says("waiting"), says("ok")],
      task: [says("quick"), slow({ firstTokenAfterMs: 800 }, says("slow"))],
    },
  });
  await runAgent(host, { prompt: "one", cwd });
  const trees = join(dir.path, "state", "trees");
  const [ended] = readdirSync(trees);
  expect((await findAddress(dir.join("state"), "first", "all")).tree).toBe(ended);
  const run = runAgent(host, { prompt: "two", cwd });
  const begun = Promise.withResolvers<string>();
  void (async () => {
    for await (const event of run.events) if (event.type === "sub_agent_start") begun.resolve(event.agentId);
  })();
  const session = (await begun.promise) as SessionId;
  const tree = readdirSync(trees).find((name) => name !== ended);
  expect(await findAddress(dir.join("state"), "first", "all")).toEqual({ tree, session, path: "ROOT::S1" });
  await run;
});
