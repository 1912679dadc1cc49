import { expect, test } from "vitest";
import { fails } from "./script.ts";
import { startWireServer } from "./start-wire-server.ts";
import type { Failure, WireName } from "./step.ts";
import { ask } from "./test-client.ts";

async function failure(wire: WireName, what: Failure["what"], details: Omit<Failure, "what"> = {}) {
  await using server = await startWireServer([fails(what, details)]);
  const { status, headers, text } = await ask(server.url, wire);
  server.finish();
  return { status, headers, body: JSON.parse(text) as unknown };
}

test("Anthropic fails in its own words", async () => {
  expect(await failure("anthropic", 529)).toMatchObject({
    status: 529,
    body: {
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
      request_id: "req_01Sous00000001",
    },
  });
  expect(await failure("anthropic", "overflow")).toMatchObject({
    status: 400,
    body: { error: { type: "invalid_request_error", message: "prompt is too long: 215123 tokens > 200000 maximum" } },
  });
  expect(await failure("anthropic", "spend")).toMatchObject({
    status: 400,
    body: { error: { type: "invalid_request_error" } },
  });
  expect(await failure("anthropic", 413)).toMatchObject({
    status: 413,
    body: { error: { type: "request_too_large" } },
  });
  expect(await failure("anthropic", "rate-limit", { headers: { "retry-after": "7" } })).toMatchObject({
    status: 429,
    headers: { "retry-after": "7", "content-type": "application/json" },
    body: { error: { type: "rate_limit_error" } },
  });
});

test.each(["openai-chat", "openai-responses"] as const)("OpenAI fails in its own words on %s", async (wire) => {
  expect(await failure(wire, 401)).toMatchObject({
    status: 401,
    body: { error: { type: "invalid_request_error", param: null, code: "invalid_api_key" } },
  });
  expect(await failure(wire, "spend")).toMatchObject({ status: 429, body: { error: { code: "insufficient_quota" } } });
  expect(await failure(wire, "overflow")).toMatchObject({
    status: 400,
    body: { error: { code: "context_length_exceeded" } },
  });
  expect(await failure(wire, "overloaded")).toMatchObject({
    status: 503,
    body: { error: { type: "server_error", code: null } },
  });
  expect(await failure(wire, 502)).toMatchObject({ status: 502, body: { error: { type: "server_error" } } });
});

test("Gemini fails in its own words, and says in the body how long to wait", async () => {
  expect(await failure("gemini", 429, { headers: { "retry-after": "7" } })).toMatchObject({
    status: 429,
    body: {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }],
      },
    },
  });
  expect(await failure("gemini", "overloaded")).toMatchObject({
    status: 503,
    body: { error: { status: "UNAVAILABLE" } },
  });
  expect(await failure("gemini", "overflow")).toMatchObject({
    status: 400,
    body: { error: { status: "INVALID_ARGUMENT" } },
  });
});

test("a failure can carry the script's own message, type, code and body", async () => {
  const own = { message: "Cap reached", type: "billing_error", code: "spend_cap" };
  expect(await failure("anthropic", 429, own)).toMatchObject({
    body: { error: { type: "billing_error", message: "Cap reached" } },
  });
  expect(await failure("openai-chat", 429, own)).toMatchObject({
    body: { error: { type: "billing_error", code: "spend_cap" } },
  });
  expect(await failure("gemini", 500, { body: { odd: true } })).toMatchObject({ status: 500, body: { odd: true } });
});
