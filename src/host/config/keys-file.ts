// Keys that `sous setup` stored: one file, readable by its owner only. Its content is never part of a message.
import { chmodSync, lstatSync } from "node:fs";
import { isObject } from "../../core/json.ts";
import { HostError } from "../host-error.ts";
import { keysFile } from "./places.ts";
import { readJsonFile } from "./read-json-file.ts";
import { writePrivate } from "./write-private.ts";

type Env = Readonly<Record<string, string | undefined>>;
/** Keys by provider. */
export type StoredKeys = Readonly<Record<string, string>>;

export function readKeys(env: Env): StoredKeys {
  const path = keysFile(env);
  if (isMasked(path)) return {};
  const file = readJsonFile(path, { follow: true });
  if (file.is === "missing") return {};
  if (file.is === "bad") throw new HostError(`the key file ${path} ${file.why}: mend it, or run sous setup again`);
  if (!isObject(file.value) || Object.values(file.value).some((key) => typeof key !== "string"))
    throw new HostError(`the key file ${path} must hold one text per provider: mend it, or run sous setup again`);
  return file.value as StoredKeys;
}

/** As it is for an agent's command: nothing stands there that could be read. */
const isMasked = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isCharacterDevice() ?? false;

export function storeKey(env: Env, provider: string, key: string): string {
  const path = keysFile(env);
  writePrivate(path, `${JSON.stringify({ ...readKeys(env), [provider]: key }, undefined, 2)}\n`);
  return path;
}

/** Whether there was one. */
export function dropKey(env: Env, provider: string): boolean {
  const { [provider]: dropped, ...others } = readKeys(env);
  if (dropped !== undefined) writePrivate(keysFile(env), `${JSON.stringify(others, undefined, 2)}\n`);
  return dropped !== undefined;
}

/** Whether others can read it. */
export function keysAreOpen(env: Env): boolean {
  const found = lstatSync(keysFile(env), { throwIfNoEntry: false });
  return found !== undefined && found.isFile() && (found.mode & 0o077) !== 0;
}

export const closeKeys = (env: Env): void => chmodSync(keysFile(env), 0o600);
