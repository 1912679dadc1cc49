// What a long session takes to go on with: measured in a process of its own.
import { createWriteStream, mkdirSync, statSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everyEvent } from "../src/core/event-shape-test-kit.ts";
import { ROOT, sessionId } from "../src/core/ids.ts";
import { runProcess } from "../src/testing/memory/run-process.ts";
import { tempDir } from "../src/testing/memory/temp-dir.ts";

const tree = sessionId("00000000-0000-7000-8000-000000000001");
const program = join(import.meta.dirname, "fixtures/resume-process.ts");
const sizes = process.env["SOAK"] === "1" ? [2_667, 26_670] : [2_667];

test.each(sizes)(
  "P.D12: a session of %i turns goes on in memory of at most three times its size",
  async (turns) => {
    await using dir = await tempDir();
    const folder = dir.join("trees", tree);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "journal.jsonl");
    const out = createWriteStream(file);
    let seq = 0;
    const write = async (event: object): Promise<void> => {
      const record = { v: 1, seq: ++seq, time: 1e12 + seq, epoch: 1, session: tree, path: ROOT, ...event };
      if (!out.write(`${JSON.stringify(record)}\n`)) await once(out, "drain");
    };
    await write(everyEvent["session.opened"]);
    for (let turn = 1; turn <= turns; turn++) {
      const call = `call-${turn}`;
      await write({ ...everyEvent["turn.started"], turn });
      const content = [{ type: "call", call, tool: "Bash", input: { command: `echo ${turn}` } }];
      await write({ ...everyEvent["assistant.replied"], turn, content });
      await write({ ...everyEvent["tool.started"], turn, call });
      const said = [{ type: "text", text: `${turn} ${"const answer = 42; ".repeat(350)}` }];
      await write({ ...everyEvent["tool.ended"], call, outcome: { ok: true, said } });
    }
    out.end();
    await once(out, "finish");
    const { size } = statSync(file);
    // The first opening also writes the session's own file.
    for (const what of ["first", "second"]) {
      const { stdout } = await runProcess([process.execPath, program, dir.path, tree, "small"], { timeoutMs: 60_000 });
      const taken = JSON.parse(stdout) as { grown: number; seq: number };
      expect(taken.seq).toBe(seq);
      expect(taken.grown, what).toBeLessThan(3 * size);
    }
  },
  120_000,
);
