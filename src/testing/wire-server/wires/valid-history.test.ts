import { expect, test } from "vitest";
import { invalidAnthropic, invalidGemini, invalidOpenaiChat, invalidOpenaiResponses } from "./valid-history.ts";

const user = { role: "user", content: "go" };

test("Anthropic wants every call answered right after it, and only those", () => {
  const use = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] };
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "x" }] };
  const check = (...messages: object[]) => invalidAnthropic({ max_tokens: 1, messages: messages as [] });
  expect(check(user, use, result)).toBeUndefined();
  expect(check(user, use, result, { role: "assistant", content: "done" })).toBeUndefined();
  expect(check(user, use)).toContain("tool_use without tool_result: t1");
  expect(check(user, use, user)).toContain("without tool_result blocks immediately after: t1");
  expect(check(user, result)).toContain("unexpected tool_use_id");
  expect(check(use, result)).toContain("first message must use the user role");
  expect(check(user, { role: "assistant", content: [{ type: "tool_use", id: "t", input: "x" }] })).toContain(
    "an object",
  );
  expect(check(user, { role: "assistant", content: [{ type: "text", text: "" }] })).toContain("non-empty");
  expect(check(user, { role: "assistant", content: [] }, user)).toContain("content is empty");
  expect(invalidAnthropic({ messages: [user] })).toContain("max_tokens");
});

test("Chat Completions wants a tool message for every call, and arguments that are JSON", () => {
  const say = (args: string) => ({
    role: "assistant",
    tool_calls: [{ id: "c1", function: { name: "Read", arguments: args } }],
  });
  const result = { role: "tool", tool_call_id: "c1", content: "x" };
  const check = (...messages: object[]) => invalidOpenaiChat({ messages: messages as [] });
  expect(check(user, say("{}"), result)).toBeUndefined();
  expect(check(user, say("{}"))).toContain("tool_calls without a tool message: c1");
  expect(check(user, say("{}"), user)).toContain("tool_calls without a tool message: c1");
  expect(check(user, result)).toContain("no call has the id c1");
  expect(check(user, say('{"a'), result)).toContain("not JSON");
});

test("Responses wants an output for every call, and a call for every output", () => {
  const item = { type: "function_call", call_id: "c1", name: "Read", arguments: "{}" };
  const output = { type: "function_call_output", call_id: "c1", output: "x" };
  const check = (...input: object[]) => invalidOpenaiResponses({ input: input as [] });
  expect(check(user, item, output)).toBeUndefined();
  expect(check(user, item)).toContain("No tool output found for function call c1");
  expect(check(user, output)).toContain("No tool call found");
  expect(check(user, { ...item, arguments: "{" }, output)).toContain("not JSON");
});

test("Gemini wants as many responses as calls, right after them", () => {
  const asked = { role: "user", parts: [{ text: "go" }] };
  const use = { role: "model", parts: [{ functionCall: { name: "Read", args: {} } }] };
  const result = { role: "user", parts: [{ functionResponse: { name: "Read", response: {} } }] };
  const check = (...contents: object[]) => invalidGemini({ contents: contents as [] });
  expect(check(asked, use, result)).toBeUndefined();
  expect(check(asked, use)).toContain("1 function calls without function responses");
  expect(check(asked, use, asked)).toContain("1 function calls, but 0 function responses");
  expect(check(asked, result)).toContain("0 function calls, but 1 function responses");
  expect(check(asked, { role: "model", parts: [] })).toContain("at least one part");
});
