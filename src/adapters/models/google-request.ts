// A request in Gemini's words. Each message is turned to JSON once; a body is a join of strings.
import type { AssistantMessage, ImagePart, Message, ReplyPart, Said, ToolMessage } from "../../core/messages.ts";
import { textOf } from "../../core/messages.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ModelRequest, ToolSpec } from "../../ports/model.ts";
import { inputOf, wireName } from "./calls.ts";
import { isThird, takesTemperature, thinkingConfig } from "./google-thinking.ts";
import { memo, memoLast } from "./memo.ts";
import { wireJson } from "./wire-json.ts";

/** Stands for the signature of a call that another model made; Gemini then does not look for one. */
const UNSIGNED = "skip_thought_signature_validator";

export function createGoogleBody(provider: string, model: string): (request: ModelRequest) => string {
  const third = isThird(model);
  const wires = new WeakMap<Message, string>();
  const toolOf = memo((tool: ToolSpec) => wireJson(toolJson(tool)));
  const toolsOf = memo(
    (tools: readonly ToolSpec[]) => `,"tools":[{"functionDeclarations":[${tools.map(toolOf).join(",")}]}]`,
  );
  const systemOf = memoLast((text: string) => (text ? `"systemInstruction":${wireJson({ parts: [{ text }] })},` : ""));

  /** A result echoes the id its call came with, so it is made with the message before it. */
  function wireOf(message: Message, before: Message | undefined): string {
    const known = wires.get(message);
    if (known !== undefined) return known;
    const wire = contents(message, before, provider, third).map(wireJson).join(",");
    wires.set(message, wire);
    return wire;
  }

  return (request) => {
    const all = request.messages.map((message, at) => wireOf(message, request.messages[at - 1]));
    const tools = request.tools.length > 0 ? toolsOf(request.tools) : "";
    const said = all.filter((wire) => wire !== "").join(",");
    return `{${systemOf(request.system)}"contents":[${said}]${tools}${settings(request, model)}}`;
  };
}

function settings(request: ModelRequest, model: string): string {
  const thinking = thinkingConfig(model, request.effort);
  const { temperature, maxOutputTokens } = request;
  const config = {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature !== undefined && takesTemperature(model) ? { temperature } : {}),
    ...(thinking ? { thinkingConfig: thinking } : {}),
  };
  return Object.keys(config).length > 0 ? `,"generationConfig":${JSON.stringify(config)}` : "";
}

const toolJson = (tool: ToolSpec): JsonObject => ({
  name: wireName(tool.name),
  description: tool.description,
  parametersJsonSchema: { type: "object", ...tool.schema },
});

function contents(
  message: Message,
  before: Message | undefined,
  provider: string,
  third: boolean,
): readonly JsonObject[] {
  if (message.role === "tool") return toolContents(message, before, provider, third);
  const parts = message.role === "user" ? message.content.flatMap(saidPart) : replyParts(message, provider, third);
  return parts.length === 0 ? [] : [{ role: message.role === "user" ? "user" : "model", parts }];
}

function saidPart(said: Said): JsonObject[] {
  if (said.type === "text") return said.text === "" ? [] : [{ text: said.text }];
  return [{ inlineData: { mimeType: said.mediaType, data: said.data } }];
}

function replyParts(message: AssistantMessage, provider: string, third: boolean): JsonObject[] {
  let first = true;
  return message.content.flatMap((part): JsonObject[] => {
    if (part.type === "text") return part.text === "" ? [] : [{ text: part.text }];
    const own = part.type !== "bad-call" && part.by === provider ? part.opaque : undefined;
    const signature = own?.["thoughtSignature"];
    if (part.type === "reasoning") {
      if (!signature) return [];
      return [{ text: part.text, ...(own?.["thought"] ? { thought: true } : {}), thoughtSignature: signature }];
    }
    const unsigned = first && third && !signature ? { thoughtSignature: UNSIGNED } : {};
    first = false;
    return [{ functionCall: callJson(part, own?.["id"]), ...(signature ? { thoughtSignature: signature } : unsigned) }];
  });
}

const callJson = (part: ReplyPart & { type: "call" | "bad-call" }, id: unknown): JsonObject => ({
  ...(typeof id === "string" ? { id } : {}),
  name: wireName(part.tool),
  args: inputOf(part),
});

/** All responses of a turn in one content; before generation 3 their images follow in another. */
function toolContents(
  message: ToolMessage,
  before: Message | undefined,
  provider: string,
  third: boolean,
): JsonObject[] {
  const ids = idsOf(before, provider);
  const loose: JsonObject[] = [];
  const parts = message.results.map((result): JsonObject => {
    const images = result.content.filter((said): said is ImagePart => said.type === "image").flatMap(saidPart);
    if (!third) loose.push(...images);
    const id = ids.get(result.call);
    return {
      functionResponse: {
        ...(id === undefined ? {} : { id }),
        name: wireName(result.tool),
        response: { [result.failed ? "error" : "output"]: textOf(result.content) },
        ...(third && images.length > 0 ? { parts: images } : {}),
      },
    };
  });
  const results = { role: "user", parts };
  return loose.length > 0 ? [results, { role: "user", parts: loose }] : [results];
}

function idsOf(message: Message | undefined, provider: string): ReadonlyMap<string, string> {
  if (message?.role !== "assistant") return new Map();
  return new Map(
    message.content.flatMap((part): [string, string][] => {
      const id = part.type === "call" && part.by === provider ? part.opaque?.["id"] : undefined;
      return part.type === "call" && typeof id === "string" ? [[part.call, id]] : [];
    }),
  );
}
