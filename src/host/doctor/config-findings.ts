// The person's configuration and keys: names only, never a value.
import { looksLikeKey } from "../../core/looks-like-key.ts";
import { readConfig } from "../config.ts";
import { secretNames } from "../config/key-names.ts";
import { keysAreOpen, readKeys } from "../config/keys-file.ts";
import { configFile, keysFile } from "../config/places.ts";
import type { Config } from "../config/schema.ts";
import { isThere } from "../is-there.ts";
import type { Finding } from "./finding.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function lookAtConfig(env: Env, given: string | undefined): { findings: Finding[]; config: Config } {
  const path = given ?? (env["SOUS_CONFIG"] || configFile(env));
  let config: Config = {};
  let finding: Finding;
  try {
    config = readConfig(env, given);
    const says = isThere(path) ? `${path} is valid` : `${path} does not exist; defaults are used`;
    finding = { check: "config", is: "ok", says };
  } catch (error) {
    finding = { check: "config", is: "broken", says: (error as Error).message, todo: "mend the file" };
  }
  return { findings: [finding, ...keyFindings(config, env)], config };
}

function keyFindings(config: Config, env: Env): Finding[] {
  const variables = secretNames(config).filter((name) => env[name]);
  const commands = Object.entries(config.providers ?? {}).flatMap(([name, provider]) =>
    provider.apiKeyCommand && !looksLikeKey(provider.apiKeyCommand) ? [`apiKeyCommand of ${name}`] : [],
  );
  const misplaced = Object.entries(config.providers ?? {}).filter(([, one]) => looksLikeKey(one.apiKeyCommand ?? ""));
  let stored: string[] = [];
  const findings: Finding[] = misplaced.map(([name]) => ({
    check: "keys",
    is: "broken",
    says: `apiKeyCommand of ${name} holds what looks like a key, not a command`,
    todo: `run sous setup ${name} and give the key there: that takes it out of the configuration`,
  }));
  try {
    stored = Object.keys(readKeys(env)).map((name) => `the stored key of ${name}`);
  } catch (error) {
    findings.push({ check: "keys", is: "broken", says: (error as Error).message, todo: "mend or remove the file" });
  }
  const known = [...variables, ...commands, ...stored];
  findings.push(
    known.length > 0
      ? { check: "keys", is: "ok", says: known.join(", ") }
      : {
          check: "keys",
          is: "missing",
          says: "no provider's key is known",
          todo: "run sous setup, or set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY",
        },
  );
  if (keysAreOpen(env)) {
    const path = keysFile(env);
    findings.push({ check: "keys", is: "note", says: `others can read ${path}`, todo: `chmod 600 ${path}` });
  }
  return findings;
}
