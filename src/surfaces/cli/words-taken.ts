// Refuses words that a command does not take: none is left out without a word. One place for all commands.
import { commands } from "./commands.ts";
import { UsageError } from "./usage-error.ts";

/** `words`: what is not a flag. A verb that there is not is the command's own to refuse. */
export function mustTakeWords(command: string, words: readonly string[]): void {
  const { most = Infinity } = commands[command] ?? {};
  const [verb = "", ...after] = words;
  if (typeof most === "number") refuseMore(`sous ${command}`, words, most);
  else if (Object.hasOwn(most, verb)) refuseMore(`sous ${command} ${verb}`, after, most[verb] ?? Infinity);
}

function refuseMore(name: string, words: readonly string[], most: number): void {
  const extra = words[most];
  if (extra === undefined) return;
  const taken = most === 0 ? "no words" : most === 1 ? "one word" : `${most} words`;
  throw new UsageError(
    `${name} takes ${taken}${most === 0 ? "" : " at most"}; got "${extra}" (see ${name.split(" ").slice(0, 2).join(" ")} --help)`,
  );
}
