// Which provider makes a model, as far as its bare name tells.

const FAMILIES: Readonly<Record<string, RegExp>> = {
  anthropic: /^claude-/i,
  openai: /^(gpt-|o\d|codex-|chatgpt-)/i,
  google: /^(gemini-|gemma-)/i,
};

/** undefined for names that tell nothing. */
export const makerOf = (model: string): string | undefined =>
  Object.entries(FAMILIES).find(([, names]) => names.test(model))?.[0];

/** Whether a provider serves its own models only; of those we do not know, anything may be expected. */
export const servesOnlyItsOwn = (provider: string): boolean => Object.hasOwn(FAMILIES, makerName(provider));

/** `openai-chat` is OpenAI over its older wire. */
export const makerName = (provider: string): string => provider.replace(/-chat$/, "");
