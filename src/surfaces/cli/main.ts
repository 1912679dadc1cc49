// The command's entry: finds the command, loads only that, and turns what went wrong into one line.
import manifest from "../../../package.json" with { type: "json" };
import { withHome } from "../../host/with-home.ts";
import { maskShapes } from "../../core/secret-shapes.ts";
import { nearest } from "../../std/nearest.ts";
import { commands } from "./commands.ts";
import { USAGE } from "./exit-code.ts";
import { readFlags } from "./flags.ts";
import { errorLine } from "./plain-text.ts";
import { mustTakeWords } from "./words-taken.ts";

async function main(words: readonly string[]): Promise<number> {
  Object.assign(process.env, withHome(process.env));
  const [command, ...rest] = helpAsked(words);
  if (command !== undefined && Object.hasOwn(commands, command)) {
    const found = await commands[command]?.load();
    if (found) {
      const { flags, rest: given } = readFlags(command, found.flags, rest);
      if (!flags["help"]) mustTakeWords(command, given);
      return found.start(rest, manifest.version);
    }
  }
  switch (command) {
    case "--version":
    case "-v":
    case "-V":
    case "version":
      process.stdout.write(`${manifest.version}\n`);
      return 0;
    case undefined:
      if (process.stdin.isTTY && process.stdout.isTTY) return (await import("./plain.ts")).plain([], manifest.version);
      return (await import("./piped-prompt.ts")).pipedPrompt(manifest.version);
    case "--help":
    case "-h":
    case "help":
      process.stdout.write(`${(await import("./help.ts")).mainHelp()}\n`);
      return 0;
    default: {
      // Flags without a command are those of the conversation; where nobody can type, of one prompt.
      if (/^-./.test(command) && process.stdin.isTTY)
        return (await import("./plain.ts")).plainAs("", words, manifest.version);
      if (/^-./.test(command)) return (await import("./run.ts")).runAs("", words, manifest.version);
      // A whole sentence is most likely a prompt.
      if (/\s/.test(command)) {
        complain(`a prompt goes to run: sous run ${JSON.stringify(command)}`);
        return USAGE;
      }
      const close = nearest(command, [...Object.keys(commands), "help", "version"]);
      complain(`there is no command "${command}"${close ? `; did you mean ${close}?` : ""} (see sous --help)`);
      return USAGE;
    }
  }
}

/** `help X` is `X --help`. */
function helpAsked(words: readonly string[]): readonly string[] {
  const [first, about, ...more] = words;
  return first === "help" && about !== undefined ? [about, ...more, "--help"] : words;
}

const complain = (message: string): void => void process.stderr.write(`sous: ${errorLine(maskShapes(message))}\n`);

function explain(error: unknown): number {
  const { name, message, kind } = error as { name?: string; message?: string; kind?: string };
  complain(message ?? String(error));
  if (process.env["SOUS_DEBUG"] && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return name === "UsageError" || (name === "HostError" && kind === "usage") ? USAGE : 1;
}

process.exitCode = await main(process.argv.slice(2)).catch(explain);
// What is still open (kept connections, timers of a tool that did not listen) must not keep the shell waiting.
process.exit();
