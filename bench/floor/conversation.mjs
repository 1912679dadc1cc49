// What both floors share: the request a bare script would send, and the least reading of the answer that works.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const system = `You are a coding agent. You work in the folder given to you with the tools below.
Read before you change. Do what is asked and no more. When you are done, say in a few sentences what you found or
changed and what is left open. Say plainly what you could not do or did not check.`;

const text = (description) => ({ type: "string", description });
const whole = (description) => ({ type: "integer", minimum: 1, description });
const tools = [
  {
    name: "Read",
    description: "Reads a text file, numbered. Gives up to 2000 lines from offset; read on with a larger offset.",
    input_schema: {
      type: "object",
      properties: { file_path: text("The file"), offset: whole("First line, from 1"), limit: whole("How many lines") },
      required: ["file_path"],
    },
  },
  {
    name: "Bash",
    description: "Runs a command in a fresh bash, stdout and stderr together. timeout is in ms (default 120000).",
    input_schema: {
      type: "object",
      properties: { command: text("The command"), description: text("What it does"), timeout: whole("In ms") },
      required: ["command"],
    },
  },
];

export const headers = {
  "content-type": "application/json",
  accept: "text/event-stream",
  "x-api-key": process.env.ANTHROPIC_API_KEY,
  "anthropic-version": "2023-06-01",
};
export const url = `${process.env.ANTHROPIC_BASE_URL}/v1/messages`;

/** One conversation until the model calls no tool any more. `post` sends a body and returns its answer as bytes. */
export async function converse(post, folder, prompt, runCall = readFileOf, extra = "") {
  const messages = [{ role: "user", content: [{ type: "text", text: prompt }] }];
  for (;;) {
    const body = JSON.stringify({
      model: "bench",
      max_tokens: 8192,
      stream: true,
      system: system + extra,
      tools,
      messages,
    });
    const content = await blocksOf(await post(body));
    messages.push({ role: "assistant", content });
    const calls = content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return content.at(-1)?.text;
    messages.push({ role: "user", content: await Promise.all(calls.map((call) => resultOf(call, folder, runCall))) });
  }
}

/** The length of a conversation's first body, without anything extra. */
export const firstLength = (prompt) =>
  JSON.stringify({
    model: "bench",
    max_tokens: 8192,
    stream: true,
    system,
    tools,
    messages: [{ role: "user", content: [{ type: "text", text: prompt }] }],
  }).length;

const readFileOf = (call, folder) => readFile(join(folder, call.input.file_path), "utf8");

async function resultOf(call, folder, runCall) {
  const content = await runCall(call, folder);
  return { type: "tool_result", tool_use_id: call.id, content: [{ type: "text", text: content }] };
}

async function blocksOf(answer) {
  const blocks = [];
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of answer) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.startsWith("data:")) take(JSON.parse(line.slice(5)), blocks);
  }
  return blocks;
}

function take(event, blocks) {
  const block = blocks[event.index];
  if (event.type === "content_block_start") blocks[event.index] = { ...event.content_block, json: "" };
  if (event.type === "content_block_delta" && event.delta.type === "text_delta") block.text += event.delta.text;
  if (event.type === "content_block_delta" && event.delta.type === "input_json_delta")
    block.json += event.delta.partial_json;
  if (event.type !== "content_block_stop") return;
  if (block.type === "tool_use") block.input = JSON.parse(block.json);
  delete block.json;
}
