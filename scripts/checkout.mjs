// Facts about this checkout that every script here shares. Plain JavaScript: runs on Node 18 before anything is installed.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

// Stamps live inside node_modules, so that deleting it also forgets what was set up.
export const stamps = join(root, "node_modules", ".sous");

/** A Node that can build and test: the running one, or the one that the set-up installs. */
export function modernNode() {
  if (isModern(process.versions.node)) return process.execPath;
  const installed = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  return existsSync(installed) ? installed : undefined;
}

export function say(line) {
  process.stderr.write(`sous: ${line}\n`);
}

/** Says what failed, with the end of its output, and in the last line what to do about it. */
export function giveUp({ what, output, remedy }) {
  const lines = stripVTControlCharacters(output)
    .split("\n")
    .filter((line) => line.trim() && !/^(npm error)?\s+at /.test(line));
  const tail = lines.slice(-15).join("\n");
  if (tail) process.stderr.write(`${tail}\n`);
  say(`${what}: ${remedy}`);
  return false;
}

function isModern(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}
