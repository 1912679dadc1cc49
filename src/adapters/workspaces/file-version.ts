// Tells one state of a file from another.
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";

/** Changes with every write, rename or change of mode, as finely as the file system keeps time. */
export const stampOf = (stat: BigIntStats): string =>
  [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(":");

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export const modeOf = (stat: BigIntStats): number => Number(stat.mode & 0o7777n);
