import { truncateSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { everyEvent } from "../../core/event-shape-test-kit.ts";
import { child, journalFile, lines, read, record, written } from "./log-test-kit.ts";
import { nodeFiles } from "./node-files.ts";
import { peekTree } from "./peek-tree.ts";

describe("peeking", () => {
  const run = (seq: number, type: "run.started" | "run.ended", more: object = {}): string =>
    record(seq, { ...everyEvent[type], ...more });
  const opening = record(1, everyEvent["session.opened"]);

  test("gives the opening and the lead's last step without reading all", async () => {
    const filler = Array.from({ length: 3000 }, (_, i) => record(i + 3, { text: "x".repeat(500) }));
    const tail = [
      run(3003, "run.ended"),
      run(3004, "run.ended", { session: child.session, path: child.path }),
      record(3005),
    ];
    const place = written(lines(opening, run(2, "run.started"), ...filler, ...tail));
    let bytes = 0;
    const files = {
      ...nodeFiles,
      read: async (fd: number, into: Uint8Array, at: number) => ((bytes += into.length), nodeFiles.read(fd, into, at)),
    };
    const peek = await peekTree(files, place);
    expect([peek.opened?.title, peek.lastRun?.seq, peek.lastRun?.type, peek.last?.seq]).toEqual([
      "t",
      3003,
      "run.ended",
      3005,
    ]);
    expect(bytes).toBeLessThan(100_000);
  });

  test("P.D05: agrees with the full reading when the ends are damaged", async () => {
    const sound = lines(opening, run(2, "run.started"), record(3), run(4, "run.ended"));
    for (const [journal, lastRun] of [
      [sound, 4],
      [sound.slice(0, -1), 2],
      [sound + "garbage\n", 4],
      ["garbage\n" + sound, 4],
      [lines(opening, run(2, "run.started"), record(3), run(4, "run.ended", { result: undefined })), 2],
      [lines(opening, run(2, "run.started"), record(3)), 2],
      [lines(opening), undefined],
      ["", undefined],
    ] as const) {
      const place = written(journal);
      const peek = await peekTree(nodeFiles, place);
      expect(peek.lastRun?.seq).toBe(lastRun);
      expect(peek.last).toEqual((await read(place)).events.at(-1));
    }
  });

  test("a journal cut to nothing is an empty session, not an error", async () => {
    const place = written(lines(opening));
    truncateSync(journalFile(place), 0);
    expect(await peekTree(nodeFiles, place)).toEqual({ opened: undefined, lastRun: undefined, last: undefined });
  });
});
