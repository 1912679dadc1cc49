// Three levels of agents whose commands try to outlive them: whatever ends the engine, nothing of the run is left.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { type World, journal, resultIn, sousArgv } from "./e2e-kit.ts";
import { ALL_CANCELLED, allAsleep, breakable, endsOf, sleepers, treeFlags, treeOfThree } from "./orphans-kit.ts";
import { uniqueSeconds } from "../src/adapters/processes/processes-test-kit.ts";

/** Started and left running, with an input that stays open until it is ended. */
function begin(w: World, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [command = "", ...rest] = sousArgv(...words);
  const child = spawn(command, rest, { cwd: w.dir.path, env: { ...process.env, ...w.env, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, stdout, stderr })),
  );
  return { child, closed };
}

const headless = ["run", ...treeFlags, "-o", "json", "the lead"];
const typed = ["--plain", ...treeFlags, "the lead"];

describe("P.P01, X8: a tree of three levels, two sleeps each", () => {
  test.each([
    { what: "SIGINT", signal: "SIGINT", words: headless, code: 130 },
    { what: "SIGTERM", signal: "SIGTERM", words: headless, code: 143 },
    { what: "SIGHUP", signal: "SIGHUP", words: headless, code: 129 },
    { what: "an exception nobody catches", signal: "SIGUSR2", words: headless, code: 1 },
    { what: "the end of the input, line by line", signal: undefined, words: typed, code: 0 },
  ] as const)("$what: all gone within 2 s, all cancelled on record, exit $code", async (row) => {
    const { signal, words, code } = row;
    const seconds = uniqueSeconds();
    await using w = await treeOfThree(`sleep ${seconds} & sleep ${seconds}`);
    const { child, closed } = begin(w, words, signal === "SIGUSR2" ? breakable : {});
    await allAsleep(seconds, 6);
    if (signal) child.kill(signal);
    else child.stdin.end();
    await waitFor(() => sleepers(seconds).length === 0, 2_000);
    const ended = await closed;
    expect(ended.code, ended.stderr).toBe(code);
    expect(endsOf(w)).toEqual(ALL_CANCELLED);
    const said = ended.stderr + ended.stdout;
    expect(said.includes("something broke: broken on purpose; the session is kept")).toBe(signal === "SIGUSR2");
    expect(said).not.toMatch(/\n\s+at .*\(/);
  });
});

test("P.P02, X8: three levels of detached sleeps, the engine killed with SIGKILL: nothing left after 5 s; what was left elsewhere is swept and told by the next start", async () => {
  const seconds = uniqueSeconds();
  const detached = [
    `setsid sleep ${seconds} & nohup sleep ${seconds} >/dev/null 2>&1 &`,
    `( (setsid sleep ${seconds} </dev/null >/dev/null 2>&1 &) & )`,
    `sleep ${seconds} & disown -a; trap '' TERM HUP INT; sleep ${seconds}`,
  ].join("\n");
  await using w = await treeOfThree(detached);
  const { child, closed } = begin(w, headless);
  await allAsleep(seconds, 15);
  // One that got out of its namespace, as its environment shows: nothing but the next start can end it.
  const marks = readFileSync(`/proc/${sleepers(seconds)[0]}/environ`, "utf8").split("\0");
  const env = Object.fromEntries(marks.map((mark) => [mark.split("=")[0], mark.slice(mark.indexOf("=") + 1)]));
  const escaped = spawn("sleep", ["9511"], { env, detached: true, stdio: "ignore" });
  const gone = new Promise((resolve) => escaped.on("close", (_, signal) => resolve(signal)));
  child.kill("SIGKILL");
  await closed;
  await waitFor(() => sleepers(seconds).length === 0, 5_000);
  expect(endsOf(w)).toEqual([]);
  const id = journal(w.stateDir)[0]!.session;
  const resumed = await w.sous(["run", "--resume", id, "-o", "json"]);
  expect(resultIn(resumed.stdout), resumed.stderr).toMatchObject({ status: "succeeded", output: "I had only begun." });
  expect(resumed.stderr).toContain("ended 1 process that a run that died had left behind");
  expect(await gone).toBe("SIGKILL");
  expect(sleepers(seconds)).toEqual([]);
});
