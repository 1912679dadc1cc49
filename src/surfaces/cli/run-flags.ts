// The flags of `sous run` and `sous --plain`, and what they wish for.
import { readFileSync } from "node:fs";
import { type JsonObject, isObject } from "../../core/json.ts";
import { type Rule, parseRule } from "../../core/rules.ts";
import type { FlagTable, Flags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

export const runFlags = {
  model: {
    takes: "text",
    short: "m",
    value: "ID",
    help: "provider/model, or an alias: anthropic/…, openai/…, google/…, sonnet",
  },
  effort: {
    takes: ["none", "minimal", "low", "medium", "high", "max"],
    value: "LEVEL",
    help: "how hard the model thinks: none, minimal, low, medium, high or max",
  },
  mode: {
    takes: ["human", "confirm", "yolo"],
    value: "MODE",
    help: "confirm (default): what is not safe asks, nobody there means no; yolo: nothing asks; human: you type",
  },
  protocol: {
    takes: ["tools", "bash"],
    value: "NAME",
    help: "tools (default), or bash: for models without tool calls",
  },
  output: {
    takes: ["text", "json", "jsonl"],
    short: "o",
    value: "FORM",
    help: "text: the answer; json: one result object; jsonl: every event",
  },
  allow: {
    takes: "text",
    many: true,
    value: "RULE",
    help: "allow a tool, or some uses: Bash, 'Bash(npm test)', 'Bash(git log:*)', 'Edit(src/**)'",
  },
  deny: { takes: "text", many: true, value: "RULE", help: "deny one, also in yolo" },
  approvals: {
    takes: ["deny", "inbox", "allow"],
    value: "HOW",
    help: "where nobody is there to ask: deny (default), inbox: wait for sous inbox (exit 4), allow: for background children",
  },
  trust: { help: "this project's configuration and instruction files count, for this run (see sous trust)" },
  "add-dir": { takes: "text", many: true, value: "DIR", help: "a further folder the file tools may touch" },
  agent: { takes: "text", value: "NAME", help: "run as this agent: its prompt, tools, model and limits" },
  agents: { takes: "text", value: "JSON", help: 'agents for this run: {"name": {"description": …, "prompt": …}}' },
  "agent-type": { takes: "text", many: true, value: "NAME=FILE", help: "an agent from a file" },
  "max-turns": { takes: "whole number", value: "N", help: "model calls, then hand in (exit 3)" },
  timeout: { takes: "number", value: "S", help: "seconds, then hand in (exit 3)" },
  "budget-usd": { takes: "number", value: "X", help: "money of the whole tree, then pause (exit 6)" },
  "budget-tokens": { takes: "whole number", value: "N", help: "tokens of the whole tree, then pause (exit 6)" },
  "exit-via": { takes: "text", value: "TOOL,…", help: "the only tools by whose call the run may end" },
  "output-schema": { takes: "text", value: "FILE|JSON", help: "the answer is JSON that fits this JSON schema" },
  "max-concurrent": {
    takes: "whole number",
    value: "N",
    help: "children that run at one time (default 20); the rest wait",
  },
  continue: { short: "c", help: "go on with the newest session of this project" },
  resume: {
    takes: "text",
    short: "r",
    value: "ID",
    help: 'go on with this session: its id, the start of it, or "last", the newest of this project',
  },
  cwd: { takes: "text", value: "DIR", help: "work in this folder" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions are kept" },
  config: { takes: "text", value: "FILE", help: "read this configuration" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const { output: _output, ...shared } = runFlags;
export const plainFlags = shared;

export function wishesOf(flags: Flags<typeof plainFlags>) {
  return {
    limits: {
      ...(flags["max-turns"] !== undefined && { maxTurns: flags["max-turns"] }),
      ...(flags.timeout !== undefined && { timeoutMs: flags.timeout * 1000 }),
    },
    budget: {
      ...(flags["budget-usd"] !== undefined && { usd: flags["budget-usd"] }),
      ...(flags["budget-tokens"] !== undefined && { tokens: flags["budget-tokens"] }),
    },
    rules: { allow: rulesOf("--allow", flags.allow), ask: [], deny: rulesOf("--deny", flags.deny) },
    addDirs: flags["add-dir"] ?? [],
    ...(flags.agent !== undefined && { agent: flags.agent }),
    ...(flags.agents !== undefined && { agents: flags.agents }),
    ...(flags["agent-type"] && { agentTypes: flags["agent-type"] }),
    ...(flags.approvals && { approvals: flags.approvals }),
    ...(flags["exit-via"] !== undefined && { exitVia: namesIn(flags["exit-via"]) }),
    ...(flags["output-schema"] !== undefined && { outputSchema: schemaOf(flags["output-schema"]) }),
    ...(flags["max-concurrent"] !== undefined && { maxConcurrent: flags["max-concurrent"] }),
    ...(flags.trust && { trust: true }),
    ...(flags.model !== undefined && { model: flags.model }),
    ...(flags.effort !== undefined && { effort: flags.effort }),
    ...(flags.protocol !== undefined && { protocol: flags.protocol }),
    ...(flags.mode !== undefined && { mode: flags.mode }),
  };
}

const namesIn = (text: string): string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** What begins like an object is one; anything else is a file that holds one. */
function schemaOf(given: string): JsonObject {
  const inline = given.trimStart().startsWith("{");
  try {
    const schema: unknown = JSON.parse(inline ? given : readFileSync(given, "utf8"));
    if (isObject(schema)) return schema as JsonObject;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new UsageError(`--output-schema: ${given} cannot be read (${code})`);
  }
  throw new UsageError(
    `--output-schema takes a JSON schema or a file with one; ${inline ? "this" : given} is no JSON object`,
  );
}

function rulesOf(flag: string, values: readonly string[] = []): Rule[] {
  return values.map((value) => {
    const rule = parseRule(value);
    if (!rule)
      throw new UsageError(`${flag} takes a tool, or a tool with one use, such as 'Bash(npm test)'; got "${value}"`);
    return rule;
  });
}
