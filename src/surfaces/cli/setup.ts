// `sous setup`: asks for a provider and its key, hidden while it is typed, and stores it for its owner only.
import { readFileSync } from "node:fs";
import { isatty } from "node:tty";
import { SETUP_PROVIDERS, saveKey, saveKeyCommand, setupProvider, variableSet } from "../../host/setup.ts";
import { askHidden, askLine } from "./ask.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { flagLines } from "./help.ts";
import { createOutput } from "./output.ts";
import { UsageError } from "./usage-error.ts";

export const setupFlags = {
  command: { takes: "text", value: "CMD", help: "a command that prints the key, such as a password manager's" },
  stdin: { help: "read the key from standard input" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const names = SETUP_PROVIDERS.map(({ name }) => name).join(", ");
const variables = SETUP_PROVIDERS.map(({ variable }) => variable).join(", ");

const help = `sous setup [PROVIDER] [flags]: stores a provider's key (${names})

On a terminal it asks; what you type as a key is not shown. The key goes into keys.json beside your configuration,
readable by you only. A key is looked for in this order: the variable (${variables}), apiKeyCommand, the stored key.

${flagLines(setupFlags)}

examples
  sous setup
  sous setup anthropic --command "pass show anthropic"
  sous setup openai --stdin < key.txt`;

export async function setup(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("setup", setupFlags, words);
  if (rest.length > 1) throw new UsageError("sous setup takes one provider");
  const output = createOutput(1);
  if (flags.help) output.line(help);
  else {
    const asks = isatty(0) && isatty(1);
    const given = flags.command !== undefined || flags.stdin === true;
    if (!asks && !given)
      throw new UsageError(
        `there is no terminal to ask on: set ${variables}, or use --stdin or --command (see sous setup --help)`,
      );
    const provider = setupProvider(rest[0] ?? (given ? needed() : await chooseProvider()), process.env);
    const path = await store(provider, flags);
    output.line(`stored in ${path}`);
    const variable = variableSet(process.env, provider);
    if (variable) output.line(`note: ${variable} is set and goes before it`);
    output.line(`try it: sous run "what is in this folder?"`);
  }
  await output.drained();
  return 0;
}

async function store(provider: string, flags: { command?: string; stdin?: boolean }): Promise<string> {
  if (flags.command !== undefined) return saveKeyCommand(process.env, provider, flags.command);
  if (flags.stdin) return saveKey(process.env, provider, readFileSync(0, "utf8"));
  const command = await askLine("A command that prints the key (Enter to type the key itself): ");
  if (command !== "") return saveKeyCommand(process.env, provider, command);
  return saveKey(process.env, provider, await askHidden(`The key of ${provider} (not shown): `));
}

async function chooseProvider(): Promise<string> {
  const answer = await askLine(`Provider (${names}) [anthropic]: `);
  return answer === "" ? "anthropic" : answer;
}

function needed(): never {
  throw new UsageError(`sous setup needs a provider: ${names}`);
}
