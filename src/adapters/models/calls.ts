// Tool calls between wire and engine: arguments read strictly, ids unique in the session, names fit for the wire.
import { badCallInput, type BadCallPart, type CallPart, type Message, type ReplyPart } from "../../core/messages.ts";
import type { CallId } from "../../core/ids.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import type { ToolSpec } from "../../ports/model.ts";

const MOST_ID = 256;
const MOST_NAME = 128;

/** No text means no arguments. Any other text must be a JSON object; it is never repaired. */
export function callFrom(id: string, name: string, args: string): CallPart | BadCallPart {
  // No provider gives an id as long as this: one of our own takes its place. A name is told back to the model.
  const call = (id.length > MOST_ID ? "" : id) as CallId;
  const tool = name.length > MOST_NAME ? `${name.slice(0, MOST_NAME)}…` : name;
  if (args.trim() === "") return { type: "call", call, tool, input: {} };
  try {
    const input: unknown = JSON.parse(args);
    if (isObject(input)) return { type: "call", call, tool, input: input as JsonObject };
    const kind = input === null ? "null" : Array.isArray(input) ? "an array" : `a ${typeof input}`;
    return { type: "bad-call", call, tool, raw: args, problem: `the arguments are ${kind}, not a JSON object` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      type: "bad-call",
      call,
      tool,
      raw: args,
      problem: `the arguments are not valid JSON: ${why.slice(0, 200)}`,
    };
  }
}

/** How a call stands in a request: always an object. */
export const inputOf = (part: CallPart | BadCallPart): JsonObject =>
  part.type === "call" ? part.input : (badCallInput(part) as JsonObject);

/** The reply's parts with ids that no earlier call of the session has, and tools by their own names. */
export function settleCalls(
  content: readonly ReplyPart[],
  messages: readonly Message[],
  tools: readonly ToolSpec[],
  newId: () => string,
): readonly ReplyPart[] {
  if (!content.some(isCall)) return content;
  const taken = new Set<string>();
  for (const message of messages) {
    if (message.role === "assistant") for (const part of message.content) if (isCall(part)) taken.add(part.call);
  }
  return content.map((part) => {
    if (!isCall(part)) return part;
    const call = part.call === "" || taken.has(part.call) ? (newId() as CallId) : part.call;
    taken.add(call);
    const tool = ownName(part.tool, tools);
    return call === part.call && tool === part.tool ? part : { ...part, call, tool };
  });
}

const isCall = (part: ReplyPart): part is CallPart | BadCallPart => part.type === "call" || part.type === "bad-call";

function ownName(wire: string, tools: readonly ToolSpec[]): string {
  if (tools.some((tool) => tool.name === wire)) return wire;
  return tools.find((tool) => wireName(tool.name) === wire)?.name ?? wire;
}

const FIT = /^[a-zA-Z0-9_-]{1,64}$/;

/** An id or tool name that every wire takes; the same for the same input, and different for different ones. */
export function wireName(name: string): string {
  return FIT.test(name) ? name : `${name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 55)}_${fingerprint(name)}`;
}

/** FNV-1a, 32 bits: short and stable, no need for more. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
