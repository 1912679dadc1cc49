// Whether a hook's matcher takes a name, as Claude Code reads matchers: nothing or `*` takes all, plain words are exact
// names split at `|` or `,`, anything else is a regular expression that may match anywhere.

/** Other names that rules and hooks know a tool by. */
const ALSO: Readonly<Record<string, readonly string[]>> = { spawn_subagent: ["Agent", "Task"] };
const PLAIN = /^[A-Za-z0-9_ ,|-]*$/;
/** A matcher is written by hand: longer ones are a mistake, and slow. */
const MOST_CHARS = 1_000;

export type Matcher = (name: string) => boolean;

export function matcher(pattern: string): Matcher | { readonly problem: string } {
  const trimmed = pattern.trim();
  if (trimmed === "" || trimmed === "*") return () => true;
  if (trimmed.length > MOST_CHARS) return { problem: `its matcher is longer than ${MOST_CHARS} characters` };
  if (PLAIN.test(trimmed)) {
    const wanted = new Set(trimmed.split(/[|,]/).map((name) => name.trim()));
    return (name) => namesOf(name).some((one) => wanted.has(one));
  }
  try {
    const regex = new RegExp(trimmed);
    return (name) => namesOf(name).some((one) => regex.test(one));
  } catch {
    return { problem: `its matcher "${trimmed.slice(0, 60)}" is no regular expression` };
  }
}

const namesOf = (name: string): readonly string[] => [name, ...(ALSO[name] ?? [])];
