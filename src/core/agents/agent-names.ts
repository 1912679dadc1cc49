// Names of agents: what counts as the same name, and what may stand in one.

/** Whom a spawn means that names nobody. */
export const DEFAULT_AGENT = "general-purpose";

/** `Code Reviewer`, `code-reviewer` and `code_reviewer` are one name. */
export function lookupKey(name: string): string {
  const plain = name.normalize("NFKC").toLowerCase().trim();
  return plain.replace(/[\s_\-.]+/g, "") || plain;
}

const MOST_CHARS = 100;

/** A name in one line that is no path, no flag and no `plugin:name`. Empty when nothing of it is left. */
export function cleanName(name: string): string {
  return name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[:/\\<>]+/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^[\s.-]+|\s+$/g, "")
    .slice(0, MOST_CHARS)
    .toWellFormed();
}

/** `agents/code-reviewer.agent.md` → `code-reviewer` */
export function stemOf(file: string): string {
  const base = file.split(/[/\\]/).at(-1) ?? file;
  return base.replace(/(\.(agent|chatmode))?\.(md|json|toml)$/i, "");
}
