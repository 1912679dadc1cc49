// Storing a provider's key, or the command that prints it, as the person says. A key's value is never part of a message.
import { builtInProviders } from "../adapters/models/providers.ts";
import { isObject } from "../core/json.ts";
import { nearest } from "../std/nearest.ts";
import { readConfig } from "./config.ts";
import { KEY_NAMES } from "./config/key-names.ts";
import { storeKey } from "./config/keys-file.ts";
import { configFile } from "./config/places.ts";
import { readJsonFile } from "./config/read-json-file.ts";
import { writePrivate } from "./config/write-private.ts";
import { HostError } from "./host-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The wires that need only a key, with the variable it may stand in. */
export const SETUP_PROVIDERS = [
  { name: "anthropic", variable: "ANTHROPIC_API_KEY" },
  { name: "openai", variable: "OPENAI_API_KEY" },
  { name: "google", variable: "GEMINI_API_KEY" },
] as const;

/** Built in, or in the person's configuration. */
export function setupProvider(name: string, env: Env): string {
  const own = Object.keys(readConfig(env, undefined).providers ?? {});
  const known = [...SETUP_PROVIDERS.map((provider) => provider.name), ...own];
  if (known.includes(name)) return name;
  const close = nearest(name, known);
  throw new HostError(
    `there is no provider "${name}"${close ? `; did you mean ${close}?` : ""} (${known.join(", ")}; others go into the configuration first)`,
  );
}

/** Where it was stored. */
export function saveKey(env: Env, provider: string, key: string): string {
  const value = key.trim();
  if (value === "") throw new HostError("that is no key: nothing was given");
  if (/[\s\p{Cc}]/u.test(value)) throw new HostError("that is no key: it has spaces or control characters in it");
  return storeKey(env, provider, value);
}

export function saveKeyCommand(env: Env, provider: string, command: string): string {
  if (command.trim() === "") throw new HostError("that is no command: nothing was given");
  const path = configFile(env);
  // What is there must be right before something is added to it.
  const known = readConfig({ ...env, SOUS_CONFIG: undefined }, undefined).providers?.[provider];
  const api = known?.api ?? apiOf(provider);
  const file = readJsonFile(path, { follow: true });
  const whole = file.is === "read" && isObject(file.value) ? file.value : {};
  const providers = isObject(whole["providers"]) ? whole["providers"] : {};
  const changed = {
    ...whole,
    providers: { ...providers, [provider]: { ...known, api, apiKeyCommand: command.trim() } },
  };
  writePrivate(path, `${JSON.stringify(changed, undefined, 2)}\n`);
  return path;
}

/** A variable goes before what is stored: the person should know. */
export const variableSet = (env: Env, provider: string): string | undefined =>
  KEY_NAMES[provider]?.find((name) => env[name]);

function apiOf(provider: string): string {
  const api = builtInProviders[provider]?.api ?? "openai-chat";
  return api === "openai-responses" ? "openai" : api;
}
