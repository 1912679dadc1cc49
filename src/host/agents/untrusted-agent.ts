// Why an agent that somebody names is not there, when its file lies in a project that is not trusted. Only names of
// files are looked at.
import { join, relative } from "node:path";
import { isThere } from "../is-there.ts";
import { projectRoot } from "../config/trust.ts";
import { type Whereabouts, definitionPlaces } from "./places.ts";

/** undefined where trust has nothing to do with it. */
export function untrustedAgent(name: string, where: Whereabouts): string | undefined {
  const closed = definitionPlaces(where).filter(({ path, untrusted }) => untrusted && isThere(path));
  const [folder] = closed;
  if (!folder) return undefined;
  const root = projectRoot(where.cwd, where.env["HOME"]);
  const remedy = `is not trusted: look at it, then run sous trust, or use --trust for once`;
  // A name with slashes would lead out of the folder.
  const isPlain = /^[^/\\]+$/.test(name);
  const files = closed.flatMap(({ path, endings }) => endings.map((ending) => join(path, `${name}${ending}`)));
  const file = isPlain ? files.find(isThere) : undefined;
  return file === undefined
    ? `the agents in ${relative(root, folder.path)} are not read, because ${root} ${remedy}`
    : `${relative(root, file)} is not read, because ${root} ${remedy}`;
}
