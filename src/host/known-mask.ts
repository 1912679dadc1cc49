// Hides the keys that are known without any work: for commands that only show what is stored.
import { type Mask, createMask } from "../core/mask.ts";
import { readConfig } from "./config.ts";
import { readKeys } from "./config/keys-file.ts";
import { knownSecrets } from "./masking.ts";

type Env = Readonly<Record<string, string | undefined>>;

export function knownMask(env: Env): Mask {
  return createMask(
    knownSecrets(
      orNothing(() => readConfig(env, undefined)),
      env,
      orNothing(() => readKeys(env)),
    ),
  );
}

/** Looking at sessions must also work while a setting is wrong. */
function orNothing<T extends object>(read: () => T): T | Record<string, never> {
  try {
    return read();
  } catch {
    return {};
  }
}
