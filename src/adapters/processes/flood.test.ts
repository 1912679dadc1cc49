// P.U02: output without end, as fast as it can be made, through the bounded collector.
import { describe, expect, test } from "vitest";
import { type Bounded, collectBounded } from "../../std/bounded.ts";
import { needs, runner, strategies } from "./processes-test-kit.ts";

/** What has been passed on waits for the collector of garbage, which lets about 64 MB gather. */
const memoryCap = 110_000_000;

describe.each(strategies)("under %s", (strategy) => {
  test("P.U02: `yes` ends at its limit, and memory holds", async (it) => {
    await needs(it, strategy);
    const flood = await measured(strategy, "yes", 1_500);
    expect(flood.ended).toBe("timeout");
    expect(flood.durationMs).toBeGreaterThanOrEqual(1_500);
    expect(flood.durationMs).toBeLessThan(3_500);
    expect(flood.totalBytes).toBeGreaterThan(10_000_000);
    expect(flood.text).toMatch(/^y\n[^]*\n\[… [\d,]+ bytes left out …\]\n[^]*y\n$/);
    expect(flood.peakBytes).toBeLessThan(memoryCap);
  });
});

test("P.U02: 157 MB in one line, and a million lines, arrive to the last byte", async () => {
  const line = await measured("unshare", "head -c 157286400 /dev/zero | tr '\\0' x", 20_000);
  expect(line).toMatchObject({ ended: null, code: 0, totalBytes: 157_286_400 });
  expect(line.text).toContain(`[… ${(157_286_400 - 16_000).toLocaleString("en-US")} bytes left out …]`);
  expect(line.peakBytes).toBeLessThan(memoryCap);

  const lines = await measured("unshare", "seq 1000000", 20_000);
  expect(lines).toMatchObject({ ended: null, code: 0, totalBytes: 6_888_896 });
  expect(lines.text.endsWith("\n999999\n1000000\n")).toBe(true);
});

async function measured(strategy: (typeof strategies)[number], command: string, timeoutMs: number) {
  const collector = collectBounded();
  const before = process.memoryUsage().arrayBuffers;
  let peakBytes = 0;
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage().arrayBuffers - before);
  }, 20);
  const spec = { command, cwd: "/", env: process.env as Record<string, string>, timeoutMs };
  const exit = await runner({ strategy }).run(spec, (chunk) => collector.write(chunk), new AbortController().signal);
  clearInterval(watch);
  const kept: Bounded = collector.finish();
  return { ...exit, ...kept, peakBytes };
}
