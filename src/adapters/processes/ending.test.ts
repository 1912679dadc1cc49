// Whatever a command does with its pipes, signals and children: it ends in time, and everything it started with it.
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { waitFor } from "../../testing/memory/wait-for.ts";
import { needs, runner, running, sleeping, strategies, uniqueSeconds } from "./processes-test-kit.ts";

const timeoutMs = 500;

describe.each(strategies)("under %s", (strategy) => {
  const { say } = runner({ strategy });

  const stubborn: Record<string, (seconds: string) => string> = {
    "sleeps on": (s) => `sleep ${s}`,
    "ignores signals": (s) => `trap '' TERM INT HUP QUIT; sleep ${s} & while :; do wait; done`,
    "closes its pipes": (s) => `exec <&- >&- 2>&-; sleep ${s}`,
    "holds the pipe in a detached child": (s) => `setsid nohup sleep ${s} & sleep ${s}`,
    "is stopped": (s) => `sleep ${s} & kill -STOP $! $$`,
    "stops a detached child that ignores signals": (s) =>
      `setsid sh -c 'trap "" TERM; kill -STOP $$; sleep ${s}' & wait`,
    "forks a storm": (s) => `for i in $(seq 40); do setsid sh -c 'sleep ${s} & wait' & done; wait`,
    "starts new ones all the time": (s) => `while :; do setsid sleep ${s} & sleep 0.02; done`,
    "starts new ones when told to end": (s) =>
      `trap 'setsid sleep ${s} & sleep ${s} &' TERM; while :; do sleep 0.1; done`,
    "forks twice and goes": (s) => `( (setsid sleep ${s} &) & ); sleep ${s}`,
  };

  test("P.P07: a call returns within its limit + 2 s, and everything it started is gone", async (it) => {
    await needs(it, strategy);
    const ends = await Promise.all(
      Object.entries(stubborn).map(async ([name, command]) => {
        const seconds = uniqueSeconds();
        const { ended, durationMs } = await say(command(seconds), { timeoutMs });
        return { name, ended, late: durationMs > timeoutMs + 2_000, left: running(seconds).length };
      }),
    );
    expect(ends).toEqual(Object.keys(stubborn).map((name) => ({ name, ended: "timeout", late: false, left: 0 })));
  });

  test("P.P03: stopping it ends everything it started within 2 s, however detached", async () => {
    const seconds = uniqueSeconds();
    const controller = new AbortController();
    const command = `setsid sleep ${seconds} & nohup sleep ${seconds} & (sleep ${seconds} &); trap '' TERM; sleep ${seconds}`;
    const stopped = say(command, { signal: controller.signal });
    await waitFor(() => sleeping(seconds).length === 4);
    const from = performance.now();
    controller.abort();
    expect(await stopped).toMatchObject({ ended: "aborted" });
    expect(running(seconds)).toEqual([]);
    expect(performance.now() - from).toBeLessThan(2_000);
  });

  test("what is left in the background ends with the command's shell, at once", async () => {
    const seconds = uniqueSeconds();
    const said = await say(
      `sleep ${seconds} & setsid nohup sleep ${seconds} & (sleep ${seconds} &); echo done; exit 5`,
    );
    expect(said).toMatchObject({ code: 5, ended: null, output: expect.stringContaining("done\n") });
    expect(running(seconds)).toEqual([]);
    expect(said.durationMs).toBeLessThan(2_000);
  });

  test("it is asked to end before it is made to", async () => {
    const said = await say(`trap 'echo bye; exit 9' TERM; while :; do sleep 0.05; done`, { timeoutMs });
    expect(said).toMatchObject({ output: expect.stringMatching(/^(Terminated\n)?bye\n$/), code: 9, ended: "timeout" });
  });

  test("output still comes after it was told to end, and all of what it wrote last", async () => {
    const said = await say(`trap 'head -c 60000 /dev/zero; exit' TERM; while :; do sleep 0.05; done`, { timeoutMs });
    expect(said.output.replace("Terminated\n", "").length).toBe(60_000);
  });

  test("one that was stopped before it began is not started", async () => {
    expect(await say("echo x", { signal: AbortSignal.abort() })).toMatchObject({ ended: "aborted", output: "" });
  });

  test("siblings at the same time know nothing of each other's end", async () => {
    const sibling = say("sleep 0.8; echo still here");
    await say("sleep 60", { timeoutMs: 100 });
    expect((await sibling).output).toBe("still here\n");
  });

  test("a time limit above 2^31 ms does not fire at once", async () => {
    expect(await say("sleep 0.2; echo ok", { timeoutMs: 2 ** 33 })).toMatchObject({ output: "ok\n", ended: null });
    expect(await say("echo ok", { timeoutMs: Number.POSITIVE_INFINITY })).toMatchObject({
      output: "ok\n",
      ended: null,
    });
  });
});

test("P.P07: what escapes a keeper (it left its group and cleared its environment) cannot hold up the call", async () => {
  const seconds = uniqueSeconds();
  const said = await runner({ strategy: "keeper" }).say(`env -i setsid sleep ${seconds} & sleep 0.1; echo x`);
  expect(said).toMatchObject({ code: 0, output: "x\n" });
  expect(said.durationMs).toBeLessThan(2_100);
  for (const pid of sleeping(seconds)) process.kill(pid, "SIGKILL");
  await sleep(50);
  expect(running(seconds)).toEqual([]);
});

test("P.P04: many commands leave no descriptor and no zombie behind", async () => {
  const { say } = runner();
  await say("true");
  const open = (): number => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let n = 0; n < 5; n++) await Promise.all(Array.from({ length: 8 }, () => say("(sleep 0.01 &); echo x")));
  expect(open()).toBeLessThanOrEqual(before + 5);
  const { output } = await runner({ strategy: "keeper" }).say(`ps -o stat= --ppid ${process.pid} | grep -c Z`);
  expect(output).toBe("0\n");
});
