// Finds the tool call that a model wrote as text at the end of its message, where nothing runs it. Only what can be
// nothing else counts: an agent that reports on such calls must not be taken for one that makes them.
import { isObject } from "../json.ts";

const YIELD = "yield_to_parent";
/** Only the end of a message is looked at. */
const TAIL_CHARS = 20_000;

/** The tool whose call the message ends with. */
export function callInText(message: string, isTool: (name: string) => boolean): string | undefined {
  const whole = message.trim();
  const tail = whole.slice(-TAIL_CHARS);
  const block = lastFence(tail) ?? tail;
  const name = inTags(block) ?? inJson(block) ?? asFunction(block) ?? startsYield(whole);
  return name !== undefined && isTool(name) ? name : undefined;
}

function lastFence(text: string): string | undefined {
  if (!text.endsWith("\n```")) return undefined;
  const from = text.lastIndexOf("```", text.length - 4);
  const opening = from < 0 ? -1 : text.indexOf("\n", from);
  return opening < 0 ? undefined : text.slice(opening + 1, -4).trim();
}

/** `<invoke name="X">…</invoke>`, `<tool_call>{…}</tool_call>`, `<function=X>…`, `<yield_to_parent>…`. */
function inTags(text: string): string | undefined {
  if (!text.endsWith(">")) return undefined;
  const invoked = [
    ...text.matchAll(/^\s*<(?:[a-z]+:)?(?:invoke|tool_use|function)[ =](?:name=)?["']?([\w-]{1,64})["']?\s*>/gm),
  ].at(-1)?.[1];
  if (invoked !== undefined && /<\/(?:[a-z]+:)?(?:invoke|tool_use|function|function_calls|tool_call)>$/.test(text))
    return invoked;
  const wrapped = /<(tool_call|tool_use|function_call)>\s*(\{[^]*\})\s*<\/\1>$/.exec(text)?.[2];
  return wrapped === undefined ? undefined : nameIn(wrapped);
}

/** Also one that is never closed. */
const startsYield = (text: string): string | undefined =>
  /(?:^|\n)<yield_to_parent\b(?![^]*\n```)/.test(text) ? YIELD : undefined;

/** A last block that is `{"name": "X", "arguments": {…}}`, as one or another provider writes it. */
function inJson(text: string): string | undefined {
  if (!text.endsWith("}")) return undefined;
  const from = text.startsWith("{") ? 0 : text.lastIndexOf("\n{") + 1;
  return text[from] === "{" ? nameIn(text.slice(from)) : undefined;
}

function nameIn(json: string): string | undefined {
  try {
    const call: unknown = JSON.parse(json);
    if (!isObject(call)) return undefined;
    const inner = isObject(call["function"]) ? call["function"] : call;
    const name = inner["name"] ?? inner["tool"] ?? inner["tool_name"];
    const given = inner["arguments"] ?? inner["input"] ?? inner["parameters"] ?? inner["args"];
    return typeof name === "string" && given !== undefined ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Of functions only the yield: `Read("a.ts")` at the end of a message may well be advice. */
const asFunction = (text: string): string | undefined =>
  /(?:^|\n)yield_to_parent\s*\(\s*(?:["'`{]|result\s*[:=])[^]*\)$/.test(text) ? YIELD : undefined;
