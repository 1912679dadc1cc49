// A hook that changes what a child is asked to do, and kill -9 before that child was made.
import { existsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { calls, responder, says } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { background, journal, resultIn, world } from "./e2e-kit.ts";

test("B15, X9: what a hook made of a spawn is what its child gets, also after kill -9 before there was a child", async () => {
  const script = responder((request: WireRequest) => {
    const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
    if (!first.includes("the lead")) return says("report");
    return request.turn === 1 ? calls("spawn_subagent", { prompt: "asked by the model" }) : says("ok");
  });
  await using w = await world(script);
  const changed = `{"hookSpecificOutput":{"updatedInput":{"prompt":"changed by the hook"}}}`;
  const hook = (command: string) => [{ matcher: "", hooks: [{ command }] }];
  const hooks = {
    PreToolUse: hook(`[ -e starting ] && exit 0; echo '${changed}'`),
    SubagentStart: hook("[ -e starting ] && exit 0; touch starting; sleep 9404"),
  };
  writeFileSync(w.dir.join("own.json"), JSON.stringify({ hooks }));
  const config = ["--config", w.dir.join("own.json")];

  const cut = background(w, "run", "--mode", "yolo", "-m", "anthropic/x", ...config, "the lead");
  await waitFor(() => existsSync(w.dir.join("starting")), 15_000);
  cut.child.kill("SIGKILL");
  await cut.ended;
  expect(journal(w.stateDir).filter(({ type }) => type === "session.opened")).toHaveLength(1);

  const resumed = await w.sous(["run", ...config, "--continue", "-o", "json"]);
  expect(resultIn(resumed.stdout), resumed.stderr).toMatchObject({ status: "succeeded", output: "ok" });
  const children = journal(w.stateDir).flatMap((one) => (one.type === "session.opened" && one.child ? [one] : []));
  expect(children.map(({ child }) => child?.task)).toEqual(["changed by the hook"]);
  // The model is told that it was not its own words.
  expect(JSON.stringify(w.server.requests.at(-1)?.body)).toContain("a hook changed the input to");
});
