// Conversations, and ways to look at what a model streams, for the model conformance suite.
import type { CallId } from "../../core/ids.ts";
import { text, type Message } from "../../core/messages.ts";
import { ModelFault, type Fault } from "../../core/model-fault.ts";
import type { Model, ModelPart, ModelRequest, Reply, ToolSpec } from "../../ports/model.ts";
import type { Script } from "../wire-server/script.ts";
import { startWireServer, type WireServer } from "../wire-server/start-wire-server.ts";

export type ModelSuite = {
  /** A model that talks to this address with this key. */
  readonly make: (baseURL: string, key: string) => Promise<Model>;
  /** The wire has no word for what was written to a cache; it then counts as plain input. */
  readonly tellsCacheWrites: boolean;
};

export const KEY = "sk-secret-of-the-suite";
export const IMAGE = "aW1hZ2UtYnl0ZXM=";
export const tools: readonly ToolSpec[] = [
  { name: "Read", description: "Reads", schema: { type: "object", properties: { path: { type: "string" } } } },
];
export const user = (words: string): Message => ({ role: "user", content: [text(words)] });
export const ask = (
  messages: readonly Message[] = [user("Hello")],
  more: Partial<ModelRequest> = {},
): ModelRequest => ({
  system: "Be brief.",
  messages,
  tools,
  ...more,
});

export const id = (name: string): CallId => name as CallId;
export const image = (data: string) => ({ type: "image" as const, mediaType: "image/png", data });

export async function collect(model: Model, request: ModelRequest, signal = never(), parts: ModelPart[] = []) {
  for await (const part of model.stream(request, signal)) parts.push(part);
  return parts;
}

export const never = (): AbortSignal => new AbortController().signal;

export async function failure(model: Model, request: ModelRequest): Promise<{ fault: Fault; parts: ModelPart[] }> {
  const parts: ModelPart[] = [];
  const error: unknown = await collect(model, request, never(), parts).catch((caught: unknown) => caught);
  if (!(error instanceof ModelFault)) throw new Error(`expected a fault, got ${String(error)}`, { cause: error });
  return { fault: error.fault, parts };
}

export function replyIn(parts: readonly ModelPart[]): Reply {
  const last = parts.at(-1);
  if (last?.type !== "reply") throw new Error(`no reply at the end, but ${JSON.stringify(last)}`);
  return last.reply;
}

export const callsIn = (reply: Reply) =>
  reply.content.filter((part) => part.type === "call" || part.type === "bad-call");

/** The conversation after a reply and the results of its calls. */
export function after(reply: Reply, before: readonly Message[] = [user("Hello")]): Message[] {
  const results = callsIn(reply).map((part, n) => ({
    call: part.call,
    tool: part.tool,
    failed: part.type === "bad-call",
    content: [text(`result of ${part.tool} ${n + 1}`)],
  }));
  return [...before, { role: "assistant", content: reply.content }, { role: "tool", results }];
}

export function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : [];
}

/** Runs a test against a server with this script, and sees to it that the script fitted what happened. */
export const serverFor =
  (suite: ModelSuite) =>
  async (script: Script, use: (setting: { server: WireServer; model: Model }) => Promise<void>): Promise<void> => {
    await using server = await startWireServer(script);
    await use({ server, model: await suite.make(server.url, KEY) });
    server.finish();
  };
