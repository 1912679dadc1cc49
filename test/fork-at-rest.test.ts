// Forks of sessions and children that no process has open, and what else cannot be done to them, by the built command.
import { describe, expect, test } from "vitest";
import { call, calls, callsAll, responder, says } from "../src/testing/wire-server/script.ts";
import type { WireRequest } from "../src/testing/wire-server/wire-request.ts";
import { background, resultIn, type World, world } from "./e2e-kit.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x", "-o", "json"];
const bodyOf = (request: WireRequest | undefined): string => JSON.stringify(request?.body);
const forkedAs = (stdout: string): string => /(agent-\S+?)\)? begins as/.exec(stdout)?.[1] ?? "";
type Row = { id: string; title: string; children: number };
const sessions = async (w: World): Promise<Row[]> =>
  JSON.parse((await w.sous(["sessions", "list", "--json"])).stdout) as Row[];

describe("X11: at rest", () => {
  test("a session is forked into a tree of its own, whole or its last turns; the one it comes from stays as it is", async () => {
    await using w = await world(
      responder((request: WireRequest) => {
        const body = bodyOf(request);
        if (body.includes("other way")) return says("done the other way");
        return body.includes("second") ? says("second answer") : says("first answer");
      }),
    );
    const { session } = resultIn((await w.sous([...yolo, "first words"])).stdout);
    await w.sous(["resume", session, "second words"]);
    const forked = await w.sous(["fork", session, "the", "other", "way"]);
    const fork = forkedAs(forked.stdout);
    expect(forked, forked.stderr).toMatchObject({
      code: 0,
      stdout: `${fork} begins as ${session} stands: sous resume ${fork} goes on with it\n`,
    });
    const ran = await w.sous(["resume", fork, "-o", "json"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ output: "done the other way", session: fork });
    const whole = bodyOf(w.server.requests.at(-1));
    for (const words of ["first words", "first answer", "second answer", "the other way"])
      expect(whole).toContain(words);
    expect((await w.sous(["output", session])).stdout).toBe("second answer\n");

    const last = forkedAs((await w.sous(["fork", session, "--turns", "1"])).stdout);
    expect((await w.sous(["resume", last])).stderr).toMatch(/has no prompt yet: give one to go on/);
    await w.sous(["resume", last, "the other way"]);
    const part = bodyOf(w.server.requests.at(-1));
    expect([part.includes("first answer"), part.includes("second answer")]).toEqual([false, true]);
    expect((await sessions(w)).map(({ title }) => title)).toEqual([
      "fork of first words",
      "the other way",
      "first words",
    ]);
  });

  test("a session whose host was killed is forked, and the fork does what was left", async () => {
    const slow = calls("Bash", { command: "touch at-work; sleep 9405" });
    await using w = await world(responder((request) => (bodyOf(request).includes("no sleep") ? says("awake") : slow)));
    const cut = background(w, ...yolo, "the task");
    await waitFor(() => w.server.requests.length === 1, 10_000);
    await waitFor(async () => (await w.sous(["ps"])).stdout.includes("Bash"), 10_000);
    cut.child.kill("SIGKILL");
    await cut.ended;
    const forked = await w.sous(["fork", "last", "no sleep this time"]);
    const ran = await w.sous(["resume", forkedAs(forked.stdout), "-o", "json"]);
    expect(resultIn(ran.stdout), forked.stderr + ran.stderr).toMatchObject({ status: "succeeded", output: "awake" });
    expect(bodyOf(w.server.requests.at(-1))).toContain("the task");
  });

  test("a child that has ended is forked beside itself and goes on with its session; words that cannot be done say what can", async () => {
    await using w = await world(
      responder((request: WireRequest) => {
        const body = bodyOf(request);
        if (body.includes("the lead"))
          return request.turn === 1 ? callsAll(call("spawn_subagent", { prompt: "look" })) : says("ok");
        return body.includes("once more") ? says("seen differently") : says("seen");
      }),
    );
    const { session } = resultIn((await w.sous([...yolo, "the lead"])).stdout);
    const forked = await w.sous(["fork", `${session}/S1`, "look once more"]);
    expect(forked.stdout, forked.stderr).toMatch(
      /^ROOT::S2 \(agent-\S+\) begins as ROOT::S1 stands: sous resume agent-/,
    );
    const ran = await w.sous(["resume", session, "-o", "json"]);
    expect(resultIn(ran.stdout), ran.stderr).toMatchObject({ status: "succeeded", output: "ok" });
    expect((await w.sous(["output", `${session}/S2`])).stdout).toBe("seen differently\n");
    expect((await w.sous(["output", `${session}/S1`])).stdout).toBe("seen\n");
    expect(await sessions(w)).toMatchObject([{ id: session, children: 2 }]);
    for (const [verb, why] of [
      ["interrupt", "nothing to interrupt"],
      ["background", "nothing that waits for it"],
    ] as const) {
      const told = await w.sous([verb, session]);
      expect([told.code, told.stderr]).toEqual([
        1,
        `sous: ROOT of ${session} does not run (succeeded), so there is ${why}: sous resume ${session} TEXT goes on with it\n`,
      ]);
    }
  });
});
