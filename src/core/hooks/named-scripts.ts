// The scripts that a hook's command runs, as far as its words name them: who can write such a file decides what the hook
// does. And the commands that stand in a file of settings or in an agent's head. Pure.
import { isObject } from "../json.ts";

/** Paths as the command names them: absolute, or from its folder. Whether they are files is for others to find out. */
export function scriptWords(command: string, root: string): string[][] {
  const plain = command
    .replaceAll(/"?\$\{?(?:CLAUDE_PROJECT_DIR|SOUS_PROJECT_DIR)\}?"?/g, root)
    .replaceAll(/"?\$\(git rev-parse --show-toplevel\)"?/g, root)
    .replaceAll(/["'\\]/g, "");
  return plain.split(/[;&|\n(){}`]+/).flatMap((part) => {
    const words = part.split(/[\s<>]+/).filter((word) => word !== "" && !/^\w+=/.test(word));
    const [program = "", ...operands] = words;
    const named = operands.filter((word) => !word.startsWith("-"));
    // What an interpreter or a runner runs is the first of its words that is a file.
    const found = RUNNERS.test(program.slice(program.lastIndexOf("/") + 1)) ? [named] : [];
    return program.includes("/") ? [[program], ...found] : found;
  });
}

const RUNNERS =
  /^(ba|da|z|k|fi)?sh$|^(\.|source|exec|env|nohup|time|timeout|nice|xargs|sudo)$|^(node|nodejs|bun|bunx|deno|tsx|ts-node|npx|pnpx|pnpm|yarn|python[\d.]*|uv|uvx|poetry|pipx|ruby|bundle|perl|php|lua|pwsh|powershell|osascript|Rscript|java|go|make|just)$/;

/** The commands in a settings file, a configuration or an agent's definition. */
export function commandsIn(path: string, text: string): string[] {
  if (!text.includes("command")) return [];
  if (path.endsWith(".json")) return commandsOf(parsed(text));
  const head = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "";
  // Without reading the YAML: whatever stands in these two blocks is looked at as if it were a command.
  const blocks = head.matchAll(/^["']?(?:hooks|workspace)["']?\s*:[\s\S]*?(?=^[^\s#-]|(?![\s\S]))/gm);
  return [...blocks].flatMap(([block]) =>
    block.split(/\n|["']?command["']?\s*:/).map((line) => line.replaceAll(/[[\]{},]/g, " ")),
  );
}

function commandsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commandsOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === "command" && typeof one === "string" ? [one] : commandsOf(one),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}
