// Anthropic's stream to parts: content blocks by index, usage from start and end, whole only after message_stop.
import type { ReplyPart } from "../../core/messages.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { noUsage, type Usage } from "../../core/usage.ts";
import type { Finish, ModelPart } from "../../ports/model.ts";
import { callFrom } from "./calls.ts";
import { faultInBody, faultOf, type Site } from "./faults.ts";
import { count, json, list, text } from "./fields.ts";
import { placeOf } from "./reply-bounds.ts";
import { alive, type WireReader, working } from "./wire.ts";

type Fields = Record<string, unknown>;
type Block =
  | { kind: "text"; text: string }
  | { kind: "thinking"; text: string; signature: string }
  | { kind: "redacted"; data: string }
  | { kind: "call"; id: string; name: string; args: string; given: unknown };

export function createAnthropicReader(site: Site): WireReader {
  const blocks: (Block | undefined)[] = [];
  let model = site.model;
  let usage: Usage | undefined;
  let stop = "";
  let ended = false;

  function delta(block: Block | undefined, change: unknown, out: ModelPart[]): void {
    if (!block || !isObject(change)) return alive(out);
    if (block.kind === "text" && change["type"] === "text_delta") {
      const piece = text(change["text"]);
      block.text += piece;
      if (piece) out.push({ type: "text", text: piece });
    } else if (block.kind === "thinking" && change["type"] === "thinking_delta") {
      const piece = text(change["thinking"]);
      block.text += piece;
      if (piece) out.push({ type: "reasoning", text: piece });
    } else {
      if (block.kind === "thinking") block.signature += text(change["signature"]);
      if (block.kind === "call") block.args += text(change["partial_json"]);
      working(out);
    }
  }

  function take(event: Fields, out: ModelPart[]): void {
    const index = placeOf(event["index"], 0, site);
    switch (event["type"]) {
      case "content_block_delta":
        return delta(blocks[index], event["delta"], out);
      case "content_block_start":
        blocks[index] = blockFrom(event["content_block"]);
        return begin(blocks[index], out);
      case "message_start": {
        const message = isObject(event["message"]) ? event["message"] : {};
        model = text(message["model"]) || model;
        usage = usageFrom(message["usage"], noUsage);
        return alive(out);
      }
      case "message_delta":
        if (isObject(event["delta"])) stop = text(event["delta"]["stop_reason"]) || stop;
        usage = usageFrom(event["usage"], usage ?? noUsage);
        return alive(out);
      case "message_stop":
        ended = true;
        return;
      case "error":
        throw new ModelFault(faultInBody(event, site) ?? faultOf("server", "an error without words", site));
      default:
        return alive(out);
    }
  }

  return {
    event: (data, _name, out) => take(json(data, site), out),
    ended: () => ended,
    usage: () => usage,
    reply() {
      if (!ended) return { missing: `${site.provider}: the stream ended before message_stop` };
      const content = list(blocks).flatMap((block) => partFrom(block, site));
      return { content, finish: finishOf(stop, content), usage: usage ?? noUsage, model };
    },
  };
}

function blockFrom(start: unknown): Block | undefined {
  if (!isObject(start)) return undefined;
  switch (start["type"]) {
    case "text":
      return { kind: "text", text: text(start["text"]) };
    case "thinking":
      return { kind: "thinking", text: text(start["thinking"]), signature: text(start["signature"]) };
    case "redacted_thinking":
      return { kind: "redacted", data: text(start["data"]) };
    case "tool_use":
      return { kind: "call", id: text(start["id"]), name: text(start["name"]), args: "", given: start["input"] };
    default:
      return undefined;
  }
}

/** Some servers put the first words into the block's start. */
function begin(block: Block | undefined, out: ModelPart[]): void {
  if (block?.kind === "text" && block.text) out.push({ type: "text", text: block.text });
  else alive(out);
}

function partFrom(block: Block, site: Site): ReplyPart[] {
  const by = site.provider;
  switch (block.kind) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      if (!block.signature) return block.text === "" ? [] : [{ type: "reasoning", text: block.text, by }];
      return [{ type: "reasoning", text: block.text, by, opaque: { signature: block.signature, model: site.model } }];
    case "redacted":
      return [{ type: "reasoning", text: "", by, opaque: { redacted: block.data, model: site.model } }];
    case "call":
      return [callOf(block)];
  }
}

/** Arguments come as deltas; a few servers give them whole at the block's start instead. */
function callOf(block: Block & { kind: "call" }): ReplyPart {
  const whole = block.args === "" && isObject(block.given) && Object.keys(block.given).length > 0;
  return callFrom(block.id, block.name, whole ? JSON.stringify(block.given as JsonObject) : block.args);
}

function usageFrom(told: unknown, before: Usage): Usage {
  if (!isObject(told)) return before;
  return {
    inputTokens: count(told["input_tokens"], before.inputTokens),
    outputTokens: count(told["output_tokens"], before.outputTokens),
    cacheReadTokens: count(told["cache_read_input_tokens"], before.cacheReadTokens),
    cacheWriteTokens: count(told["cache_creation_input_tokens"], before.cacheWriteTokens),
  };
}

function finishOf(stop: string, content: readonly ReplyPart[]): Finish {
  if (stop === "refusal" || stop === "sensitive") return "refused";
  if (stop === "max_tokens" || stop === "model_context_window_exceeded") return "length";
  return content.some((part) => part.type === "call" || part.type === "bad-call") ? "calls" : "stop";
}
