// Which instruction files count for a folder: the person's own, and those of a trusted project from its root down.
import { dirname, join, relative } from "node:path";
import { type Places, readInstructions } from "../adapters/instructions/read-instructions.ts";
import { instructionsText, MOST_INSTRUCTION_BYTES } from "../core/instructions.ts";
import { configFolder } from "./config/places.ts";
import { isThere } from "./is-there.ts";

type Env = Readonly<Record<string, string | undefined>>;
const NAMES = ["AGENTS.md", "CLAUDE.md"] as const;

export type Instructions = {
  readonly text: string;
  readonly files: readonly string[];
  readonly notices: readonly string[];
};

/** `root` is given only when the project is trusted; `refused` says why a file of it does not count. */
export function instructionsFor(
  env: Env,
  cwd: string,
  root: string | undefined,
  refused: NonNullable<Places["refused"]> = () => undefined,
): Instructions {
  const own = { path: join(configFolder(env), "AGENTS.md"), name: "your own AGENTS.md", own: true };
  const found = [
    ...(isThere(own.path) ? [own] : []),
    ...(root === undefined ? [] : instructionFiles(cwd, root).map((path) => ({ path, name: relative(root, path) }))),
  ];
  if (found.length === 0) return { text: "", files: [], notices: [] };
  const home = env["HOME"];
  const { files, notices } = readInstructions(found, {
    ...(root !== undefined && { root }),
    ...(home && { home }),
    refused,
    open: [configFolder(env), ...(home ? [join(home, ".claude")] : [])],
  });
  const { text, cut } = instructionsText(files);
  const limit = `${MOST_INSTRUCTION_BYTES / 1024} kB`;
  return {
    text,
    files: files.filter((file) => file.text.trim() !== "").map((file) => file.name),
    notices: [...notices, ...cut.map((name) => `instructions: ${name} was cut: all together may have ${limit}`)],
  };
}

/** From the folder up to the project's root: the nearest first. */
export function instructionFiles(cwd: string, root: string): string[] {
  const found: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    found.push(...NAMES.map((name) => join(folder, name)).filter(isThere));
    if (folder === root || dirname(folder) === folder) return found;
  }
}
