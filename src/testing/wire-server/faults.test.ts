import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  cut,
  drips,
  ends,
  garbage,
  gzipBomb,
  html,
  redirects,
  resets,
  says,
  slow,
  stalls,
  streamError,
} from "./script.ts";
import { startWireServer } from "./start-wire-server.ts";
import type { Step, WireName } from "./step.ts";
import { ask, sse, wireNames, type AskOptions, type Seen } from "./test-client.ts";

const text = says("one two three four five six seven eight nine ten");
const deltaOf: Readonly<Record<WireName, string>> = {
  anthropic: '"text_delta","text":"',
  "openai-chat": '"delta":{"content":"',
  "openai-responses": "response.output_text.delta\n",
  gemini: '"text":"',
};
const endOf: Readonly<Record<WireName, string>> = {
  anthropic: "message_stop",
  "openai-chat": "[DONE]",
  "openai-responses": "response.completed",
  gemini: "finishReason",
};
/** Pieces of text that really carry text: the first chunk of a chat has an empty one. */
const deltasIn = (wire: WireName, seen: Seen): number =>
  seen.text
    .split(deltaOf[wire])
    .slice(1)
    .filter((rest) => !rest.startsWith('"')).length;

async function oneAnswer(step: Step, wire: WireName = "anthropic", options?: AskOptions): Promise<Seen> {
  await using server = await startWireServer([step]);
  const seen = await ask(server.url, wire, options);
  server.finish();
  return seen;
}

describe.each(wireNames)("on the wire of %s", (wire) => {
  test("a cut reply is a connection that breaks after its pieces", async () => {
    const seen = await oneAnswer(cut({ afterDeltas: 3 }, text), wire);
    expect(seen).toMatchObject({ status: 200, ended: "ECONNRESET" });
    expect(deltasIn(wire, seen)).toBe(3);
    expect(seen.text).not.toContain(endOf[wire]);
  });

  test("a reply that ends early is a whole body without the end event", async () => {
    const seen = await oneAnswer(ends({ afterDeltas: 99 }, text), wire);
    expect(seen).toMatchObject({ status: 200, ended: "end" });
    expect(deltasIn(wire, seen)).toBe(4);
    expect(seen.text).not.toContain(endOf[wire]);
  });

  test("a stalled reply is silent for its time and then goes on", async () => {
    const seen = await oneAnswer(stalls({ afterDeltas: 1, forMs: 250, pingEveryMs: 20 }, text), wire);
    expect(seen.ended).toBe("end");
    expect(seen.ms).toBeGreaterThanOrEqual(240);
    expect(seen.text).toContain(endOf[wire]);
    expect(deltasIn(wire, seen)).toBe(4);
    const ping = wire === "anthropic" ? "event: ping" : ": keep-alive";
    expect(seen.text.split(ping).length - 1).toBeGreaterThanOrEqual(2);
  });

  test("a stalled reply without an end stays silent until the client gives up", async () => {
    await using server = await startWireServer([stalls({ afterDeltas: 0 }, text)]);
    const seen = await ask(server.url, wire, { giveUpAfterMs: 120 });
    expect(seen.ended).not.toBe("end");
    expect(deltasIn(wire, seen)).toBe(0);
  });

  test("an error in mid-stream is told in the wire's own words", async () => {
    const seen = await oneAnswer(streamError({ afterDeltas: 2, message: "Too busy" }, text), wire);
    expect(seen).toMatchObject({ status: 200, ended: "end" });
    expect(deltasIn(wire, seen)).toBe(2);
    const events = sse(seen.text).map(({ data }) => data);
    const chat = { error: { message: "Too busy", type: "server_error", param: null, code: null } };
    const expected: Record<WireName, object> = {
      anthropic: { type: "error", error: { type: "overloaded_error", message: "Too busy" } },
      "openai-chat": chat,
      "openai-responses": { type: "response.failed", response: { status: "failed", error: { message: "Too busy" } } },
      gemini: { error: { code: 503, message: "Too busy", status: "UNAVAILABLE" } },
    };
    expect(events.at(-1)).toMatchObject(expected[wire]);
  });

  test("garbage is not JSON", async () => {
    const seen = await oneAnswer(garbage({ afterDeltas: 1 }, text), wire);
    expect(seen).toMatchObject({ status: 200, ended: "end" });
    expect(() => sse(seen.text)).toThrow(SyntaxError);
  });
});

test("the error event of a Responses stream goes on with its numbers", async () => {
  const seen = await oneAnswer(streamError({ afterDeltas: 2, type: "rate_limit_exceeded" }, text), "openai-responses");
  const numbers = sse(seen.text).map(({ data }) => (data as { sequence_number: number }).sequence_number);
  expect(numbers).toEqual([...numbers.keys()]);
  expect(seen.text).toContain('"type":"rate_limit_exceeded","code":"rate_limit_exceeded"');
});

test("a stall that does not finish ends in a cut", async () => {
  const seen = await oneAnswer(stalls({ afterDeltas: 1, forMs: 30, thenFinish: false }, text));
  expect(seen.ended).toBe("ECONNRESET");
});

test("a reset is a reset before any header", async () => {
  const seen = await oneAnswer(resets());
  expect(seen).toMatchObject({ status: undefined, text: "", why: "read ECONNRESET" });
});

test("a web page is a 200 that is no stream", async () => {
  const seen = await oneAnswer(html());
  expect(seen.status).toBe(200);
  expect(seen.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(seen.text).toContain("<!doctype html>");
});

test("a redirect names another place", async () => {
  const seen = await oneAnswer(redirects("http://elsewhere.test/v1/messages", 308));
  expect(seen).toMatchObject({ status: 308, headers: { location: "http://elsewhere.test/v1/messages" } });
});

test("a gzip bomb is about a thousand times as large unpacked", async () => {
  const seen = await oneAnswer(gzipBomb({ megabytes: 8 }));
  expect(seen.headers["content-encoding"]).toBe("gzip");
  const packed = Buffer.from(seen.text, "latin1");
  const unpacked = gunzipSync(packed);
  expect(unpacked.length).toBe(8 << 20);
  expect(unpacked.length / packed.length).toBeGreaterThan(900);
});

test("a dripping reply comes byte by byte", async () => {
  const seen = await oneAnswer(drips({ everyMs: 20 }), "openai-chat", { giveUpAfterMs: 400 });
  expect(seen.ended).not.toBe("end");
  expect(seen.text.length).toBeGreaterThan(2);
  expect(seen.text.length).toBeLessThanOrEqual(20);
});

test("a slow reply keeps each of its delays", async () => {
  const pace = { headersAfterMs: 60, firstTokenAfterMs: 80, perDeltaMs: 20 };
  const seen = await oneAnswer(slow(pace, text));
  expect(seen.firstByteMs).toBeGreaterThanOrEqual(55);
  expect(seen.ms).toBeGreaterThanOrEqual(60 + 80 + 3 * 20 - 10);
  expect(seen.ended).toBe("end");
});

test("a client that goes away is seen as such, and the server's own cuts are not", async () => {
  await using server = await startWireServer([stalls({ afterDeltas: 1 }), cut(), says("done"), resets()]);
  await ask(server.url, "anthropic", { giveUpAfterMs: 50 });
  await ask(server.url, "anthropic");
  await ask(server.url, "anthropic");
  await ask(server.url, "anthropic");
  await expect.poll(() => server.requests.map((request) => request.aborted)).toEqual([true, false, false, false]);
});
