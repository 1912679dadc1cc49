// Every command that an answer or an error names works when it is run as it is written.
import { describe, expect, test } from "vitest";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { calls, responder, says, slow } from "../src/testing/wire-server/script.ts";
import { background, journal, world, type World } from "./e2e-kit.ts";

const first = (body: unknown): string => JSON.stringify((body as { messages: unknown[] }).messages[0]);
const RUN = ["run", "--mode", "yolo", "-m", "anthropic/x", "--trust"];
/** Told by the model to whom it speaks: a lead, its child and that one's child. */
const family = (ends: () => boolean) =>
  responder(({ turn, body }) => {
    const asked = first(body);
    const next = asked.includes("inner task") ? undefined : asked.includes("outer task") ? "inner task" : "outer task";
    if (next === undefined) return ends() ? says("inner done") : slow({ headersAfterMs: 60_000 }, says("never"));
    if (turn === 1)
      return calls("spawn_subagent", { prompt: next, agent: next.startsWith("outer") ? "middle" : "leaf" });
    return says(`${asked.includes("outer task") ? "outer" : "lead"} done`);
  });

/** The commands in a text, with words of ours where it asks for some. */
const named = (text: string): string[][] =>
  [...text.matchAll(/sous ((?:run --resume|resume|send|fork|sessions|ps|inbox|changes)\b[^\n;:,()"`]*)/g)].map(
    ([, words = ""]) =>
      words
        .replace(/ (?:goes on with|speaks to|lists|has|shows) .*$/, "")
        .replace(/ TEXT\b/, " once-more")
        .trim()
        .split(/\s+/),
  );

/** All states and agents in the long run; else those whose remedies are the least plain. */
const WHO = process.env["SOAK"] === "1" ? ["last", "last/S1", "last/S1::S1"] : ["last/S1::S1"];
const VERBS = [
  ["send", "%", "hello"],
  ["fork", "%"],
  ["fork", "%", "hello"],
  ["interrupt", "%"],
  ["stop", "%"],
  ["background", "%"],
  ["resume", "%", "hello"],
] as const;

describe("C7: the remedy that an answer names", () => {
  for (const state of ["ended", "killed"] as const)
    for (const who of WHO)
      test(`works for ${who} of a tree that has ${state === "ended" ? "ended" : "been cut off"}, after every verb`, async () => {
        let ends = state === "ended";
        await using w = await world(family(() => ends));
        await begin(w, state);
        ends = true;
        let found = 0;
        for (const [verb, , ...words] of VERBS) {
          const said = await w.sous([verb, who, ...words]);
          const text = `${said.stdout}${said.stderr}`;
          const remedies = named(text);
          found += remedies.length;
          for (const remedy of remedies) {
            const done = await w.sous(remedy);
            expect(done.code, `${verb} ${who}: ${text}\n→ sous ${remedy.join(" ")}: ${done.stderr}`).toBe(0);
          }
        }
        expect(found).toBeGreaterThan(2);
      }, 60_000);
});

async function begin(w: World, state: "ended" | "killed"): Promise<void> {
  const own = JSON.stringify({
    middle: { description: "middle", prompt: "Work.", spawns: "*" },
    leaf: { description: "leaf", prompt: "Work." },
  });
  const words = [...RUN, "--agents", own, "the lead"];
  if (state === "ended") {
    const ran = await w.sous(words);
    if (ran.code !== 0) throw new Error(ran.stderr);
    return;
  }
  const run = background(w, ...words);
  expect(await waitFor(() => w.server.requests.some(({ body }) => first(body).includes("inner task")), 20_000)).toBe(
    true,
  );
  run.child.kill("SIGKILL");
  await run.ended;
  expect(journal(w.stateDir).some(({ path }) => path === "ROOT::S1::S1")).toBe(true);
}
