// The stream of OpenAI Responses to parts. Finished items are what counts; the reply is whole with the response's end.
import type { ReplyPart } from "../../core/messages.ts";
import type { JsonObject } from "../../core/json.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { noUsage, type Usage } from "../../core/usage.ts";
import type { Finish, ModelPart } from "../../ports/model.ts";
import { callFrom } from "./calls.ts";
import { faultInBody, faultOf, type Site } from "./faults.ts";
import { count, json, list, object, objects, text } from "./fields.ts";
import { placeOf } from "./reply-bounds.ts";
import { alive, type WireReader, working } from "./wire.ts";

type Fields = Record<string, unknown>;

export function createResponsesReader(site: Site): WireReader {
  const items: (Fields | undefined)[] = [];
  let end: Fields | undefined;
  let model = site.model;
  let usage: Usage | undefined;

  function finish(response: Fields): void {
    end = response;
    model = text(response["model"]) || model;
    if (response["usage"]) usage = usageFrom(object(response["usage"]));
    if (list(items).length === 0) items.push(...objects(response["output"]));
  }

  function fail(error: unknown): never {
    throw new ModelFault(faultInBody(error, site) ?? faultOf("server", `${site.provider} reported a failure`, site));
  }

  function take(event: Fields, out: ModelPart[]): void {
    switch (event["type"]) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        return push("text", text(event["delta"]), out);
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return push("reasoning", text(event["delta"]), out);
      case "response.reasoning_summary_part.added":
        return Number(event["summary_index"] ?? 0) > 0 ? push("reasoning", "\n\n", out) : alive(out);
      case "response.function_call_arguments.delta":
        return working(out);
      case "response.output_item.done":
        items[placeOf(event["output_index"], items.length, site)] = object(event["item"]);
        return alive(out);
      case "response.created":
        model = text(object(event["response"])["model"]) || model;
        return alive(out);
      case "response.completed":
      case "response.incomplete":
        return finish(object(event["response"]));
      case "response.failed":
        return fail({ error: object(event["response"])["error"] ?? {} });
      case "error":
        return fail(event);
      default:
        return alive(out);
    }
  }

  return {
    event: (data, _name, out) => (data === "[DONE]" ? alive(out) : take(json(data, site), out)),
    ended: () => end !== undefined,
    usage: () => usage,
    reply() {
      if (!end) return { missing: `${site.provider}: the stream ended before response.completed` };
      const content = list(items).flatMap((item) => partsFrom(item, site.provider));
      return { content, finish: finishOf(end, list(items), content), usage: usage ?? noUsage, model };
    },
  };
}

function push(type: "text" | "reasoning", piece: string, out: ModelPart[]): void {
  if (piece) out.push({ type, text: piece });
}

function partsFrom(item: Fields, by: string): ReplyPart[] {
  switch (item["type"]) {
    case "message":
      return messageParts(item, by);
    case "function_call":
      return [callFrom(text(item["call_id"]), text(item["name"]), text(item["arguments"]))];
    case "reasoning":
      return [reasoningPart(item, by)];
    default:
      return [];
  }
}

/** `phase` tells commentary from the final answer and has to go back with the text; it is kept beside it. */
function messageParts(item: Fields, by: string): ReplyPart[] {
  const said = objects(item["content"])
    .map((part) => text(part["text"]) || text(part["refusal"]))
    .join("");
  if (said === "") return [];
  const phase = text(item["phase"]);
  return [
    ...(phase ? [{ type: "reasoning" as const, text: "", by, opaque: { phase } }] : []),
    { type: "text", text: said },
  ];
}

/** Only an encrypted item can be sent back, since nothing is stored at the provider. */
function reasoningPart(item: Fields, by: string): ReplyPart {
  const texts = [...objects(item["summary"]), ...objects(item["content"])].map((part) => text(part["text"]));
  const words = texts.join("\n\n");
  if (!text(item["encrypted_content"])) return { type: "reasoning", text: words, by };
  const { status: _, ...opaque } = item as JsonObject;
  return { type: "reasoning", text: words, by, opaque };
}

/** Here the input count includes what was read from and written to the cache. */
function usageFrom(told: Fields): Usage {
  const details = object(told["input_tokens_details"]);
  const cacheReadTokens = count(details["cached_tokens"]);
  const cacheWriteTokens = count(details["cache_write_tokens"]);
  return {
    inputTokens: Math.max(0, count(told["input_tokens"]) - cacheReadTokens - cacheWriteTokens),
    outputTokens: count(told["output_tokens"]),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

function finishOf(end: Fields, items: readonly Fields[], content: readonly ReplyPart[]): Finish {
  const reason = text(object(end["incomplete_details"])["reason"]);
  const refusal = items.some((item) => objects(item["content"]).some((part) => part["type"] === "refusal"));
  if (reason === "content_filter" || refusal) return "refused";
  if (reason !== "" || end["status"] === "incomplete") return "length";
  return content.some((part) => part.type === "call" || part.type === "bad-call") ? "calls" : "stop";
}
