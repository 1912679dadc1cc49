// `sous setup`: asks for a provider and its key, hidden while it is typed, and stores it for its owner only.
import { readFileSync } from "node:fs";
import { isatty } from "node:tty";
import {
  SETUP_PROVIDERS,
  dropMisplacedKey,
  keyCommandOf,
  removeKey,
  saveKey,
  saveKeyCommand,
  setupProvider,
  variableSet,
} from "../../host/setup.ts";
import { askHidden, askLine } from "./ask.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { flagLines } from "./help.ts";
import { onlyAPerson } from "./only-a-person.ts";
import { createOutput } from "./output.ts";
import { UsageError } from "./usage-error.ts";

export const setupFlags = {
  command: { takes: "text", value: "CMD", help: "a command that prints the key, such as a password manager's" },
  stdin: { help: "read the key from standard input" },
  remove: { help: "take a provider's stored key and apiKeyCommand away" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const names = SETUP_PROVIDERS.map(({ name }) => name).join(", ");
const variables = SETUP_PROVIDERS.map(({ variable }) => variable).join(", ");

const help = `sous setup [PROVIDER] [flags]: stores a provider's key (${names})

On a terminal it asks for the key, which is not shown as you type or paste it; Enter there leads to the question for a
command that prints it. The key goes into keys.json beside your configuration, readable by you only. A key is looked for
in this order: its variable (${variables}),
apiKeyCommand, the stored key.

${flagLines(setupFlags)}

examples
  sous setup
  sous setup anthropic --command "pass show anthropic"
  sous setup openai --stdin < key.txt
  sous setup --remove openai`;

export async function setup(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("setup", setupFlags, words);
  const output = createOutput(1);
  const noteVariable = (provider: string, how: string): void => {
    const variable = variableSet(process.env, provider);
    if (variable) output.line(`note: ${variable} is set and ${how}`);
  };
  const noteCommand = (provider: string): void => {
    if (dropMisplacedKey(process.env, provider)) output.line("a key that stood as apiKeyCommand was taken away");
    else if (keyCommandOf(process.env, provider) !== undefined)
      output.line(
        `note: apiKeyCommand of ${provider} goes before it (sous setup --remove ${provider} takes both away)`,
      );
  };
  if (!flags.help) onlyAPerson("change a provider's key");
  if (flags.help) output.line(help);
  else if (flags.remove) {
    const provider = setupProvider(rest[0] ?? needed(), process.env);
    const gone = removeKey(process.env, provider);
    output.line(gone.length > 0 ? `taken away: ${gone.join(", ")}` : `there was no stored key of ${provider}`);
    noteVariable(provider, "is still used");
  } else {
    const asks = isatty(0) && isatty(1);
    const given = flags.command !== undefined || flags.stdin === true;
    if (!asks && !given)
      throw new UsageError(
        `there is no terminal to ask on: set ${variables}, or use --stdin or --command (see sous setup --help)`,
      );
    const provider = setupProvider(rest[0] ?? (given ? needed() : await chooseProvider()), process.env);
    const { path, is } = await store(provider, flags);
    output.line(`stored in ${path}`);
    if (is === "key") noteCommand(provider);
    noteVariable(provider, "goes before it");
    output.line(`try it: sous run "what is in this folder?"`);
  }
  await output.drained();
  return 0;
}

type Stored = { readonly is: "key" | "command"; readonly path: string };

async function store(provider: string, flags: { command?: string; stdin?: boolean }): Promise<Stored> {
  const key = (given: string): Stored => ({ is: "key", path: saveKey(process.env, provider, given) });
  const command = (given: string): Stored => ({ is: "command", path: saveKeyCommand(process.env, provider, given) });
  if (flags.command !== undefined) return command(flags.command);
  if (flags.stdin) return key(readFileSync(0, "utf8"));
  // The key first: what is pasted at once must not be shown.
  const typed = await askHidden(`The key of ${provider} (not shown; Enter to name a command that prints it): `);
  return typed === "" ? command(await askLine("A command that prints the key: ")) : key(typed);
}

async function chooseProvider(): Promise<string> {
  const answer = await askLine(`Provider (${names}) [anthropic]: `);
  return answer === "" ? "anthropic" : answer;
}

function needed(): never {
  throw new UsageError(`sous setup needs a provider: ${names}`);
}
