// The conversation as the engine keeps it, independent of any provider's wire format.
import type { CallId } from "./ids.ts";
import type { Json, JsonObject } from "./json.ts";

export type TextPart = { readonly type: "text"; readonly text: string };
/** A picture, or a PDF where the model can read one; `data` is base64. */
export type ImagePart = { readonly type: "image"; readonly mediaType: string; readonly data: string };
/**
 * What a model thought. `opaque` is the provider's own proof (a signature, an encrypted item), sent back as it came
 * and only to the provider named in `by`.
 */
export type ReasoningPart = {
  readonly type: "reasoning";
  readonly text: string;
  readonly by?: string;
  readonly opaque?: JsonObject;
};
/** A call whose arguments could be read. `opaque` as above (Gemini signs calls). */
export type CallPart = {
  readonly type: "call";
  readonly call: CallId;
  readonly tool: string;
  readonly input: JsonObject;
  readonly by?: string;
  readonly opaque?: JsonObject;
};
/** A call whose arguments were not JSON, or not an object: never executed, told back to the model. */
export type BadCallPart = {
  readonly type: "bad-call";
  readonly call: CallId;
  readonly tool: string;
  readonly raw: string;
  readonly problem: string;
  /** What the model is told, where the usual words about arguments do not fit. */
  readonly told?: string;
};

export type Said = TextPart | ImagePart;
export type ReplyPart = TextPart | ReasoningPart | CallPart | BadCallPart;

export type UserMessage = { readonly role: "user"; readonly content: readonly Said[] };
export type AssistantMessage = { readonly role: "assistant"; readonly content: readonly ReplyPart[] };
export type ToolResult = {
  readonly call: CallId;
  readonly tool: string;
  readonly content: readonly Said[];
  readonly failed: boolean;
};
/** Every result of one turn's calls, in the calls' order. */
export type ToolMessage = { readonly role: "tool"; readonly results: readonly ToolResult[] };
export type Message = UserMessage | AssistantMessage | ToolMessage;

export const isPdf = ({ mediaType }: ImagePart): boolean => mediaType === "application/pdf";

export const text = (value: string): TextPart => ({ type: "text", text: value });

export function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("");
}

/** How a call that could not be read stands in the history that is sent on: valid JSON, and honest. */
export const badCallInput = (part: BadCallPart): Json => ({ malformed_arguments: part.raw.slice(0, 200) });
