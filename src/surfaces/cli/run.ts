// `sous run`: one prompt, headless.
import type { StreamEvent } from "../../core/events.ts";
import { ROOT, type SessionId } from "../../core/ids.ts";
import type { RunResult } from "../../core/run-result.ts";
import { exitCodeOf } from "./exit-code.ts";
import { type Flags, readFlags } from "./flags.ts";
import { runHelp } from "./help.ts";
import { type Output, createOutput } from "./output.ts";
import { openHost } from "./open-host.ts";
import { oneLine, plainJson, plainText } from "./plain-text.ts";
import { progressOn } from "./progress-line.ts";
import { readPrompt } from "./prompt.ts";
import { runFlags, wishesOf } from "./run-flags.ts";
import { sayWhatWasSwept } from "./say-what-was-swept.ts";
import { watchSignals } from "./signals.ts";
import { waitingChanges } from "./waiting-changes.ts";
import { keepHeapSmall, smallHeap } from "./small-heap.ts";

export const run = (words: readonly string[], version: string): Promise<number> => runAs("run", words, version);

/** `command`: how the person called it. */
export async function runAs(command: string, words: readonly string[], version: string): Promise<number> {
  const { flags, rest } = readFlags(command, runFlags, words);
  if (!flags.help) return runWith(flags, rest, version);
  const output = createOutput(1);
  output.line(runHelp(runFlags));
  await output.drained();
  return 0;
}

/** `known`: the prompt where it was read already, and the one of the resumed tree that it is for. */
export async function runWith(
  flags: Flags<typeof runFlags>,
  rest: readonly string[],
  version: string,
  known?: { readonly prompt: string | undefined; readonly named?: SessionId },
): Promise<number> {
  const output = createOutput(1);
  const errors = createOutput(2);
  const { host, cwd, resume, child = known?.named } = await openHost(flags, version);
  if (resume !== undefined) keepHeapSmall();
  const prompt = known
    ? known.prompt
    : await readPrompt(rest, resume !== undefined, (line) => errors.line(`sous: ${line}`));
  const form = flags.output ?? "text";
  const progress = progressOn(errors, form !== "jsonl");
  const say = (line: string): void => progress.say(`sous: ${line}`);
  const tell = tellTrouble(say);
  const watch = (event: StreamEvent): void => {
    progress.event(event);
    tell(event);
  };

  const wishes = {
    ...wishesOf(flags),
    cwd,
    trigger: "sous run",
    ...(prompt !== undefined && { prompt }),
    ...(resume && { resume }),
    ...(child && { child }),
  };
  const live = await host
    .run(wishes, {
      event: smallHeap(form === "jsonl" ? jsonLines(output) : watch),
      notice: (line) => say(plainText(line)),
    })
    .catch((error: unknown) => {
      progress.end();
      throw error;
    });
  const signals = watchSignals(live, say);
  const swept = sayWhatWasSwept(host, say);
  const lead = await live.result.finally(progress.end);
  await swept;
  signals.release();
  // Who speaks to a child wants that child's answer.
  const result = (await live.childResult) ?? lead;
  report(result, form, output, say);
  if (result !== lead && form !== "jsonl") say(leadWentOn(lead));
  for (const line of await waitingChanges(host.stateDir, lead)) say(line);
  await Promise.all([output.drained(), errors.drained()]);
  await host.tidy().catch(() => 0);
  return exitCodeOf(result, signals.received());
}

/** The end of the lead's run is always the last line: what comes after it, such as its sync, is not told. */
function jsonLines(output: Output): (event: StreamEvent) => void {
  let ended = false;
  return (event) => {
    if (ended) return;
    output.prepared(plainJson(event), "live" in event);
    ended =
      event.path === ROOT && (event.type === "run.ended" || event.type === "run.paused" || event.type === "run.parked");
  };
}

const leadWentOn = ({ status, output, session }: RunResult): string =>
  `its lead read this and ended ${status}: ${oneLine(output, 200)} (sous output ${session} shows all of it)`;

/** Without a stream of events the person still hears at once when something is stuck. */
function tellTrouble(say: (line: string) => void): (event: StreamEvent) => void {
  return (event) => {
    if (event.type === "model.failed" && event.retryInMs !== undefined)
      say(`${oneLine(event.fault.message, 200)}; trying again in ${(event.retryInMs / 1000).toFixed(1)} s`);
    if (event.type === "agent.waiting" && event.for === "disk")
      say(`waiting for the disk: ${oneLine(event.detail ?? "", 200)}`);
    if (event.type === "note.added")
      say(oneLine(event.path === ROOT ? event.text : `${event.path}: ${event.text}`, 300));
  };
}

function report(result: RunResult, form: "text" | "json" | "jsonl", output: Output, say: (line: string) => void): void {
  if (form === "json") output.prepared(plainJson(result));
  if (form === "text" && result.output !== "") output.line(result.output);
  if (result.status === "succeeded") {
    for (const flag of result.receipt.flags) say(`note: ${flag}`);
    return;
  }
  const why = result.error ? `: ${oneLine(result.error.message, 300)}` : "";
  const remedy = result.error?.remedy ? `; ${oneLine(result.error.remedy, 300)}` : "";
  say(`${result.status}${why}${remedy} (session ${result.session})`);
}
