import { expect, test } from "vitest";
import { sessionId } from "../core/ids.ts";
import { tempDir } from "../testing/memory/temp-dir.ts";
import { openSession } from "./open-session.ts";

test("an event that is too large for the journal is refused at once, not tried again, and the log goes on", async () => {
  await using dir = await tempDir();
  const tree = sessionId("00000000-0000-4000-8000-000000000001");
  const { writer, origin, log } = await openSession(dir.join("state"), tree, "create", () => {});
  const note = (text: string) => ({ type: "note.added", kind: "test", text }) as const;
  const signal = AbortSignal.timeout(5_000);
  await expect(writer.record(origin, note("x".repeat(50_000_000)), signal)).rejects.toMatchObject({
    code: "too-large",
    message: expect.stringContaining("too large"),
  });
  expect((await writer.record(origin, note("small"), signal)).seq).toBe(1);
  await log.close();
});
