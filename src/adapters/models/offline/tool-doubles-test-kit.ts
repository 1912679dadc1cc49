// Small doubles of the tools over a real folder, and a runner that plays one prompt to its end: for tests only.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { JsonObject } from "../../../core/json.ts";
import { type CallPart, type Message, text, textOf } from "../../../core/messages.ts";
import type { Model, ModelPart, Reply } from "../../../ports/model.ts";

export type Double = (input: JsonObject) => string | Promise<string>;
export type Doubles = Readonly<Record<string, Double>>;
export type Played = {
  readonly answer: string;
  readonly calls: readonly CallPart[];
  readonly messages: readonly Message[];
  readonly replies: readonly Reply[];
  readonly parts: readonly ModelPart[];
};

const SKIPPED = new Set(["node_modules", ".git", "dist", "target", "__pycache__"]);

/** Read, Glob, Grep and LS as the model expects them, by plain walking. */
export function toolDoubles(root: string): Doubles {
  const files = (): string[] => walk(root, root);
  return {
    Read: (input) => {
      const path = String(input["file_path"]);
      const lines = readFileSync(path.startsWith("/") ? path : join(root, path), "utf8")
        .replace(/\n$/, "")
        .split("\n");
      const offset = Number(input["offset"] ?? 1);
      const shown = lines.slice(offset - 1, offset - 1 + Number(input["limit"] ?? 2000));
      const more =
        offset - 1 + shown.length < lines.length
          ? `\n[more lines follow: read on with offset ${offset + shown.length}]`
          : "";
      return shown.map((line, at) => `${String(offset + at).padStart(6)}\t${line.slice(0, 2000)}`).join("\n") + more;
    },
    Glob: (input) =>
      files()
        .filter((path) => globbed(String(input["pattern"])).test(path))
        .join("\n") || "No files found",
    LS: (input) => {
      const folder = String(input["path"] ?? ".");
      const at = folder.startsWith("/") ? folder : join(root, folder);
      return readdirSync(at, { withFileTypes: true })
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .join("\n");
    },
    Grep: (input) => grep(root, files(), input),
  };
}

/** Plays a prompt until the model answers without calls. A double that throws is a failed call. */
export async function play(
  model: Model,
  prompt: string,
  doubles: Doubles,
  before: readonly Message[] = [],
  folder = "/tmp/x",
  about = "You are tested.",
): Promise<Played> {
  const messages: Message[] = [...before, { role: "user", content: [text(prompt)] }];
  const calls: CallPart[] = [];
  const replies: Reply[] = [];
  const parts: ModelPart[] = [];
  const tools = Object.keys(doubles).map((name) => ({ name, description: name, schema: {} }));
  for (let turn = 0; turn < 12; turn++) {
    const request = { system: `${about}\n\nFolder: ${folder}\nPlatform: linux`, messages: [...messages], tools };
    let reply: Reply | undefined;
    for await (const part of model.stream(request, new AbortController().signal)) {
      parts.push(part);
      if (part.type === "reply") reply = part.reply;
    }
    if (!reply) throw new Error("no reply");
    replies.push(reply);
    messages.push({ role: "assistant", content: reply.content });
    const asked = reply.content.filter((part) => part.type === "call");
    if (asked.length === 0) return { answer: textOf(reply.content), calls, messages, replies, parts };
    calls.push(...asked);
    const results = await Promise.all(
      asked.map(async (part) => ({ call: part.call, tool: part.tool, ...(await outcome(doubles, part)) })),
    );
    messages.push({ role: "tool", results });
  }
  throw new Error("the model did not come to an end");
}

async function outcome(doubles: Doubles, { tool, input }: CallPart) {
  try {
    const double = doubles[tool];
    if (!double) throw new Error(`There is no tool ${tool}.`);
    return { content: [text(await double(input))], failed: false };
  } catch (error) {
    return { content: [text((error as Error).message)], failed: true };
  }
}

function walk(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) || entry.name.startsWith(".") ? [] : walk(root, path);
    return entry.isFile() && statSync(path).size < 500_000 ? [relative(root, path)] : [];
  });
}

function grep(root: string, files: readonly string[], input: JsonObject): string {
  const pattern = new RegExp(String(input["pattern"]), input["-i"] ? "i" : "");
  const glob = input["glob"] === undefined ? undefined : globbed(String(input["glob"]));
  const out: string[] = [];
  for (const path of files) {
    if (glob && !glob.test(path)) continue;
    const hits = readFileSync(join(root, path), "utf8")
      .split("\n")
      .flatMap((line, at) => (pattern.test(line.slice(0, 1000)) ? [`${path}:${at + 1}:${line}`] : []));
    if (hits.length === 0) continue;
    if (input["output_mode"] === "count") out.push(`${path}:${hits.length}`);
    else if (input["output_mode"] === "content") out.push(...hits);
    else out.push(path);
  }
  return (
    out
      .slice(0, Number(input["head_limit"] ?? out.length))
      .join("\n")
      .slice(0, 32_000) || "No matches found"
  );
}

/** Enough of globs for what the model asks. */
function globbed(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^$()|[\]\\]/g, "\\$&")
    .replace(/\{([^}]*)\}/g, (_all, list: string) => `(${list.replaceAll(",", "|")})`);
  return new RegExp(
    `^${source
      .replace(/\*\*\//g, "\0")
      .replace(/\*/g, "[^/]*")
      .replaceAll("\0", "(.*/)?")}$`,
  );
}
