// Splits a glob into the folder it begins in and what is chosen below it: so the search starts where it must, and its
// reach names the folder that is really searched.
import type { Selection } from "../../ports/search.ts";

export type Choice = {
  /** The fixed start of the pattern, "" when there is none. */
  readonly folder: string;
  readonly select: Selection;
};

export function selectFiles(pattern: string): Choice {
  const parts = collapsed(pattern).split("/");
  const firstWild = parts.findIndex((part) => MAGIC.test(part));
  const fixed = Math.min(firstWild < 0 ? parts.length : firstWild, parts.length - 1);
  const folder = parts.slice(0, fixed).join("/") || (pattern.startsWith("/") ? "/" : "");
  const rest = parts.slice(fixed);
  const name = rest.at(-1) ?? "";
  if (name === "") return { folder, select: {} };
  if (rest.length === 1) {
    if (name === "**") return { folder, select: {} };
    // A name alone is looked for at any depth, as in an ignore file.
    return { folder, select: { ...byName(name), ...(fixed > 0 && { shallow: true }) } };
  }
  if (rest.length === 2 && rest[0] === "**" && name !== "**") return { folder, select: byName(name) };
  return { folder, select: { path: rest.join("/") } };
}

const MAGIC = /[*?[\]{}\\]/;

const byName = (name: string): Selection => (name === "*" ? {} : { name });

/** Without what means nothing: a leading `./`, and `**` again and again. */
const collapsed = (glob: string): string =>
  glob
    .replace(/^(\.\/)+/, "")
    .replace(/\*{3,}/g, "**")
    .replace(/(\*\*\/)+/g, "**/");
