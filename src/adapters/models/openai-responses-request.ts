// A request in the words of OpenAI Responses. Each message is turned to JSON once; a body is a join of strings.
import type { AssistantMessage, Message, ReplyPart, Said, ToolResult } from "../../core/messages.ts";
import { textOf, isPdf } from "../../core/messages.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { ModelRequest, ToolSpec } from "../../ports/model.ts";
import { inputOf, wireName } from "./calls.ts";
import { memo, memoLast } from "./memo.ts";
import { wireJson } from "./wire-json.ts";
import { effortFor, isPlain, takesTemperature } from "./openai-effort.ts";

export function createResponsesBody(provider: string, model: string): (request: ModelRequest) => string {
  const wireOf = memo((message: Message) => join(items(message, provider)));
  const toolOf = memo((tool: ToolSpec) => wireJson(toolJson(tool)));
  const toolsOf = memo((tools: readonly ToolSpec[]) => `,"tools":[${tools.map(toolOf).join(",")}]`);
  const systemOf = memoLast((text: string) => (text ? `,"instructions":${wireJson(text)}` : ""));
  return (request) => {
    const input = request.messages.map(wireOf).filter((wire) => wire !== "");
    const tools = request.tools.length > 0 ? toolsOf(request.tools) : "";
    return `{${settings(request, model)}${systemOf(request.system)}${tools},"input":[${input.join(",")}]}`;
  };
}

function settings(request: ModelRequest, model: string): string {
  const { temperature, maxOutputTokens, cacheKey } = request;
  const effort = effortFor(model, request.effort);
  return JSON.stringify({
    model,
    stream: true,
    store: false,
    // Without it a stateless conversation loses what the model thought.
    ...(isPlain(model) ? {} : { include: ["reasoning.encrypted_content"] }),
    ...(effort === undefined ? {} : { reasoning: effort === "none" ? { effort } : { effort, summary: "auto" } }),
    ...(temperature !== undefined && takesTemperature(model) ? { temperature } : {}),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: Math.max(16, maxOutputTokens) }),
    ...(cacheKey ? { prompt_cache_key: cacheKey.slice(0, 64) } : {}),
  }).slice(1, -1);
}

const join = (values: readonly JsonObject[]): string => values.map(wireJson).join(",");

const toolJson = (tool: ToolSpec): JsonObject => ({
  type: "function",
  name: wireName(tool.name),
  description: tool.description,
  parameters: { type: "object", ...tool.schema },
  strict: false,
});

function items(message: Message, provider: string): readonly JsonObject[] {
  if (message.role === "tool") return message.results.map(resultItem);
  if (message.role === "assistant") return replyItems(message, provider);
  return message.content.length === 0 ? [] : [{ role: "user", content: message.content.map(saidItem) }];
}

const saidItem = (said: Said): JsonObject =>
  said.type === "text"
    ? { type: "input_text", text: said.text }
    : isPdf(said)
      ? { type: "input_file", filename: "document.pdf", file_data: `data:${said.mediaType};base64,${said.data}` }
      : { type: "input_image", detail: "auto", image_url: `data:${said.mediaType};base64,${said.data}` };

function resultItem(result: ToolResult): JsonObject {
  const images = result.content.some((said) => said.type === "image");
  const output: Json = images ? result.content.map(saidItem) : textOf(result.content);
  return { type: "function_call_output", call_id: wireName(result.call), output };
}

function replyItems(message: AssistantMessage, provider: string): readonly JsonObject[] {
  // A reasoning item must be followed by what it led to.
  const last = message.content.findLastIndex((part) => part.type !== "reasoning");
  let phase: JsonObject = {};
  return message.content.slice(0, last + 1).flatMap((part): JsonObject[] => {
    if (part.type === "reasoning") {
      if (part.by !== provider || !part.opaque) return [];
      if (part.opaque["type"] === "reasoning") return [part.opaque];
      if (typeof part.opaque["phase"] === "string") phase = { phase: part.opaque["phase"] };
      return [];
    }
    if (part.type !== "text") return [callItem(part)];
    const marks = phase;
    phase = {};
    return part.text === ""
      ? []
      : [{ role: "assistant", content: [{ type: "output_text", text: part.text }], ...marks }];
  });
}

const callItem = (part: ReplyPart & { type: "call" | "bad-call" }): JsonObject => ({
  type: "function_call",
  call_id: wireName(part.call),
  name: wireName(part.tool),
  arguments: JSON.stringify(inputOf(part)),
});
