// Base URLs as people write them: with or without a trailing slash, with or without the version.
import { ModelFault } from "../../core/model-fault.ts";
import { faultOf, type Site } from "./faults.ts";
import { oneLine } from "./one-line.ts";

/** `https://host/x/` or `https://host/x/v1` and a path. A version of any kind that is there is kept. */
export function endpoint(site: Site, base: string, version: string, path: string): URL {
  const plain = base.trim().replace(/\/+$/, "");
  const address = /\/v\d+[a-z]*\d*$/.test(plain) ? plain : `${plain}/${version}`;
  if (/^https?:\/\/./.test(plain) && URL.canParse(`${address}${path}`)) return new URL(`${address}${path}`);
  const message = `${site.baseFrom} is not an http address: ${oneLine(base, 100) || "(empty)"}`;
  throw new ModelFault(faultOf("not-found", message, site));
}
