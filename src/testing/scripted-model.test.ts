import { expect, test } from "vitest";
import { ModelFault } from "../core/model-fault.ts";
import type { ModelPart, ModelRequest } from "../ports/model.ts";
import { fakeClock } from "./memory/fake-clock.ts";
import { scripted, type ScriptedModel } from "./scripted-model.ts";
import {
  call,
  cut,
  ends,
  expecting,
  fails,
  garbage,
  html,
  malformedCall,
  redirects,
  refuses,
  replies,
  resets,
  says,
  slow,
  stalls,
  streamError,
} from "./wire-server/script.ts";

const request: ModelRequest = {
  system: "be brief",
  messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
  tools: [],
};
const never = new AbortController().signal;

async function partsOf(model: ScriptedModel, signal = never, asked = request): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(asked, signal)) parts.push(part);
  return parts;
}
async function faultOf(model: ScriptedModel): Promise<unknown> {
  const error = await partsOf(model).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelFault);
  return (error as ModelFault).fault;
}

test("a scripted reply streams its pieces and ends with the reply", async () => {
  const step = replies({
    thinks: "hm",
    says: "I read it all.",
    calls: [call("Read", { file_path: "a" }, "c1"), malformedCall("Bash", '{"comm'), malformedCall("LS", "[1]")],
    usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
    model: "model-2026",
  });
  const model = scripted([step], { id: "acme/large" });
  const parts = await partsOf(model);
  expect(parts.slice(0, 4)).toEqual([
    { type: "connected" },
    { type: "reasoning", text: "hm" },
    { type: "text", text: "I read it al" },
    { type: "text", text: "l." },
  ]);
  expect(parts.slice(4, -1).every((part) => part.type === "working")).toBe(true);
  expect(parts.at(-1)).toEqual({
    type: "reply",
    reply: {
      content: [
        { type: "reasoning", text: "hm", by: "acme", opaque: { signature: "signed-1" } },
        { type: "text", text: "I read it all." },
        { type: "call", call: "c1", tool: "Read", input: { file_path: "a" } },
        { type: "bad-call", call: "call-1-2", tool: "Bash", raw: '{"comm', problem: "the arguments are not JSON" },
        { type: "bad-call", call: "call-1-3", tool: "LS", raw: "[1]", problem: "the arguments are not an object" },
      ],
      finish: "calls",
      usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
      model: "model-2026",
    },
  });
  expect([model.id, model.provider]).toEqual(["acme/large", "acme"]);
  model.finish();
});

test("a refusal is a reply that says so", async () => {
  expect((await partsOf(scripted([refuses("No.")]))).at(-1)).toMatchObject({
    reply: { finish: "refused", content: [{ type: "text", text: "No." }] },
  });
});

test("a request is kept as it was when it came", async () => {
  const model = scripted([says("a")]);
  const messages = [...request.messages];
  await partsOf(model, never, { ...request, messages });
  messages.push({ role: "assistant", content: [] });
  expect(model.requests).toEqual([request]);
  const [kept] = model.requests as [ModelRequest];
  expect(() => (kept.messages as unknown[]).push("x")).toThrow(TypeError);
});

test("a call that the script does not have is a fault, and finish throws", async () => {
  const model = scripted([says("a")]);
  await partsOf(model);
  model.finish();
  expect(await faultOf(model)).toMatchObject({
    code: "script",
    message: "call 2 was not expected: the script has 1 steps",
  });
  expect(() => model.finish()).toThrow("call 2 was not expected");
});

test("a step that is left over makes finish throw", async () => {
  const model = scripted([says("a"), says("never asked")]);
  await partsOf(model);
  expect(() => model.finish()).toThrow("never asked");
});

test("a call that a step does not expect is a fault, and finish throws", async () => {
  const model = scripted([expecting({ contains: "stop" }, says("a")), expecting({ contains: "go" }, says("b"))]);
  expect(await faultOf(model)).toMatchObject({ code: "script", message: expect.stringContaining('lacks "stop"') });
  expect(() => model.finish()).toThrow('lacks "stop"');
  expect(() => scripted([expecting(() => true, says("a"))])).toThrow("a function");
});

test.each([
  [fails("overloaded"), { code: "overloaded" }],
  [fails(529), { code: "overloaded", status: 529 }],
  [fails(403), { code: "auth", status: 403 }],
  [fails(404), { code: "not-found" }],
  [fails(413), { code: "too-large" }],
  [fails(502), { code: "server" }],
  [fails(400, { message: "odd" }), { code: "bad-request", message: "odd" }],
  [fails("rate-limit", { headers: { "retry-after": "7" } }), { code: "rate-limit", retryAfterMs: 7000 }],
  [fails("overflow"), { code: "overflow" }],
  [resets(), { code: "network" }],
  [html(), { code: "incomplete" }],
  [redirects("http://elsewhere.test"), { code: "redirect" }],
  [garbage(), { code: "incomplete" }],
  [streamError(), { code: "overloaded" }],
  [streamError({ type: "rate_limit_error" }), { code: "rate-limit" }],
  [streamError({ type: "api_error" }), { code: "server" }],
])("a scripted failure %# is thrown as a fault", async (step, fault) => {
  expect(await faultOf(scripted([step]))).toMatchObject(fault);
});

test("a break comes after its pieces, and no reply comes", async () => {
  for (const [step, code] of [
    [cut({ afterDeltas: 2 }), "network"],
    [ends({ afterDeltas: 2 }), "incomplete"],
  ] as const) {
    const parts: ModelPart[] = [];
    const run = async (): Promise<void> => {
      for await (const part of scripted([step]).stream(request, never)) parts.push(part);
    };
    await expect(run()).rejects.toMatchObject({ fault: { code } });
    expect(parts.map((part) => part.type)).toEqual(["connected", "text", "text"]);
  }
});

test("a stall lasts until the signal, and its reason is thrown", async () => {
  const control = new AbortController();
  const reason = new Error("enough");
  const running = partsOf(scripted([stalls()]), control.signal);
  setTimeout(() => control.abort(reason), 20);
  await expect(running).rejects.toBe(reason);
});

test("a slow script waits on the given clock", async () => {
  const clock = fakeClock();
  const model = scripted([slow({ headersAfterMs: 1000, firstTokenAfterMs: 5000 })], { sleep: clock.sleep });
  let done = false;
  const running = partsOf(model).then(() => (done = true));
  await clock.advance(5_999);
  expect(done).toBe(false);
  await clock.advance(1);
  await running;
  expect(clock.ticks()).toBe(6_000);
});
