// The files that a simple command certainly writes, for programs that do nothing else with what they are given. What is
// not found here is not therefore left alone: only a sandbox promises that.
import type { ShellPart } from "./shell-reading.ts";

const ALL = new Set(["tee", "mv", "rm", "rmdir", "touch", "truncate", "shred", "unlink", "mkdir", "chmod", "chown"]);
/** What comes before the last is only read. */
const LAST = new Set(["cp", "ln", "install", "rsync"]);

export function writtenBy({ words }: ShellPart): readonly string[] {
  const [program, ...rest] = words;
  const name = program?.split("/").at(-1) ?? "";
  const given = rest.filter((word): word is string => word !== null);
  const plain = given.filter((word) => !word.startsWith("-"));
  if (ALL.has(name)) return plain;
  if (LAST.has(name)) return plain.slice(-1);
  if (name === "dd") return given.flatMap((word) => (word.startsWith("of=") ? [word.slice("of=".length)] : []));
  if (name === "sed" && given.some((word) => /^(-[a-zA-Z]*i|--in-place)/.test(word))) return plain;
  return [];
}
