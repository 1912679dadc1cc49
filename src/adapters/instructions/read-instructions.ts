// Reads instruction files with what they import: each file once, a bounded number of bytes and hops. A project's files
// import from the project only, and nothing that agents may not read; a person's own also from their home.
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type InstructionFile, MOST_INSTRUCTION_BYTES, withImports } from "../../core/instructions.ts";
import { readBoundedSync } from "../files/read-bounded.ts";

export type Places = {
  /** The trusted project, if it is trusted. */
  readonly root?: string;
  readonly home?: string;
  /** Hidden folders of the home that a person's own files may import from all the same. */
  readonly open: readonly string[];
  /** Why a file of the project does not count, by its real path and the one it was asked by; undefined where it does. */
  refused?(real: string, asked: string): string | undefined;
};

export type ReadInstructions = {
  readonly files: readonly InstructionFile[];
  readonly notices: readonly string[];
  /** All files that were read, imported ones too, by their real paths. */
  readonly read: readonly { readonly path: string; readonly text: string }[];
};

const MOST_HOPS = 4;
const MOST_FILES = 64;

/** The strongest first. A file that was read before, under whatever name, counts once. */
export function readInstructions(
  files: readonly (Omit<InstructionFile, "text"> & { readonly path: string })[],
  places: Places,
): ReadInstructions {
  const seen = new Map<string, string>();
  const notices: string[] = [];

  function read(path: string, name: string, hops: number, own: boolean): string | undefined {
    const real = realOf(path);
    if (real === undefined) return undefined;
    if (seen.has(real)) return "";
    const inProject = places.root !== undefined && isInside(places.root, real);
    if (!inProject && !(own && isOwn(real, places)))
      return refuse(`${name} is outside the project${own ? " and your home" : ""}`);
    const reason = inProject ? places.refused?.(real, path) : undefined;
    if (reason !== undefined) return refuse(`${name} ${reason}`);
    if (hops > MOST_HOPS) return refuse(`${name} is more than ${MOST_HOPS} imports away`);
    if (seen.size >= MOST_FILES) return refuse(`${name} is one file too many (the limit is ${MOST_FILES})`);
    const text = textOf(real);
    if (text === undefined) return undefined;
    seen.set(real, text);
    return withImports(text, (imported) => {
      const target = targetOf(imported, dirname(real), own ? places.home : undefined);
      if (target !== undefined) return read(target, `@${imported} in ${name}`, hops + 1, own && !inProject);
      return imported.startsWith("~") && !own ? refuse(`@${imported} in ${name} is outside the project`) : undefined;
    });
  }

  function refuse(why: string): undefined {
    notices.push(`instructions: ${why}: left out`);
    return undefined;
  }

  const found = files.flatMap(({ path, ...file }) => {
    const text = read(path, file.name, 0, file.own === true);
    return text === undefined ? [] : [{ ...file, text }];
  });
  return { files: found, notices, read: [...seen].map(([path, text]) => ({ path, text })) };
}

function targetOf(imported: string, folder: string, home: string | undefined): string | undefined {
  if (imported.startsWith("~/")) return home === undefined ? undefined : join(home, imported.slice(2));
  return imported.startsWith("~") ? undefined : resolve(folder, imported);
}

/** What a person keeps hidden in their home (keys, histories) is nothing for a prompt. */
function isOwn(real: string, { home, open }: Places): boolean {
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
