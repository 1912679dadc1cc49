// The two echoes of the bash protocol that mean more than their output: spawn a child, and end with a result. Decided
// from the command and from what it really printed; a text that only mentions the words means nothing. Pure.
export const SPAWN = "MINI_SWE_AGENT_SPAWN_CHILD";
export const FINAL = "MINI_SWE_AGENT_FINAL_OUTPUT";

/** `literal`: the shell puts nothing of its own into the text, so running it again is the same as once. */
export type Sentinel = { readonly is: "spawn" | "final"; readonly literal: boolean };

export type Meaning =
  | { readonly is: "spawn"; readonly agent: string; readonly task: string }
  | { readonly is: "final"; readonly output: string }
  | { readonly is: "nothing"; readonly why: string };

/** Whether the command is one of the two echoes and nothing else. */
export function sentinelOf(command: string): Sentinel | undefined {
  const argument = /^echo[ \t]+([\s\S]+)$/.exec(command.trim())?.[1];
  const echoed = argument === undefined ? undefined : wordOf(argument);
  const [first = ""] = echoed?.text.split("\n") ?? [];
  if (!echoed) return undefined;
  if (first.trimEnd() === FINAL) return { is: "final", literal: echoed.literal };
  if (first.trimEnd() === SPAWN || first.startsWith(`${SPAWN}::`)) return { is: "spawn", literal: echoed.literal };
  return undefined;
}

/** What such an echo came to, from the output of a command that ended with 0. */
export function meaningOf({ is }: Sentinel, output: string): Meaning {
  const end = output.indexOf("\n");
  const first = (end < 0 ? output : output.slice(0, end)).trimEnd();
  const rest = end < 0 ? "" : output.slice(end + 1).replace(/\n$/, "");
  if (is === "final" && first === FINAL) return { is, output: rest };
  if (is === "spawn" && first === SPAWN) return { is, agent: "", task: rest };
  if (is === "spawn" && first.startsWith(`${SPAWN}::`))
    return { is, agent: first.slice(SPAWN.length + 2).trim(), task: rest };
  return { is: "nothing", why: `the first line of the output is not ${is === "final" ? FINAL : `${SPAWN}::name`}` };
}

/** Why a command that looks like one of the echoes, and is none, did nothing; undefined where it does not look so. */
export function nearMiss(command: string, output: string): string | undefined {
  const word = [SPAWN, FINAL].find((one) => command.includes(one));
  if (word === undefined) return undefined;
  const [, verb] =
    new RegExp(`(?:^|[\\s;&|({])(echo|printf)[ \\t]+(?:-\\w+[ \\t]+)*["']?${word}\\b`).exec(command) ?? [];
  const does = word === FINAL ? "Nothing was ended" : "No child was started";
  if (verb === "printf") return `${does}: only echo counts, not printf.`;
  if (verb === "echo")
    return `${does}: the command must be one echo of one quoted text whose first line is only ${word === FINAL ? FINAL : `${SPAWN}::name`}, without options, and nothing before or after it.`;
  if (output.startsWith(word)) return `${does}: the output only shows the word; the command must be that one echo.`;
  return undefined;
}

/** One word of a shell command, if it is exactly one: in double quotes, in single quotes, or plain. */
function wordOf(argument: string): { text: string; literal: boolean } | undefined {
  const inside = argument.slice(1, -1);
  if (argument.startsWith("'")) {
    if (argument.length < 2 || !argument.endsWith("'") || inside.replaceAll("'\\''", "").includes("'"))
      return undefined;
    return { text: inside, literal: true };
  }
  if (!argument.startsWith('"')) return /^[\w:.-]+$/.test(argument) ? { text: argument, literal: true } : undefined;
  let literal = true;
  for (let at = 1; at < argument.length; at++) {
    const character = argument[at];
    if (character === "\\") at++;
    else if (character === '"') return at === argument.length - 1 ? { text: inside, literal } : undefined;
    else if (character === "$" || character === "`") literal = false;
  }
  return undefined;
}
