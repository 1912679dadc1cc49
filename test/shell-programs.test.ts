// What a command really starts, with real bash, against what its reading says, and against its text printed anew.
import { afterAll, describe, expect, test } from "vitest";
import { readShell } from "../src/core/shell/read-shell.ts";
import type { ShellPart } from "../src/core/shell/shell-reading.ts";
import { nameOf } from "../src/core/shell/unwrap.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { type Ran, shellDriver } from "./shell-driver.ts";
import { type Pick, STUBS, WRAPPERS, oddShellCommand, shellCommand } from "./shell-generator.ts";

const COUNT = process.env["SOAK"] === "1" ? 50_000 : 500;
const BATCH = 500;
const driver = shellDriver(STUBS, WRAPPERS);
afterAll(() => driver[Symbol.dispose]());

describe.each([
  ["usual", shellCommand, 20_261],
  ["odd", oddShellCommand, 20_262],
] as const)("of generated commands that are %s", (_name, generate, seed) => {
  test(
    `P.B08, P.B11: of ${COUNT} every one that is certain starts exactly what was judged, as it is written and as it is printed`,
    { timeout: 3_600_000 },
    async () => {
      const random = seededRandom(Number(process.env["SEED"] ?? seed));
      const pick: Pick = (from) => from[Math.floor(random.next() * from.length)]!;
      let [certain, started] = [0, 0];
      for (let done = 0; done < COUNT; done += BATCH) {
        const commands = Array.from({ length: Math.min(BATCH, COUNT - done) }, () => generate(pick));
        const judged = commands.flatMap((command) => {
          const { doubt, text, parts } = readShell(command);
          return doubt === undefined ? [{ command, text: text ?? "evil unprinted", parts }] : [];
        });
        certain += judged.length;
        const runs = await inBothForms(judged);
        started += runs.reduce((sum, { printed }) => sum + printed.argvs.length, 0);
        const differing = judged.filter((one, n) => differs(one, runs[n]!));
        expect(await lastingly(differing)).toEqual([]);
      }
      // The test must not pass because everything is in doubt, or nothing ran.
      expect(certain).toBeGreaterThan(COUNT / 8);
      expect(started).toBeGreaterThan(COUNT / 8);
    },
  );
});

type Judged = { readonly command: string; readonly text: string; readonly parts: readonly ShellPart[] };
type InBothForms = { readonly written: Ran; readonly printed: Ran };

async function inBothForms(judged: readonly Judged[]): Promise<readonly InBothForms[]> {
  const written = await driver.run(judged.map(({ command }) => command));
  const printed = await driver.run(judged.map(({ text }) => text));
  return judged.map((_, n) => ({ written: written[n]!, printed: printed[n]! }));
}

const unjudged = ({ parts }: Judged, { written, printed }: InBothForms): Ran["argvs"] =>
  [...written.argvs, ...printed.argvs].filter(
    (argv) => !parts.some(({ words }) => matches([nameOf(words[0]) ?? null, ...words.slice(1)], argv)),
  );

const differs = (judged: Judged, ran: InBothForms): boolean =>
  ran.written.trace !== ran.printed.trace || unjudged(judged, ran).length > 0;

/** What runs side by side is not the same each time: only what never agrees in a few rounds is different. */
async function lastingly(judged: readonly Judged[]): Promise<readonly unknown[]> {
  let left = judged;
  let last: readonly InBothForms[] = [];
  for (let round = 0; round < 4 && left.length > 0; round++) {
    const runs = await inBothForms(left);
    const stay = left.map((one, n) => differs(one, runs[n]!));
    last = runs.filter((_, n) => stay[n]);
    left = left.filter((_, n) => stay[n]);
  }
  return left.map((one, n) => ({
    ...one,
    parts: unjudged(one, last[n]!),
    written: last[n]!.written.trace,
    printed: last[n]!.printed.trace,
  }));
}

/** A word that is known only when it runs may be any number of words. */
function matches(words: readonly (string | null)[], argv: Ran["argvs"][number]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return argv.length === 0;
  if (word !== null) return argv[0] === word && matches(rest, argv.slice(1));
  return matches(rest, argv) || (argv.length > 0 && matches(words, argv.slice(1)));
}
