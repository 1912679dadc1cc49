// `sous --plain`: a conversation line by line, where the person answers what asks and switches modes.
import { readFlags } from "./flags.ts";
import { plainHelp } from "./help.ts";
import { createLineSource } from "./line-source.ts";
import { onBroken } from "./on-broken.ts";
import { openHost } from "./open-host.ts";
import { createPlainConversation } from "./plain-conversation.ts";
import { MODE_HELP, slashOf } from "./plain-person.ts";
import { painter } from "./plain-view.ts";
import { plainFlags, wishesOf } from "./run-flags.ts";
import { sayWhatWasSwept } from "./say-what-was-swept.ts";
import { UsageError } from "./usage-error.ts";

export const plain = (words: readonly string[], version: string): Promise<number> => plainAs("--plain", words, version);

/** `command`: how the person called it. */
export async function plainAs(command: string, words: readonly string[], version: string): Promise<number> {
  const { flags, rest } = readFlags(command, plainFlags, words);
  const write = (text: string): void => void process.stdout.write(text);
  if (flags.help) {
    write(`${plainHelp(plainFlags)}\n`);
    return 0;
  }
  const { host, cwd, resume, child } = await openHost(flags, version);
  if (child)
    throw new UsageError(
      `a conversation is with the lead: sous --plain --resume ${resume}; sous send speaks to a child`,
    );
  const lines = createLineSource(process.stdin, process.stdout);
  const conversation = createPlainConversation({
    host,
    wishes: { ...wishesOf(flags), cwd, trigger: "sous --plain", ...(resume && { resume }) },
    lines,
    write,
    paint: painter(process.stdout.isTTY === true && !process.env["NO_COLOR"]),
  });
  const endedBy = endOnTrouble((because, by) => {
    conversation.stop(because, by);
    lines.close();
  }, write);
  const interrupt = (): void => void (conversation.interrupt() || lines.close());
  lines.onInterrupt(interrupt);
  // Where the input is no terminal, Ctrl-C comes as a signal.
  process.on("SIGINT", interrupt);
  // Without its screen nothing can be asked or shown: as if the person had hung up.
  process.stdout.on("error", () => {
    conversation.stop("the output was closed");
    lines.close();
  });
  lines.onEnd(() => conversation.stop("the input ended"));
  write(`Sous ${version}, line by line. /h for help, /q to leave.\n`);
  const swept = sayWhatWasSwept(host, (line) => write(`${line}\n`));

  try {
    for (let line: string | undefined = rest.join(" "); line !== undefined; line = await lines.ask("> ")) {
      const slash = slashOf(line);
      if (slash === "quit") break;
      if (slash === "help") write(`${MODE_HELP}\n`);
      else if (slash !== undefined) await conversation.changeMode(slash.mode);
      else if (/^\/\w+$/.test(line.trim())) write(`there is no ${line.trim()}\n${MODE_HELP}\n`);
      else if (line.trim() !== "") await conversation.ask(line);
      if (conversation.hasEnded()) break;
    }
  } finally {
    lines.close();
    await conversation.close();
  }
  await swept;
  await host.tidy().catch(() => 0);
  return endedBy();
}

/** Ends the conversation on SIGTERM, SIGHUP and broken code; says with which code the program then ends. */
function endOnTrouble(
  end: (because: string, by: "person" | "system") => void,
  write: (text: string) => void,
): () => number {
  let code = 0;
  for (const [signal, number] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)
    process.on(signal, () => {
      code = number;
      end(`stopped by ${signal}`, "person");
    });
  onBroken((line) => {
    code ||= 1;
    write(`\n${line}\n`);
    end("the program broke", "system");
  });
  return () => code;
}
