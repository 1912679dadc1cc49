// The other half of the model suite: what an adapter must do when the answer is not a reply.
import { describe, expect, test } from "vitest";
import { isPassing } from "../../core/model-fault.ts";
import type { Named } from "../wire-server/step.ts";
import * as wire from "../wire-server/script.ts";
import { ask, collect, failure, KEY, serverFor, type ModelSuite } from "./model-fixtures.ts";

export function modelFaultConformance(name: string, suite: ModelSuite): void {
  const withServer = serverFor(suite);

  describe(`${name}: P.L04: what is not a whole reply`, () => {
    const broken: [string, wire.Script, string, RegExp][] = [
      ["a cut stream", [wire.cut()], "network", /cut|closed/],
      ["a stream without its end", [wire.ends()], "incomplete", /ended before/],
      ["a web page", [wire.html()], "incomplete", /text\/html/],
      ["garbage", [wire.garbage()], "incomplete", /not a JSON object/],
      ["a gzip bomb", [wire.gzipBomb({ megabytes: 64 })], "incomplete", /over 16 MB/],
      ["a reset connection", [wire.resets()], "network", /cut/],
      ["a redirect", [wire.redirects("http://evil.example/v1")], "redirect", /evil\.example/],
    ];
    test.each(broken)("%s is a fault that names it", (_what, script, code, words) =>
      withServer(script, async ({ model, server }) => {
        const { fault, parts } = await failure(model, ask());
        expect(fault.code).toBe(code);
        expect(fault.message).toMatch(words);
        expect(parts.some((part) => part.type === "reply")).toBe(false);
        expect(server.count).toBe(1);
      }),
    );

    test("an error in mid-stream is a fault that may pass", () =>
      withServer([wire.streamError()], async ({ model }) => {
        const { fault, parts } = await failure(model, ask());
        expect(isPassing(fault)).toBe(true);
        expect(fault.message.toLowerCase()).toContain("overloaded");
        expect(parts.filter((part) => part.type === "text").length).toBeGreaterThan(0);
      }));
  });

  describe(`${name}: a stall`, () => {
    test("P.L05: ends at once when aborted, with the reason of the signal", () =>
      withServer([wire.stalls()], async ({ model, server }) => {
        const stop = new AbortController();
        const reason = new Error("Esc");
        let at = 0;
        const listen = async (): Promise<void> => {
          for await (const part of model.stream(ask(), stop.signal)) {
            if (part.type !== "text" || at > 0) continue;
            at = performance.now();
            setTimeout(() => stop.abort(reason), 20);
          }
        };
        await expect(listen()).rejects.toBe(reason);
        expect(performance.now() - at).toBeLessThan(500);
        await expect.poll(() => server.requests[0]?.aborted).toBe(true);
      }));

    test("P.L05: with pings shows life", () =>
      withServer([wire.stalls({ forMs: 200, pingEveryMs: 40 })], async ({ model }) => {
        const parts = await collect(model, ask());
        expect(parts.filter((part) => part.type === "alive").length).toBeGreaterThan(2);
      }));

    test("before the headers ends at once when aborted", () =>
      withServer([wire.slow({ headersAfterMs: 60_000 })], async ({ model, server }) => {
        const stop = new AbortController();
        const asked = collect(model, ask(), stop.signal).catch((error: unknown) => error);
        await expect.poll(() => server.count).toBe(1);
        const at = performance.now();
        stop.abort("enough");
        expect(await asked).toBe("enough");
        expect(performance.now() - at).toBeLessThan(500);
      }));
  });

  describe(`${name}: P.L02: a refused request`, () => {
    const named: Named[] = [
      "auth",
      "not-found",
      "spend",
      "too-large",
      "overflow",
      "bad-request",
      "rate-limit",
      "overloaded",
      "server",
    ];
    test.each(named)("is told as %s, with one line of what to do, and asked once", (what) =>
      withServer([wire.fails(what)], async ({ model, server }) => {
        const { fault } = await failure(model, ask());
        expect(fault.code).toBe(what);
        expect(fault.message.length).toBeLessThanOrEqual(300);
        expect(`${fault.message}${fault.remedy}`).not.toMatch(/\n/);
        expect(fault.remedy).not.toBe("");
        expect(server.count).toBe(1);
      }),
    );

    test("with a status of its own is told as what the status means", () =>
      withServer(
        [403, 408, 409, 502, 504].map((status) => wire.fails(status)),
        async ({ model }) => {
          const codes: string[] = [];
          for (let n = 0; n < 5; n++) codes.push((await failure(model, ask())).fault.code);
          expect(codes).toEqual(["auth", "server", "server", "server", "server"]);
        },
      ));

    test("P.L01: tells how long the provider wants us to wait", () =>
      withServer([wire.fails("rate-limit", { headers: { "retry-after": "7" } })], async ({ model }) => {
        expect((await failure(model, ask())).fault.retryAfterMs).toBe(7000);
      }));

    test("never tells the key, even when the provider repeats it", () =>
      withServer([wire.fails(401, { message: `bad key ${KEY}\u001b[31m\nnext` })], async ({ model }) => {
        const { fault } = await failure(model, ask());
        expect(fault.message).toContain("bad key [key] [31m next");
        expect(JSON.stringify(fault)).not.toContain(KEY);
      }));
  });
}
