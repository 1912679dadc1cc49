import { describe, expect, test } from "vitest";
import type { Effort } from "../../ports/model.ts";
import { text } from "../../core/messages.ts";
import { createGoogleBody } from "./google-request.ts";
import { createGoogleReader } from "./google-reader.ts";
import { googleWire } from "./google.ts";
import { conversation, parsed, requestOf } from "./request-fixture.ts";

const site = { provider: "google", model: "gemini-3.8-flash", keyFrom: "K", baseFrom: "B" };
const inline = { inlineData: { mimeType: "image/png", data: "aW1n" } };
const own = [
  { type: "reasoning", text: "unsigned thoughts stay here", by: "google" },
  { type: "reasoning", text: "Hm", by: "google", opaque: { thought: true, thoughtSignature: "c2ln" } },
] as const;
const read = { by: "google", opaque: { thoughtSignature: "Y2FsbA==", id: "fc-1" } };
const tools = [
  {
    functionDeclarations: [
      {
        name: "Read",
        description: "Reads a file",
        parametersJsonSchema: {
          type: "object",
          properties: { file_path: { type: "string" } },
          required: ["file_path"],
        },
      },
      {
        name: "Bash",
        description: "Runs a command",
        parametersJsonSchema: { type: "object", properties: { command: { type: "string" } } },
      },
    ],
  },
];

test("a request is exactly what Gemini 3 takes", () => {
  const body = createGoogleBody("google", "gemini-3.8-flash");
  const more = { effort: "max", temperature: 0.2, maxOutputTokens: 500 } as const;
  expect(parsed(body(requestOf(conversation(own, read as never), more)))).toEqual({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    contents: [
      { role: "user", parts: [{ text: "Look at this" }, inline] },
      {
        role: "model",
        parts: [
          { text: "Hm", thought: true, thoughtSignature: "c2ln" },
          { text: "I look." },
          { functionCall: { id: "fc-1", name: "Read", args: { file_path: "a" } }, thoughtSignature: "Y2FsbA==" },
          { functionCall: { name: "Bash", args: { malformed_arguments: '{"command' } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "fc-1", name: "Read", response: { output: "contents" }, parts: [inline] } },
          { functionResponse: { name: "Bash", response: { error: "not JSON" } } },
        ],
      },
      { role: "user", parts: [{ text: "Go on" }] },
    ],
    tools,
    generationConfig: { maxOutputTokens: 500, thinkingConfig: { includeThoughts: true, thinkingLevel: "high" } },
  });
});

test("before Gemini 3 images of results follow in a content of their own, and calls need no signature", () => {
  const sent = parsed(
    createGoogleBody("google", "gemini-2.0-flash")(requestOf(conversation([]), { temperature: 0.2 })),
  );
  expect(sent).toMatchObject({ generationConfig: { temperature: 0.2 } });
  const { contents } = sent as { contents: unknown[] };
  expect(contents[3]).toEqual({ role: "user", parts: [inline] });
  expect(JSON.stringify(contents)).not.toContain("thoughtSignature");
});

test("the first call of a turn that another model made says that it is not signed", () => {
  const sent = parsed(createGoogleBody("google", "gemini-3.8-flash")(requestOf(conversation([]))));
  const model = (sent as { contents: { parts: object[] }[] }).contents[1];
  expect(model?.parts.slice(1)).toMatchObject([
    { thoughtSignature: "skip_thought_signature_validator", functionCall: { name: "Read" } },
    { functionCall: { name: "Bash" } },
  ]);
  expect(model?.parts[2]).not.toHaveProperty("thoughtSignature");
});

describe("thinking and effort", () => {
  test.each([
    ["gemini-3.8-flash", undefined, { includeThoughts: true }],
    ["gemini-3.8-flash", "none", { includeThoughts: true, thinkingLevel: "low" }],
    ["gemini-3.5-flash-lite", "minimal", { includeThoughts: true, thinkingLevel: "minimal" }],
    ["gemini-3.1-pro-preview", "none", { includeThoughts: true, thinkingLevel: "low" }],
    ["gemini-3.6-flash", "medium", { includeThoughts: true, thinkingLevel: "medium" }],
    ["gemini-2.5-flash", "none", { includeThoughts: false, thinkingBudget: 0 }],
    ["gemini-2.5-pro", "none", { includeThoughts: true, thinkingBudget: 128 }],
    ["gemini-2.0-flash", "high", undefined],
    ["gemma-4", "high", undefined],
  ] as [string, Effort | undefined, object | undefined][])("%s with effort %s", (model, effort, expected) => {
    const request = requestOf([{ role: "user", content: [text("Hi")] }], effort ? { effort } : {});
    const sent = parsed(createGoogleBody("google", model)(request)) as { generationConfig?: Record<string, unknown> };
    expect(sent.generationConfig?.["thinkingConfig"]).toEqual(expected);
  });
});

test("the address is right however the base URL is written, and the key is not part of it", () => {
  for (const base of ["http://h", "http://h/", "http://h/v1beta", "http://h/v1beta/"]) {
    expect(googleWire(site, base).url.href).toBe(
      "http://h/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse",
    );
  }
  expect(googleWire(site).headers("k")).toEqual({ "x-goog-api-key": "k" });
});

describe("a reader", () => {
  const readAll = (events: object[]) => {
    const reader = createGoogleReader(site);
    for (const event of events) reader.event(JSON.stringify(event), "", []);
    return reader.reply();
  };
  const chunk = (parts: object[], more: object = {}) => ({ candidates: [{ content: { parts }, ...more }] });

  test("keeps each signature with what it signs", () => {
    const reply = readAll([
      chunk([{ text: "Let ", thought: true }]),
      chunk([{ text: "me see", thought: true, thoughtSignature: "dA==" }]),
      chunk([{ text: "I " }]),
      chunk([{ text: "look" }]),
      chunk([{ text: "", thoughtSignature: "ZQ==" }]),
      chunk([{ functionCall: { name: "Read", args: {}, id: "fc" }, thoughtSignature: "Yw==" }]),
      chunk([{ functionCall: { name: "Bash" } }], { finishReason: "STOP" }),
    ]);
    expect(reply).toMatchObject({
      finish: "calls",
      content: [
        { type: "reasoning", text: "Let me see", by: "google", opaque: { thought: true, thoughtSignature: "dA==" } },
        { type: "text", text: "I look" },
        { type: "reasoning", text: "", by: "google", opaque: { thoughtSignature: "ZQ==" } },
        { type: "call", call: "fc", tool: "Read", by: "google", opaque: { id: "fc", thoughtSignature: "Yw==" } },
        { type: "call", call: "", tool: "Bash", input: {} },
      ],
    });
  });

  test("a prompt that is blocked is refused", () => {
    expect(readAll([{ promptFeedback: { blockReason: "SAFETY" } }])).toMatchObject({ finish: "refused", content: [] });
  });

  test("a call that Gemini could not read is told with its tool, where that can be known", () => {
    const broken = (finishMessage: string) =>
      readAll([chunk([], { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage })]);
    expect(broken("Malformed function call: print(default_api.Read(file_path='a))")).toMatchObject({
      finish: "calls",
      content: [{ type: "bad-call", tool: "Read", raw: "file_path='a" }],
    });
    expect(broken("")).toEqual({ missing: "google: the reply ended with finishReason MALFORMED_FUNCTION_CALL" });
  });

  test("an end for another reason is no reply", () => {
    expect(readAll([chunk([{ text: "Hi" }], { finishReason: "OTHER" })])).toEqual({
      missing: "google: the reply ended with finishReason OTHER",
    });
  });
});
