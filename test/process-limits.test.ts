// At the system's limits: what does not fit any more is refused by name, and everybody else works on.
import { expect, test } from "vitest";
import { textOf } from "../src/core/messages.ts";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { call, calls, callsAll, responder, says } from "../src/testing/wire-server/script.ts";
import { journal, resultIn, sousArgv, world } from "./e2e-kit.ts";

const CHILDREN = 20;
const script = responder((request) => {
  const first = JSON.stringify((request.body as { messages: unknown[] }).messages[0]);
  if (first.includes("a task"))
    return request.turn === 1 ? calls("Bash", { command: "sleep 0.5; echo fine" }) : says("I told it.");
  const tasks = Array.from({ length: CHILDREN }, (_, n) => call("spawn_subagent", { prompt: `a task ${n}` }));
  return request.turn === 1 ? callsAll(...tasks) : says("all in");
});

const limited = (shell: string): string[] => ["bash", "-c", `${shell}; exec "$@"`, "bash"];
/** The limit of processes does not bind root, and counts all that a user runs. */
const asNobody =
  "setpriv --reuid=61234 --regid=61234 --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override";
const fewProcesses =
  process.getuid?.() === 0
    ? [...asNobody.split(" "), ...limited("ulimit -u 40")]
    : limited(`ulimit -u $(($(ps -L -u "$(id -u)" --no-headers | wc -l) + 40))`);

test.each([
  { what: "open files", wrap: limited("ulimit -n 80"), named: "the limit of open files is reached (ulimit -n)" },
  { what: "processes", wrap: fewProcesses, named: "the limit of processes is reached (ulimit -u" },
])(
  "P.P05: at the limit of $what commands are refused by its name, and the others and all children go on",
  async (row) => {
    await using w = await world(script);
    const words = sousArgv("run", "--mode", "yolo", "--model", "anthropic/x", "-o", "json", "go");
    const env = { ...w.env, HOME: w.dir.path, XDG_RUNTIME_DIR: w.dir.path, XDG_CONFIG_HOME: w.dir.path };
    const ran = await runProcess([...row.wrap, ...words], { cwd: w.dir.path, env, timeoutMs: 25_000 });
    const result = resultIn(ran.stdout);
    expect(result, ran.stderr).toMatchObject({ status: "succeeded", output: "all in" });
    expect(result.children).toEqual(Array(CHILDREN).fill(expect.objectContaining({ status: "succeeded" })));
    const said = journal(w.stateDir).flatMap((event) =>
      event.type === "tool.ended" && event.path !== "ROOT" ? [textOf(event.outcome.said)] : [],
    );
    const fine = said.filter((text) => text.endsWith("fine\n[exit code 0]"));
    const refused = said.filter((text) => text.includes(`could not be started: ${row.named}`));
    expect(fine.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    // A command that began just below the limit may meet it itself: that is then its own report.
    const met = said.filter((text) => /Resource temporarily unavailable|annot fork/.test(text));
    const others = said.filter((text) => ![...fine, ...refused, ...met].includes(text));
    expect(others).toEqual([]);
    expect(said).toHaveLength(CHILDREN);
  },
);
