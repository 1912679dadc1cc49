import { describe, expect, test } from "vitest";
import { faultInBody, faultOfAnswer } from "./faults.ts";

const site = { provider: "openai", model: "gpt-x", keyFrom: "OPENAI_API_KEY", baseFrom: "OPENAI_BASE_URL" };
const of = (status: number, body: unknown, headers: Record<string, string> = {}, now = 0) =>
  faultOfAnswer({ status, headers, text: typeof body === "string" ? body : JSON.stringify(body) }, site, now);
const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe("an error answer", () => {
  test.each([
    [401, said("Incorrect API key provided"), "auth"],
    [403, said("not allowed"), "auth"],
    [404, said("no such model"), "not-found"],
    [413, said("request_too_large"), "too-large"],
    [402, "payment required", "spend"],
    [400, said("Your credit balance is too low to access the API", { type: "invalid_request_error" }), "spend"],
    [400, said("You have reached your specified API usage limits."), "spend"],
    [403, said("spend limit reached", { code: "spend_limit" }), "spend"],
    [429, said("You exceeded your current quota", { type: "insufficient_quota" }), "spend"],
    [429, said("quota", { code: "billing_hard_limit_reached" }), "spend"],
    [
      429,
      said("You exceeded your current quota, please check your plan", { status: "RESOURCE_EXHAUSTED" }),
      "rate-limit",
    ],
    [400, said("prompt is too long: 210000 tokens > 200000 maximum"), "overflow"],
    [400, said("input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000"), "overflow"],
    [400, said("This model's maximum context length is 8192 tokens."), "overflow"],
    [400, said("x", { code: "context_length_exceeded" }), "overflow"],
    [400, said("The input token count (9) exceeds the maximum number of tokens allowed (8)."), "overflow"],
    [400, said("Request payload size exceeds the limit: 20971520 bytes."), "too-large"],
    [400, said("API key not valid. Please pass a valid API key."), "auth"],
    [400, said("max_tokens: 200000 > 128000, which is the maximum allowed"), "bad-request"],
    [400, said("filtered", { code: "content_filter" }), "refused"],
    [422, said("Field required"), "bad-request"],
    [429, said("slow down"), "rate-limit"],
    [503, "", "overloaded"],
    [529, said("Overloaded", { type: "overloaded_error" }), "overloaded"],
    [408, "", "server"],
    [409, "", "server"],
    [500, "", "server"],
    [502, "<html><title>Bad gateway</title>", "server"],
    [504, "", "server"],
    [418, "", "bad-request"],
  ] as const)("%i %j is %s", (status, body, code) => {
    expect(of(status, body)).toMatchObject({ code, status });
  });

  test("is told in one bounded line, in the provider's words and without control characters", () => {
    const fault = of(400, said(`bad\u001b[2J\u202e\r\n\u0000thing ${"x".repeat(1000)}`));
    expect(fault.message).toMatch(/^openai answered 400 \(\d+ characters\): bad \[2J thing xxx/);
    expect(fault.message.length).toBe(300);
  });

  test("is understood in the forms that servers use", () => {
    expect(of(400, { error: "plain words" }).message).toBe("openai answered 400: plain words");
    expect(of(400, [said("in a list")]).message).toBe("openai answered 400: in a list");
    expect(of(400, { detail: "from fastapi" }).message).toBe("openai answered 400: from fastapi");
    expect(of(500, "just text").message).toBe("openai answered 500: just text");
    expect(of(500, "").message).toBe("openai answered 500");
    const page = of(502, "<html><title>Bad gateway</title>", { "content-type": "text/html" });
    expect(page.message).toBe("openai answered 502: Bad gateway (an HTML page)");
  });

  test("names what to set", () => {
    expect(of(401, "").remedy).toBe("set OPENAI_API_KEY to a valid openai key that may use this model");
    expect(of(404, "").remedy).toBe('check the model name "gpt-x" and OPENAI_BASE_URL');
  });
});

describe("P.L01: what the provider asks us to wait", () => {
  const date = "Mon, 16 Nov 2026 10:00:30 GMT";
  test.each([
    [{ "retry-after": "7" }, 7000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "1250", "retry-after": "9" }, 1250],
    [{ "retry-after": date, date: "Mon, 16 Nov 2026 10:00:00 GMT" }, 30_000],
    [{ "retry-after": date }, 12_000],
    [{ "retry-after": "Mon, 16 Nov 2020 10:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ] as [Record<string, string>, number | undefined][])("%j", (headers, expected) => {
    expect(of(429, "", headers, Date.parse(date) - 12_000).retryAfterMs).toBe(expected);
  });

  test("is read from Gemini's body", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "6.5s" }];
    expect(of(429, said("slow", { details })).retryAfterMs).toBe(6500);
  });
});

describe("an error inside a stream", () => {
  test.each([
    [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "overloaded"],
    [{ type: "error", error: { type: "rate_limit_error", message: "x" } }, "rate-limit"],
    [{ type: "error", error: { type: "api_error", message: "x" } }, "server"],
    [{ type: "error", error: { type: "authentication_error", message: "x" } }, "auth"],
    [{ type: "error", error: { type: "invalid_request_error", message: "prompt is too long" } }, "overflow"],
    [{ type: "error", code: "rate_limit_exceeded", message: "x" }, "rate-limit"],
    [{ type: "error", code: "context_length_exceeded", message: "x" }, "overflow"],
    [{ error: { code: "insufficient_quota", message: "x" } }, "spend"],
    [{ error: { code: 503, status: "UNAVAILABLE", message: "x" } }, "overloaded"],
    [{ error: { code: 502, message: "x" } }, "server"],
    [{ error: { message: "what?" } }, "server"],
  ] as const)("%j is %s", (body, code) => {
    expect(faultInBody(body, site)?.code).toBe(code);
  });

  test("is not seen where there is none", () => {
    expect(faultInBody({ choices: [], message: "x" }, site)).toBeUndefined();
    expect(faultInBody("text", site)).toBeUndefined();
  });
});
