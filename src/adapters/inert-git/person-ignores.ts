// The patterns of files that a person never wants to be told of: the text of their own ignore file, inside their home.
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { readBoundedSync } from "../files/read-bounded.ts";

/** The person's home, and where their configuration stands if not in `.config` of it. */
export type PersonPlaces = { readonly home?: string; readonly config?: string };

const MOST_CONFIG = 256 * 1024;
const MOST_IGNORES = 1024 * 1024;

/** Empty where there is none. */
export function personIgnores({ home, config }: PersonPlaces): string {
  if (home === undefined || !home.startsWith("/")) return "";
  const folder = join(config?.startsWith("/") ? config : join(home, ".config"), "git");
  try {
    const within = realpathSync(home);
    const textOf = (path: string, most: number): string | undefined => {
      const found = readBoundedSync(path, { most, within });
      return found.ok ? found.bytes.toString("utf8") : undefined;
    };
    const named = [join(home, ".gitconfig"), join(folder, "config")]
      .map((path) => excludesFile(textOf(path, MOST_CONFIG) ?? ""))
      .find((path) => path !== undefined);
    if (named === "") return "";
    const path = named === undefined ? join(folder, "ignore") : resolve(home, named.replace(/^~\//, `${home}/`));
    const text = textOf(path, MOST_IGNORES) ?? "";
    return text === "" || text.endsWith("\n") ? text : `${text}\n`;
  } catch {
    return "";
  }
}

/** The last that a configuration names, in its plain forms: anything else is taken for none. */
function excludesFile(config: string): string | undefined {
  let [section, found]: (string | undefined)[] = [];
  for (const line of config.split(/\r?\n/)) {
    section = /^\s*\[\s*([^\]\s]+)\s*\]/.exec(line)?.[1]?.toLowerCase() ?? (/^\s*\[/.test(line) ? "" : section);
    const [, quoted, plain] =
      /^\s*(?:\[\s*core\s*\]\s*)?excludesfile\s*=\s*(?:"([^"\\]*)"|([^"\\#;]*?))\s*(?:[#;].*)?$/i.exec(line) ?? [];
    if (section === "core") found = quoted ?? plain ?? found;
  }
  return found;
}
