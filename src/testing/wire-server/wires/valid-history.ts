// What the real services check in a request's history before they answer: every call has its result, right after it,
// and arguments are in the form the wire wants. Says what is wrong in the words of a developer, or undefined.
import { isObject, type Json } from "../../../core/json.ts";
import { objects } from "./history.ts";
import type { Body } from "./wire.ts";

export function invalidAnthropic(body: Body): string | undefined {
  const messages = objects(body.messages);
  if (typeof body.max_tokens !== "number") return "max_tokens: Field required";
  if (messages.length === 0) return "messages: at least one message is required";
  if (messages[0]?.role !== "user") return "messages: first message must use the user role";
  let open: Json[] = [];
  for (const [n, message] of messages.entries()) {
    if (
      message.content === "" ||
      (Array.isArray(message.content) && message.content.length === 0 && n < messages.length - 1)
    )
      return `messages.${n}: content is empty`;
    const blocks = objects(message.content);
    const empty = blocks.some((block) => block.type === "text" && block.text === "");
    if (empty) return `messages.${n}: text content blocks must be non-empty`;
    const wrong = unpaired(
      open,
      blocks.filter((block) => block.type === "tool_result").map((block) => block.tool_use_id),
    );
    if (wrong) return `messages.${n}: ${wrong}`;
    const uses = blocks.filter((block) => block.type === "tool_use");
    if (uses.some((use) => !isObject(use.input))) return `messages.${n}: tool_use.input must be an object`;
    open = uses.map((use) => use.id ?? null);
  }
  return open.length > 0 ? `tool_use without tool_result: ${open.join(", ")}` : undefined;
}

export function invalidOpenaiChat(body: Body): string | undefined {
  const messages = objects(body.messages);
  if (messages.length === 0) return "messages: at least one message is required";
  let open: Json[] = [];
  for (const [n, message] of messages.entries()) {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id ?? null))
        return `messages.${n}: no call has the id ${message.tool_call_id}`;
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) return `messages.${n}: tool_calls without a tool message: ${open.join(", ")}`;
    const calls = objects(message.tool_calls);
    if (calls.some((call) => !isJson((call.function as Body | undefined)?.arguments)))
      return `messages.${n}: function.arguments is not JSON`;
    open = calls.map((call) => call.id ?? null);
  }
  return open.length > 0 ? `tool_calls without a tool message: ${open.join(", ")}` : undefined;
}

export function invalidOpenaiResponses(body: Body): string | undefined {
  const items = objects(body.input);
  const calls = items.filter((item) => item.type === "function_call");
  const results = items.filter((item) => item.type === "function_call_output").map((item) => item.call_id);
  if (calls.some((item) => !isJson(item.arguments))) return "input: function_call.arguments is not JSON";
  const missing = calls.find((item) => !results.includes(item.call_id));
  if (missing) return `No tool output found for function call ${missing.call_id}.`;
  const stray = results.find((id) => !calls.some((item) => item.call_id === id));
  return stray === undefined ? undefined : `No tool call found for function call output with call_id ${stray}.`;
}

export function invalidGemini(body: Body): string | undefined {
  const contents = objects(body.contents);
  if (contents.length === 0) return "contents: at least one content is required";
  let open = 0;
  for (const [n, content] of contents.entries()) {
    const parts = objects(content.parts);
    if (parts.length === 0) return `contents[${n}].parts: must have at least one part`;
    const results = parts.filter((part) => part.functionResponse).length;
    if (results !== open) return `contents[${n}]: ${open} function calls, but ${results} function responses`;
    const uses = parts.filter((part) => part.functionCall);
    if (uses.some((part) => !isObject((part.functionCall as Body).args ?? {})))
      return `contents[${n}]: functionCall.args must be an object`;
    open = uses.length;
  }
  return open > 0 ? `${open} function calls without function responses` : undefined;
}

function unpaired(open: readonly Json[], results: readonly (Json | undefined)[]): string | undefined {
  const missing = open.filter((id) => !results.includes(id));
  if (missing.length > 0) return `tool_use ids without tool_result blocks immediately after: ${missing.join(", ")}`;
  const stray = results.filter((id) => !open.includes(id ?? null));
  return stray.length > 0 ? `unexpected tool_use_id in tool_result blocks: ${stray.join(", ")}` : undefined;
}

function isJson(text: Json | undefined): boolean {
  if (typeof text !== "string") return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
