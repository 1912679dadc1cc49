// Gemini's stream to parts: each event is a piece of the response; it is whole when a finishReason came and the body ended.
import type { CallId } from "../../core/ids.ts";
import type { ReplyPart } from "../../core/messages.ts";
import { isObject } from "../../core/json.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { noUsage, type Usage } from "../../core/usage.ts";
import type { Finish, ModelPart } from "../../ports/model.ts";
import { callFrom } from "./calls.ts";
import { faultInBody, type Site } from "./faults.ts";
import { count, json, object, objects, text } from "./fields.ts";
import { alive, type WireReader } from "./wire.ts";

type Fields = Record<string, unknown>;

const REFUSALS = new Set([
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "LANGUAGE",
  "IMAGE_SAFETY",
]);

export function createGoogleReader(site: Site): WireReader {
  const content: ReplyPart[] = [];
  let model = site.model;
  let usage: Usage | undefined;
  let stop = "";
  let blocked = "";

  function words(piece: string, thought: boolean, signature: string): void {
    const type = thought ? "reasoning" : "text";
    const last = content.at(-1);
    if (last?.type === type && !("opaque" in last)) content[content.length - 1] = { ...last, text: last.text + piece };
    else if (piece)
      content.push(
        thought ? { type: "reasoning", text: piece, by: site.provider } : ({ type, text: piece } as ReplyPart),
      );
    if (signature) sign(thought, signature);
  }

  /** A signature stays with its thought; one on plain text is kept as a part of its own, which Gemini also sends. */
  function sign(thought: boolean, thoughtSignature: string): void {
    const last = content.at(-1);
    const by = site.provider;
    if (thought && last?.type === "reasoning" && !last.opaque) {
      content[content.length - 1] = { ...last, opaque: { thought: true, thoughtSignature } };
    } else content.push({ type: "reasoning", text: "", by, opaque: { thoughtSignature } });
  }

  function part(piece: Fields, out: ModelPart[]): void {
    const signature = text(piece["thoughtSignature"]);
    if (isObject(piece["functionCall"])) {
      content.push(callPart(piece["functionCall"], signature, site.provider));
      return alive(out);
    }
    const said = text(piece["text"]);
    const thought = piece["thought"] === true;
    words(said, thought, signature);
    if (said) out.push({ type: thought ? "reasoning" : "text", text: said });
    else alive(out);
  }

  function take(event: Fields, out: ModelPart[]): void {
    const fault = event["error"] ? faultInBody(event, site) : undefined;
    if (fault) throw new ModelFault(fault);
    model = text(event["modelVersion"]) || model;
    if (event["usageMetadata"]) usage = usageFrom(object(event["usageMetadata"]));
    blocked = text(object(event["promptFeedback"])["blockReason"]) || blocked;
    const candidate = objects(event["candidates"])[0];
    const pieces = objects(object(candidate?.["content"])["parts"]);
    for (const piece of pieces) part(piece, out);
    if (pieces.length === 0) alive(out);
    stop = text(candidate?.["finishReason"]) || stop;
    if (stop === "MALFORMED_FUNCTION_CALL") content.push(...unreadable(text(candidate?.["finishMessage"])));
  }

  return {
    event: (data, _name, out) => (data === "[DONE]" ? alive(out) : take(json(data, site), out)),
    ended: () => false,
    usage: () => usage,
    reply() {
      if (!stop && !blocked) return { missing: `${site.provider}: the stream ended before a finishReason` };
      const finish = blocked ? "refused" : finishOf(stop, content);
      if (!finish) return { missing: `${site.provider}: the reply ended with finishReason ${stop}` };
      return { content, finish, usage: usage ?? noUsage, model };
    },
  };
}

/** Gemini gives arguments as JSON already; many models give a call no id. */
function callPart(call: Fields, thoughtSignature: string, by: string): ReplyPart {
  const args = call["args"] === undefined ? "" : JSON.stringify(call["args"]);
  const id = text(call["id"]);
  const made = callFrom(id, text(call["name"]), args);
  if (made.type === "bad-call" || (!id && !thoughtSignature)) return made;
  return { ...made, by, opaque: { ...(id ? { id } : {}), ...(thoughtSignature ? { thoughtSignature } : {}) } };
}

/** Gemini itself could not read the arguments, and tells the call only in words. */
function unreadable(message: string): ReplyPart[] {
  const [, tool, raw] = /call:\s*(?:print\()?(?:default_api\.)?([\w-]+)\(([^]*?)\)*$/.exec(message) ?? [];
  if (tool === undefined || raw === undefined) return [];
  return [{ type: "bad-call", call: "" as CallId, tool, raw, problem: "the arguments could not be read" }];
}

/** Here the prompt count includes what came from the cache, and thoughts are billed as output. */
function usageFrom(told: Fields): Usage {
  const cacheReadTokens = count(told["cachedContentTokenCount"]);
  const input = count(told["promptTokenCount"]) + count(told["toolUsePromptTokenCount"]);
  return {
    inputTokens: Math.max(0, input - cacheReadTokens),
    outputTokens: count(told["candidatesTokenCount"]) + count(told["thoughtsTokenCount"]),
    cacheReadTokens,
    cacheWriteTokens: 0,
  };
}

/** Undefined: the model was cut off in a way that is neither a refusal nor a limit; worth another attempt. */
function finishOf(stop: string, content: readonly ReplyPart[]): Finish | undefined {
  if (REFUSALS.has(stop)) return "refused";
  if (stop === "MAX_TOKENS") return "length";
  const calls = content.some((part) => part.type === "call" || part.type === "bad-call");
  if (stop === "MALFORMED_FUNCTION_CALL" && calls) return "calls";
  if (stop !== "STOP") return undefined;
  return calls ? "calls" : "stop";
}
