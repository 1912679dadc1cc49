// Who is measured: the two floors, and the built command on each wire, as a user would start it.
import { join } from "node:path";
import type { Program } from "./measure.ts";

export type Contestant = { readonly name: string; readonly program: Program };

export const FLOOR = "floor: fetch";
export const FLOOR_HTTP = "floor: node:http";
export const OURS = "sous, anthropic";

export type Setting = {
  readonly workspace: string;
  /** Home, state and caches of the runs. */
  readonly home: string;
  readonly serverEnv: Readonly<Record<string, string>>;
};

const PROMPT = "Read the notes, one after the other, and tell me what they say.";

export function contestants({ workspace, home, serverEnv }: Setting): readonly Contestant[] {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, ...serverEnv };
  const node = (name: string, ...words: readonly string[]): Contestant => ({
    name,
    program: { argv: [process.execPath, ...words], env, cwd: workspace },
  });
  const floor = (name: string, script: string): Contestant =>
    node(name, join(import.meta.dirname, "floor", script), workspace, PROMPT);
  const sous = (name: string, model: string): Contestant => {
    const command = join(import.meta.dirname, "..", "bin", "sous.cjs");
    return node(name, command, "run", "--model", model, "--mode", "yolo", PROMPT);
  };
  return [
    floor(FLOOR, "fetch.mjs"),
    sous(OURS, "anthropic/sonnet"),
    floor(FLOOR_HTTP, "http.mjs"),
    sous("sous, openai responses", "openai/sonnet"),
    sous("sous, openai chat", "openai-chat/gpt-5"),
    sous("sous, google", "google/sonnet"),
  ];
}
