// A conversation with everything in it that a wire has to put into words, for the tests of the wires' requests.
import type { CallId } from "../../core/ids.ts";
import { text, type Message, type ReplyPart } from "../../core/messages.ts";
import type { ModelRequest, ToolSpec } from "../../ports/model.ts";

const tools: readonly ToolSpec[] = [
  {
    name: "Read",
    description: "Reads a file",
    schema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
  },
  {
    name: "Bash",
    description: "Runs a command",
    schema: { type: "object", properties: { command: { type: "string" } } },
  },
];

export const image = { type: "image", mediaType: "image/png", data: "aW1n" } as const;
const call = (name: string): CallId => name as CallId;

/** `reasoning` is what this wire's provider thought, in its own form. */
export function conversation(reasoning: readonly ReplyPart[], read: Partial<ReplyPart> = {}): readonly Message[] {
  return [
    { role: "user", content: [text("Look at this"), image] },
    {
      role: "assistant",
      content: [
        ...reasoning,
        {
          type: "reasoning",
          text: "not yours",
          by: "elsewhere",
          opaque: { signature: "x", model: "claude-sonnet-5-5", thoughtSignature: "x" },
        },
        text("I look."),
        { type: "call", call: call("c1"), tool: "Read", input: { file_path: "a" }, ...read } as ReplyPart,
        { type: "bad-call", call: call("c2"), tool: "Bash", raw: '{"command', problem: "not JSON" },
      ],
    },
    {
      role: "tool",
      results: [
        { call: call("c1"), tool: "Read", content: [text("contents"), image], failed: false },
        { call: call("c2"), tool: "Bash", content: [text("not JSON")], failed: true },
      ],
    },
    { role: "user", content: [text("Go on")] },
  ];
}

export const requestOf = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "Be brief.",
  messages,
  tools,
  ...more,
});

export const parsed = (body: string): unknown => JSON.parse(body);
