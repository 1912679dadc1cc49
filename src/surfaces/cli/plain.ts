// `sous --plain`: a conversation line by line, where the person answers what asks and switches modes.
import type { Mode } from "../../core/events.ts";
import { type SessionId, ROOT } from "../../core/ids.ts";
import { readConfig } from "../../host/config.ts";
import { commandIn } from "../../host/prompt-text.ts";
import { type Typed, isYes } from "./conversation/console.ts";
import { createLineConversation, type LineConversation } from "./conversation/line-conversation.ts";
import { openConsole } from "./conversation/open-console.ts";
import { SLASH_HELP, nearestSlash, slashCommandOf } from "./conversation/slash-commands.ts";
import { type Flags, readFlags } from "./flags.ts";
import { plainHelp } from "./help.ts";
import { onBroken } from "./on-broken.ts";
import { openHost } from "./open-host.ts";
import { plainText } from "./plain-text.ts";
import { painter } from "./plain-view.ts";
import { plainFlags, wishesOf } from "./run-flags.ts";
import { sayWhatWasSwept } from "./say-what-was-swept.ts";
import { UsageError } from "./usage-error.ts";

export const plain = (words: readonly string[], version: string): Promise<number> => plainAs("--plain", words, version);

/** `command`: how the person called it. */
export async function plainAs(command: string, words: readonly string[], version: string): Promise<number> {
  const { flags, rest } = readFlags(command, plainFlags, words);
  if (flags.help) {
    process.stdout.write(`${plainHelp(plainFlags)}\n`);
    return 0;
  }
  const { host, cwd, resume, child } = await openHost(flags, version);
  if (child)
    throw new UsageError(
      `a conversation is with the lead: sous --plain --resume ${resume}; sous send speaks to a child`,
    );
  const before = await standingBefore(flags, host.stateDir, resume);
  const first = rest.join(" ");
  const console = openConsole();
  const conversation = createLineConversation({
    host,
    wishes: { ...wishesOf(flags), cwd, trigger: "sous --plain", ...(resume && { resume }) },
    console,
    paint: painter(process.stdout.isTTY === true && !process.env["NO_COLOR"]),
    before,
  });
  const endedBy = endOnTrouble((because, by) => {
    conversation.stop(because, by);
    console.close();
  }, console.print);
  let warned = false;
  console.onInterrupt(() => {
    if (conversation.interrupt()) return;
    if (warned) return conversation.leave();
    warned = true;
    console.print("press Ctrl-C again to leave\n");
  });
  // Where the input is no terminal, Ctrl-C comes as a signal.
  process.on("SIGINT", () => void (conversation.interrupt() || console.close()));
  // Without its screen nothing can be asked or shown: as if the person had hung up.
  process.stdout.on("error", () => {
    conversation.stop("the output was closed");
    console.close();
  });
  console.onEnd(() => conversation.stop("the input ended"));
  const hear = (typed: Typed): void => {
    warned = false;
    heard(typed, conversation, console.print);
  };
  console.onPrompt(hear);
  console.print(`Sous ${version}, line by line. /h for help, /q to leave.\n`);
  const swept = sayWhatWasSwept(host, (line) => console.print(`${line}\n`));
  if (first === "") conversation.invite();
  else hear({ text: first, pasted: false });
  try {
    await conversation.ended;
  } finally {
    console.close();
    await conversation.close();
  }
  await swept;
  await host.tidy().catch(() => 0);
  return endedBy();
}

/** A command is done here and never reaches a model; everything else is for the lead. */
function heard(typed: Typed, conversation: LineConversation, print: (text: string) => void): void {
  const { text: line, pasted } = typed;
  const command = slashCommandOf(line);
  const unknown = command === undefined ? commandIn(line) : undefined;
  if (command === "quit") conversation.leave();
  else if (command === "help") {
    print(`${SLASH_HELP}\n`);
    conversation.invite();
  } else if (command !== undefined && pasted && isYes(typed)) {
    print(`${line.trim()} is typed, not pasted: type it, then press Enter.\n`);
    conversation.invite();
  } else if (command !== undefined) void conversation.changeMode(command.mode);
  else if (unknown !== undefined) {
    const close = nearestSlash(unknown);
    const meant = close === undefined ? "" : `; did you mean ${close}?`;
    print(
      `there is no command ${plainText(unknown)}${meant} (/h lists them; /${plainText(unknown)} begins a prompt)\n`,
    );
    conversation.invite();
  } else if (line.trim() !== "") conversation.speak(line);
}

/** Which agent and mode the prompt names before a session is open. */
async function standingBefore(
  flags: Flags<typeof plainFlags>,
  stateDir: string,
  resume: SessionId | undefined,
): Promise<{ readonly agent: string; readonly mode: Mode }> {
  const given = { agent: flags.agent ?? "lead", mode: flags.mode };
  if (resume === undefined)
    return { ...given, mode: given.mode ?? readConfig(process.env, flags.config).mode ?? "confirm" };
  const { readState } = await import("../../host/session-store.ts");
  const { state } = await readState(stateDir, resume);
  const lead = [...state.sessions.values()].find(({ path }) => path === ROOT);
  return { agent: lead?.opened?.agent ?? given.agent, mode: given.mode ?? state.mode };
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
