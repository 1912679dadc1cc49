// Reads instruction files with what they import: each file once, a bounded number of bytes and hops, and nothing from
// outside the places it may come from.
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type InstructionFile, MOST_INSTRUCTION_BYTES, withImports } from "../../core/instructions.ts";
import { readBoundedSync } from "../files/read-bounded.ts";

export type Places = {
  /** The trusted project, if it is trusted. */
  readonly root?: string;
  readonly home?: string;
  /** Hidden folders of the home that may be read from all the same. */
  readonly open: readonly string[];
};

const MOST_HOPS = 4;
const MOST_FILES = 64;

/** The strongest first. A file that was read before, under whatever name, counts once. */
export function readInstructions(
  files: readonly (Omit<InstructionFile, "text"> & { readonly path: string })[],
  places: Places,
): { files: readonly InstructionFile[]; notices: readonly string[] } {
  const seen = new Set<string>();
  const notices: string[] = [];

  function read(path: string, name: string, hops: number): string | undefined {
    const real = realOf(path);
    if (real === undefined) return undefined;
    if (seen.has(real)) return "";
    if (!isAllowed(real, places)) return refuse(`${name} is outside the project and your home`);
    if (hops > MOST_HOPS) return refuse(`${name} is more than ${MOST_HOPS} imports away`);
    if (seen.size >= MOST_FILES) return refuse(`${name} is one file too many (the limit is ${MOST_FILES})`);
    const text = textOf(real);
    if (text === undefined) return undefined;
    seen.add(real);
    return withImports(text, (imported) => {
      const target = targetOf(imported, dirname(real), places.home);
      return target === undefined ? undefined : read(target, `@${imported} in ${name}`, hops + 1);
    });
  }

  function refuse(why: string): undefined {
    notices.push(`instructions: ${why}: left out`);
    return undefined;
  }

  const found = files.flatMap(({ path, ...file }) => {
    const text = read(path, file.name, 0);
    return text === undefined ? [] : [{ ...file, text }];
  });
  return { files: found, notices };
}

function targetOf(imported: string, folder: string, home: string | undefined): string | undefined {
  if (imported.startsWith("~/")) return home === undefined ? undefined : join(home, imported.slice(2));
  return imported.startsWith("~") ? undefined : resolve(folder, imported);
}

/** What a person keeps hidden in their home (keys, histories) is nothing for a prompt. */
function isAllowed(real: string, { root, home, open }: Places): boolean {
  if (root !== undefined && isInside(root, real)) return true;
  if (open.some((folder) => isInside(folder, real))) return true;
  if (home === undefined || home === sep || !isInside(home, real)) return false;
  return !relative(home, real)
    .split(sep)
    .some((part) => part.startsWith("."));
}

function isInside(folder: string, path: string): boolean {
  const way = relative(realOf(folder) ?? folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The first bytes of a regular text file; undefined for anything else. */
function textOf(real: string): string | undefined {
  const found = readBoundedSync(real, { most: MOST_INSTRUCTION_BYTES + 4, cut: true, noLink: true });
  return found.ok && !found.bytes.includes(0) ? found.bytes.toString("utf8").replace(/^\ufeff/, "") : undefined;
}
