// The output items of the Responses wire, each with the events that build it up.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { PlannedCall, PlannedReply } from "../planned-reply.ts";
import { NUMBER, type Wants } from "./wire.ts";

/** An event before it has its sequence number. */
export type Draft = { readonly type: string; readonly fields: JsonObject; readonly delta?: boolean };
export type Item = { readonly done: Json; readonly drafts: (output_index: number) => Draft[] };

export function reasoning({ text, pieces }: NonNullable<PlannedReply["thinks"]>, wants: Wants): Item {
  const id = `rs_sous${NUMBER}`;
  const proof = wants.proof ? { encrypted_content: `gAAAAASous${NUMBER}` } : {};
  const done = { id, type: "reasoning", ...proof, summary: [{ type: "summary_text", text }] };
  const drafts = (output_index: number): Draft[] => {
    const at = { item_id: id, output_index, summary_index: 0 };
    return [
      added(output_index, { id, type: "reasoning", ...proof, summary: [] }),
      draft("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } }),
      ...pieces.map((delta) => piece("response.reasoning_summary_text.delta", { ...at, delta })),
      draft("response.reasoning_summary_text.done", { ...at, text }),
      draft("response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text } }),
      ended(output_index, done),
    ];
  };
  return { done, drafts };
}

export function message({ says, refusal }: PlannedReply): Item {
  const id = `msg_sous${NUMBER}`;
  const outputText = (text: string): Json => ({ type: "output_text", annotations: [], logprobs: [], text });
  const refused = (text: string): Json => ({ type: "refusal", refusal: text });
  const content = [...(says ? [outputText(says.text)] : []), ...(refusal ? [refused(refusal.text)] : [])];
  const done = { id, type: "message", status: "completed", content, role: "assistant" };
  const drafts = (output_index: number): Draft[] => {
    const list = [added(output_index, { id, type: "message", status: "in_progress", content: [], role: "assistant" })];
    if (says) {
      const at = { item_id: id, output_index, content_index: 0 };
      list.push(
        draft("response.content_part.added", { ...at, part: outputText("") }),
        ...says.pieces.map((delta) => piece("response.output_text.delta", { ...at, delta, logprobs: [] })),
        draft("response.output_text.done", { ...at, text: says.text, logprobs: [] }),
        draft("response.content_part.done", { ...at, part: outputText(says.text) }),
      );
    }
    if (refusal) {
      const at = { item_id: id, output_index, content_index: says ? 1 : 0 };
      list.push(
        draft("response.content_part.added", { ...at, part: refused("") }),
        ...refusal.pieces.map((delta) => piece("response.refusal.delta", { ...at, delta })),
        draft("response.refusal.done", { ...at, refusal: refusal.text }),
        draft("response.content_part.done", { ...at, part: refused(refusal.text) }),
      );
    }
    return [...list, ended(output_index, done)];
  };
  return { done, drafts };
}

export function functionCall(call: PlannedCall, n: number): Item {
  const id = `fc_sous${NUMBER}${n + 1}`;
  const item = { id, type: "function_call", call_id: call.id ?? `call_sous${NUMBER}${n + 1}`, name: call.tool };
  const done = { ...item, status: "completed", arguments: call.raw };
  const drafts = (output_index: number): Draft[] => {
    const at = { item_id: id, output_index };
    return [
      added(output_index, { ...item, status: "in_progress", arguments: "" }),
      ...call.pieces.map((delta) => piece("response.function_call_arguments.delta", { ...at, delta })),
      draft("response.function_call_arguments.done", { ...at, arguments: call.raw }),
      ended(output_index, done),
    ];
  };
  return { done, drafts };
}

const draft = (type: string, fields: JsonObject): Draft => ({ type, fields });
const piece = (type: string, fields: JsonObject): Draft => ({ type, fields, delta: true });
const added = (output_index: number, item: Json): Draft => draft("response.output_item.added", { output_index, item });
const ended = (output_index: number, item: Json): Draft => draft("response.output_item.done", { output_index, item });
