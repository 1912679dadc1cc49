// Whether a path names anything, without following it; what cannot be looked at is not there.
import { lstatSync } from "node:fs";

export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
