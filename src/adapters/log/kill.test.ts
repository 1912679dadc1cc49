import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dice } from "../../testing/power-loss/random.ts";
import { liveness, thisProcess } from "../processes/process-identity.ts";
import { mustOpen, realPlace, seqs } from "./log-test-kit.ts";

const kills = process.env["SOAK"] === "1" ? 1000 : 10;
const killsOfOne = 25;
const program = join(import.meta.dirname, "fixtures/writer-process.ts");

test(`P.D01: a writer killed ${kills} times at random points loses nothing that it had written`, async () => {
  const me = { owner: thisProcess(), liveness };
  const random = dice(1);
  let place = realPlace();
  let last = 0;
  for (let i = 0; i < kills; i++) {
    // Each opening reads the whole tree: with one tree for all, every kill would take longer than the one before.
    if (i % killsOfOne === 0) {
      place = realPlace();
      await (await mustOpen(place, me)).log.close();
      last = 0;
    }
    last = Math.max(last, await killAfter(place.stateDir, place.tree, random.int(1, 150)));
    const { events, log, notices } = await mustOpen(place, me);
    const numbers = seqs({ events });
    expect(numbers.at(-1)).toBeGreaterThanOrEqual(last);
    expect(numbers).toEqual(Array.from(numbers, (_, n) => n + 1));
    expect(notices.join()).toContain("ended without closing the session");
    last = log.seq;
    await log.close();
  }
}, 3_600_000);

/** Kills the writer once it has said this many lines; gives the last number it said. */
function killAfter(stateDir: string, tree: string, lines: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, stateDir, tree], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.split("\n").length > lines) child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on("close", () => resolve(Number(said.slice(0, said.lastIndexOf("\n")).split("\n").at(-1))));
  });
}
