// A request in Anthropic's words. Each message is turned to JSON once; a body is a join of strings.
import { isPdf } from "../../core/messages.ts";
import type { AssistantMessage, Message, ReplyPart, Said, ToolResult } from "../../core/messages.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ModelRequest, ToolSpec } from "../../ports/model.ts";
import { isOff, maxTokensFor, takesTemperature, thinkingFor, type ThinkingFields } from "./anthropic-thinking.ts";
import { inputOf, wireName } from "./calls.ts";
import { memo, memoLast } from "./memo.ts";
import { wireJson } from "./wire-json.ts";

const MARK = `"cache_control":{"type":"ephemeral"}`;

export function createAnthropicBody(provider: string, model: string): (request: ModelRequest) => string {
  const wireOf = memo((message: Message) => messageJson(message, provider, model));
  const plainOf = memo((message: Message) => messageJson(message, undefined, model));
  const schemaOf = memo((schema: JsonObject) => wireJson({ type: "object", ...schema }));
  const toolsOf = memo(
    (tools: readonly ToolSpec[]) => `[${tools.map((tool) => toolJson(tool, schemaOf(tool.schema))).join(",")}]`,
  );
  const systemOf = memoLast(systemJson);
  return (request) => {
    const max = request.maxOutputTokens ?? maxTokensFor(model, request.effort);
    const thinking = thinkingIn(request, provider, model, max);
    const head = JSON.stringify({
      model,
      max_tokens: max,
      stream: true,
      ...warmth(request, model, thinking),
      ...thinking,
    });
    const tools = request.tools.length > 0 ? toolsOf(request.tools) : "";
    const marks = tools && !request.system ? marked(tools, 1) : tools;
    const said = conversation(request.messages, isOff(thinking) ? plainOf : wireOf);
    return `${head.slice(0, -1)}${systemOf(request.system)}${marks && `,"tools":${marks}`},"messages":[${said}]}`;
  };
}

/** With a thinking budget, a tool turn must begin with our own thinking; one made elsewhere has none. */
function thinkingIn(request: ModelRequest, provider: string, model: string, max: number): ThinkingFields {
  const thinking = thinkingFor(model, request.effort, max);
  const budgeted = thinking.thinking?.["type"] === "enabled";
  return budgeted && midTurnWithoutThinking(request.messages, provider, model) ? {} : thinking;
}

function warmth({ temperature }: ModelRequest, model: string, { thinking }: ThinkingFields): JsonObject {
  return temperature !== undefined && takesTemperature(model) && !thinking ? { temperature } : {};
}

const systemJson = (text: string): string => (text ? `,"system":${marked(wireJson([{ type: "text", text }]), 1)}` : "");

/** The last two turns that are ours to say carry a cache mark: one was written last time, one is written now. */
function conversation(messages: readonly Message[], wireOf: (message: Message) => string): string {
  const wires = messages.map(wireOf);
  for (let at = messages.length - 1, marks = 2; at >= 0 && marks > 0; at--) {
    const wire = wires[at];
    if (!wire || messages[at]?.role === "assistant") continue;
    wires[at] = marked(wire, 2);
    marks -= 1;
  }
  return wires.filter((wire) => wire !== "").join(",");
}

/** `…}]` or `…}]}`: the mark goes into the last block, `closing` characters before the end. */
const marked = (json: string, closing: number): string =>
  `${json.slice(0, -closing - 1)},${MARK}${json.slice(-closing - 1)}`;

const toolJson = ({ name, description }: ToolSpec, schema: string): string =>
  `${wireJson({ name: wireName(name), description }).slice(0, -1)},"input_schema":${schema}}`;

/** Empty when nothing of the message can be said here. Without a provider, thinking is left out. */
function messageJson(message: Message, provider: string | undefined, model: string): string {
  const role = message.role === "assistant" ? "assistant" : "user";
  const content = blocks(message, provider, model);
  return content.length === 0 ? "" : wireJson({ role, content });
}

function blocks(message: Message, provider: string | undefined, model: string): readonly JsonObject[] {
  if (message.role === "user") return message.content.flatMap(saidBlock);
  if (message.role === "tool") return message.results.map(resultBlock);
  return message.content.flatMap((part) => replyBlock(part, provider, model));
}

/** Empty text blocks are refused. */
function saidBlock(said: Said): JsonObject[] {
  if (said.type === "text") return said.text === "" ? [] : [{ type: "text", text: said.text }];
  const type = isPdf(said) ? "document" : "image";
  return [{ type, source: { type: "base64", media_type: said.mediaType, data: said.data } }];
}

function resultBlock(result: ToolResult): JsonObject {
  const content = result.content.flatMap(saidBlock);
  return {
    type: "tool_result",
    tool_use_id: wireName(result.call),
    ...(content.length > 0 ? { content } : {}),
    ...(result.failed ? { is_error: true } : {}),
  };
}

function replyBlock(part: ReplyPart, provider: string | undefined, model: string): JsonObject[] {
  if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  if (part.type === "reasoning") return thinkingBlock(part, provider, model);
  return [{ type: "tool_use", id: wireName(part.call), name: wireName(part.tool), input: inputOf(part) }];
}

/** Thinking is bound to the model that produced it: another one, even of this provider, does not get it. */
function thinkingBlock(
  part: ReplyPart & { type: "reasoning" },
  provider: string | undefined,
  model: string,
): JsonObject[] {
  const { opaque } = part;
  if (!opaque || provider === undefined || part.by !== provider || opaque["model"] !== model) return [];
  if (typeof opaque["redacted"] === "string") return [{ type: "redacted_thinking", data: opaque["redacted"] }];
  if (typeof opaque["signature"] !== "string") return [];
  return [{ type: "thinking", thinking: part.text, signature: opaque["signature"] }];
}

function midTurnWithoutThinking(messages: readonly Message[], provider: string, model: string): boolean {
  if (messages.at(-1)?.role !== "tool") return false;
  const last = messages.findLast((message): message is AssistantMessage => message.role === "assistant");
  return !last?.content.some((part) => part.type === "reasoning" && thinkingBlock(part, provider, model).length > 0);
}
