// Where Sous's own documentation lies: beside the code that runs, in a checkout as in an installed package.
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isThere } from "./is-there.ts";

/** Real; undefined where the package was taken apart. */
export function docsFolder(from: string = import.meta.dirname): string | undefined {
  for (let at = from; dirname(at) !== at; at = dirname(at))
    if (isThere(join(at, "package.json")) && isThere(join(at, "docs", "agents.md")))
      return realpathSync(join(at, "docs"));
  return undefined;
}
