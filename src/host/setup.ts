// Storing a provider's key, or the command that prints it, as the person says. A key's value is never part of a message.
import { builtInProviders } from "../adapters/models/providers.ts";
import { isObject } from "../core/json.ts";
import { looksLikeKey } from "../core/looks-like-key.ts";
import { nearest } from "../std/nearest.ts";
import { type Config, readConfig } from "./config.ts";
import { KEY_NAMES } from "./config/key-names.ts";
import { dropKey, storeKey } from "./config/keys-file.ts";
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

/** What of it is gone: where its key stood. */
export function removeKey(env: Env, provider: string): string[] {
  const stored = dropKey(env, provider) ? [`the stored key of ${provider}`] : [];
  return [...stored, ...(dropKeyCommand(env, provider) ? [`apiKeyCommand of ${provider}`] : [])];
}

/** A key that stood in the place of a command would go before the one that was stored now. */
export const dropMisplacedKey = (env: Env, provider: string): boolean =>
  looksLikeKey(keyCommandOf(env, provider) ?? "") && dropKeyCommand(env, provider);

export const keyCommandOf = (env: Env, provider: string): string | undefined =>
  ownProviders(env)[provider]?.apiKeyCommand;

export function saveKeyCommand(env: Env, provider: string, command: string): string {
  if (command.trim() === "") throw new HostError("that is no command: nothing was given");
  if (looksLikeKey(command))
    throw new HostError(
      `that looks like a key, not like a command that prints one: sous setup ${provider} asks for the key itself`,
    );
  const known = ownProviders(env)[provider];
  const api = known?.api ?? apiOf(provider);
  return writeProvider(env, provider, { ...known, api, apiKeyCommand: command.trim() });
}

/** Whether there was one. */
function dropKeyCommand(env: Env, provider: string): boolean {
  const known = ownProviders(env)[provider];
  if (known?.apiKeyCommand === undefined) return false;
  const { apiKeyCommand: _dropped, ...rest } = known;
  const says = Object.keys(rest).length > 1 || rest.api !== apiOf(provider);
  writeProvider(env, provider, says ? rest : undefined);
  return true;
}

/** What is there must be right before something of it is changed. */
const ownProviders = (env: Env): NonNullable<Config["providers"]> =>
  readConfig({ ...env, SOUS_CONFIG: undefined }, undefined).providers ?? {};

function writeProvider(env: Env, provider: string, value: object | undefined): string {
  const path = configFile(env);
  const file = readJsonFile(path, { follow: true });
  const whole = file.is === "read" && isObject(file.value) ? file.value : {};
  const { [provider]: _before, ...others } = isObject(whole["providers"]) ? whole["providers"] : {};
  const changed = { ...whole, providers: { ...others, ...(value && { [provider]: value }) } };
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
