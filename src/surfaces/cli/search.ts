// `sous sessions search TEXT`.
import type { Scope } from "../../host/project-scope.ts";
import { searchSessions } from "../../host/session-search.ts";
import { oneLine, plainJson } from "./plain-text.ts";
import { UsageError } from "./usage-error.ts";

export async function search(
  stateDir: string,
  scope: Scope,
  words: readonly string[],
  json: boolean,
  say: (line: string) => void,
): Promise<void> {
  const wanted = words.join(" ");
  if (wanted.trim() === "")
    throw new UsageError('sous sessions search needs what to look for: sous sessions search "…"');
  const rows: unknown[] = [];
  let found = 0;
  for await (const { hits, more } of searchSessions(stateDir, wanted, scope)) {
    found += hits.length;
    if (json) rows.push(...hits);
    else {
      const [first] = hits;
      if (first) say(`${first.id}  ${first.time.slice(0, 16).replace("T", " ")}`);
      for (const hit of hits) say(`  ${hit.path} ${hit.where}: ${oneLine(hit.snippet, 200)}`);
      if (more > 0) say(`  … and ${more} more`);
    }
  }
  if (json) say(plainJson(rows));
  else if (found === 0)
    say(
      `no session${scope === "all" ? "" : " of this project"} says "${oneLine(wanted, 100)}"${scope === "all" ? "" : " (--all: of any)"}`,
    );
}
