// The stream of Chat Completions to parts, from OpenAI and from servers that are only nearly like it.
import type { ReplyPart } from "../../core/messages.ts";
import { ModelFault } from "../../core/model-fault.ts";
import { noUsage, type Usage } from "../../core/usage.ts";
import type { Finish, ModelPart } from "../../ports/model.ts";
import { callFrom } from "./calls.ts";
import { faultInBody, faultOf, type Site } from "./faults.ts";
import { count, json, object, objects, text } from "./fields.ts";
import { alive, type WireReader, working } from "./wire.ts";

type Fields = Record<string, unknown>;
type Call = { key: string; id: string; name: string; args: string };

export function createChatReader(site: Site): WireReader {
  const calls: Call[] = [];
  let said = "";
  let thought = "";
  let thoughtField = "";
  let refusal = "";
  let model = site.model;
  let usage: Usage | undefined;
  let stop = "";
  let done = false;

  function delta(change: Fields, out: ModelPart[]): void {
    const before = out.length;
    for (const field of ["reasoning_content", "reasoning"]) {
      const piece = text(change[field]);
      if (!piece || (thoughtField && thoughtField !== field)) continue;
      thoughtField = field;
      thought += piece;
      out.push({ type: "reasoning", text: piece });
    }
    const piece = words(change["content"]) + text(change["refusal"]);
    said += piece;
    refusal += text(change["refusal"]);
    if (piece) out.push({ type: "text", text: piece });
    const parts = objects(change["tool_calls"]);
    for (const call of parts) addTo(calls, call);
    if (out.length > before) return;
    if (parts.length > 0) working(out);
    else alive(out);
  }

  function take(event: Fields, out: ModelPart[]): void {
    if (event["error"]) throw new ModelFault(faultInBody(event, site) ?? faultOf("server", "an error", site));
    model = text(event["model"]) || model;
    const choice = objects(event["choices"])[0];
    const told = event["usage"] ?? choice?.["usage"];
    if (told) usage = usageFrom(object(told));
    if (!choice) return alive(out);
    delta(object(choice["delta"]), out);
    stop = text(choice["finish_reason"]) || stop;
    if (!stop.includes("error")) return;
    throw new ModelFault(faultOf("server", `${site.provider} ended the reply with finish_reason ${stop}`, site));
  }

  return {
    event(data, _name, out) {
      if (data.trim() === "[DONE]") done = true;
      else take(json(data, site), out);
    },
    ended: () => done,
    usage: () => usage,
    reply() {
      if (!stop)
        return { missing: `${site.provider}: the stream ended ${done ? "with [DONE] " : ""}before finish_reason` };
      const by = site.provider;
      const content: ReplyPart[] = [
        ...(thought ? [{ type: "reasoning" as const, text: thought, by, opaque: { field: thoughtField } }] : []),
        ...(said ? [{ type: "text" as const, text: said }] : []),
        ...calls.map((call) => callFrom(call.id, call.name, call.args)),
      ];
      return { content, finish: finishOf(stop, refusal, calls.length), usage: usage ?? noUsage, model };
    },
  };
}

/** Some servers give a list of parts in place of a text. */
const words = (content: unknown): string =>
  typeof content === "string"
    ? content
    : objects(content)
        .map((part) => text(part["text"]))
        .join("");

/** Pieces of a call belong together by index; where a server gives none or always the same, by a new id. */
function addTo(calls: Call[], piece: Fields): void {
  const fn = object(piece["function"]);
  const id = text(piece["id"]);
  const index = piece["index"];
  const key = typeof index === "number" ? `#${index}` : id || `#${Math.max(0, calls.length - 1)}`;
  const known = calls.findLast((call) => call.key === key);
  const same = known && (!id || !known.id || known.id === id);
  const call = same ? known : { key, id, name: "", args: "" };
  if (!same) calls.push(call);
  call.id ||= id;
  // A name comes once, in pieces from some servers; a repetition of the whole name is not a piece.
  const name = text(fn["name"]);
  if (name !== call.name) call.name += name;
  const args = fn["arguments"];
  call.args += typeof args === "object" && args !== null ? JSON.stringify(args) : text(args);
}

/** Here the prompt count includes what was read from and written to the cache. */
function usageFrom(told: Fields): Usage {
  const details = object(told["prompt_tokens_details"]);
  const cacheReadTokens = count(details["cached_tokens"], count(told["prompt_cache_hit_tokens"]));
  const cacheWriteTokens = count(details["cache_write_tokens"]);
  return {
    inputTokens: Math.max(0, count(told["prompt_tokens"]) - cacheReadTokens - cacheWriteTokens),
    outputTokens: count(told["completion_tokens"]),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

function finishOf(stop: string, refusal: string, calls: number): Finish {
  if (stop === "content_filter" || stop === "sensitive" || refusal) return "refused";
  if (stop === "length") return "length";
  return calls > 0 ? "calls" : "stop";
}
