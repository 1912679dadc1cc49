// A request in the words of OpenAI Chat Completions. Each message is turned to JSON once; a body is a join of strings.
import type { AssistantMessage, ImagePart, Message, ReplyPart, Said, ToolMessage } from "../../core/messages.ts";
import { textOf, isPdf } from "../../core/messages.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { ModelRequest, ToolSpec } from "../../ports/model.ts";
import { inputOf, wireName } from "./calls.ts";
import { memo, memoLast } from "./memo.ts";
import { wireJson } from "./wire-json.ts";
import { effortFor, takesTemperature } from "./openai-effort.ts";

export function createChatBody(provider: string, model: string, native: boolean): (request: ModelRequest) => string {
  const wireOf = memo((message: Message) => join(wireMessages(message, provider)));
  const toolOf = memo((tool: ToolSpec) => wireJson(toolJson(tool)));
  const toolsOf = memo((tools: readonly ToolSpec[]) => `,"tools":[${tools.map(toolOf).join(",")}]`);
  const systemOf = memoLast((text: string) => (text ? wireJson({ role: "system", content: text }) : ""));
  return (request) => {
    const wires = [systemOf(request.system), ...request.messages.map(wireOf)].filter((wire) => wire !== "");
    const tools = request.tools.length > 0 ? toolsOf(request.tools) : "";
    return `{${settings(request, model, native)}${tools},"messages":[${wires.join(",")}]}`;
  };
}

function settings(request: ModelRequest, model: string, native: boolean): string {
  const { temperature, maxOutputTokens, cacheKey } = request;
  const effort = effortFor(model, request.effort);
  return JSON.stringify({
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(temperature !== undefined && takesTemperature(model) ? { temperature } : {}),
    ...(maxOutputTokens === undefined ? {} : { [native ? "max_completion_tokens" : "max_tokens"]: maxOutputTokens }),
    ...(cacheKey && native ? { prompt_cache_key: cacheKey.slice(0, 64) } : {}),
  }).slice(1, -1);
}

const join = (values: readonly JsonObject[]): string => values.map(wireJson).join(",");

const toolJson = (tool: ToolSpec): JsonObject => ({
  type: "function",
  function: {
    name: wireName(tool.name),
    description: tool.description,
    parameters: { type: "object", ...tool.schema },
  },
});

function wireMessages(message: Message, provider: string): readonly JsonObject[] {
  if (message.role === "user")
    return message.content.length === 0 ? [] : [{ role: "user", content: said(message.content) }];
  if (message.role === "tool") return toolMessages(message);
  return assistantMessage(message, provider);
}

const said = (content: readonly Said[]): Json =>
  content.every((part) => part.type === "text") ? textOf(content) : content.map(saidPart);

const saidPart = (part: Said): JsonObject =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : isPdf(part)
      ? { type: "file", file: { filename: "document.pdf", file_data: dataUrl(part) } }
      : { type: "image_url", image_url: { url: dataUrl(part) } };

const dataUrl = (part: ImagePart): string => `data:${part.mediaType};base64,${part.data}`;

/** A tool message holds text only: images follow in a message of their own, after all results of the turn. */
function toolMessages(message: ToolMessage): readonly JsonObject[] {
  const results = message.results.map((result): JsonObject => {
    const images = result.content.some((part) => part.type === "image");
    const content = textOf(result.content) || (images ? "(see the image that follows)" : "(no output)");
    return { role: "tool", tool_call_id: wireName(result.call), content };
  });
  const images = message.results.flatMap((result) =>
    result.content.filter((part): part is ImagePart => part.type === "image"),
  );
  if (images.length === 0) return results;
  const content = [{ type: "text", text: "Images from the tool results above:" }, ...images.map(saidPart)];
  return [...results, { role: "user", content }];
}

function assistantMessage(message: AssistantMessage, provider: string): readonly JsonObject[] {
  const content = textOf(message.content);
  const calls = message.content.filter((part) => part.type === "call" || part.type === "bad-call").map(callJson);
  if (!content && calls.length === 0) return [];
  return [
    {
      role: "assistant",
      content: content || null,
      ...reasoning(message, provider),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

/** Servers that think aloud in a field want it back in the same field. */
function reasoning(message: AssistantMessage, provider: string): JsonObject {
  const own = message.content.find((part) => part.type === "reasoning" && part.by === provider && part.opaque);
  if (own?.type !== "reasoning" || typeof own.opaque?.["field"] !== "string") return {};
  return { [own.opaque["field"]]: own.text };
}

const callJson = (part: ReplyPart & { type: "call" | "bad-call" }): JsonObject => ({
  id: wireName(part.call),
  type: "function",
  function: { name: wireName(part.tool), arguments: JSON.stringify(inputOf(part)) },
});
