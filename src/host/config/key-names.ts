// The variables in which keys and base URLs of the built-in providers stand.
import type { Config } from "./schema.ts";

export const KEY_NAMES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  "openai-chat": ["OPENAI_API_KEY"],
  google: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
};
export const BASE_NAMES: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
  "openai-chat": "OPENAI_BASE_URL",
  google: "GOOGLE_GEMINI_BASE_URL",
};

/** The variables that hold keys: no command of an agent gets to see them, and their values are masked. */
export function secretNames(config: Config): string[] {
  const own = Object.values(config.providers ?? {}).flatMap((provider) => provider.apiKeyEnv ?? []);
  return [...new Set([...Object.values(KEY_NAMES).flat(), "ANTHROPIC_AUTH_TOKEN", ...own])];
}
