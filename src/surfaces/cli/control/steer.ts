// `sous send`, `interrupt`, `stop`, `background` and `fork`: what a person tells an agent from another terminal.
import type { Steered } from "../../../host/control/remote.ts";
import { promptText } from "../../../host/prompt-text.ts";
import { onlyAPerson } from "../only-a-person.ts";
import { readWords } from "../prompt.ts";
import { UsageError } from "../usage-error.ts";
import { agentOf, command, ID_HELP } from "./shared.ts";
import { errorLine, plainJson } from "../plain-text.ts";

export const send = command({
  name: "send",
  flags: { "follow-up": { help: "read only when the agent would end, not before its next model call" } },
  help: `sous send ID TEXT… [flags]: words for an agent, before its next model call

Where no process has it open they wait for it: sous resume ID goes on with them. TEXT is - for standard input.
${ID_HELP}`,
  examples: [
    'sous send last "leave the tests alone"',
    'sous send scout "look in src only"',
    "git diff | sous send last -",
  ],
  async run({ flags, words, remote, say }) {
    onlyAPerson("speak as one");
    const [id, ...rest] = words;
    const to = await agentOf(remote, "send", id === undefined ? [] : [id]);
    const text = promptText(readWords(rest, "sous send needs words: sous send ID"));
    const done = await remote.send(to, text, flags["follow-up"] ? "follow-up" : "steer");
    return told(done, flags.json, say);
  },
});

export const interrupt = command({
  name: "interrupt",
  flags: {},
  help: `sous interrupt ID [TEXT…] [flags]: ends what an agent does now, and keeps it

Its model call or its tools are cut off, and it waits for words: TEXT, or sous send ID. It goes on with all it knows.
${ID_HELP}`,
  examples: ["sous interrupt last", 'sous interrupt scout "not that folder: look in src"'],
  async run({ flags, words, remote, say }) {
    onlyAPerson("interrupt an agent");
    const [id, ...rest] = words;
    const to = await agentOf(remote, "interrupt", id === undefined ? [] : [id]);
    const text = rest.length === 0 ? undefined : promptText(readWords(rest, "words are missing: sous interrupt ID"));
    const done = await remote.steer(to, "interrupt");
    if (!done.ok || text === undefined) return told(done, flags.json, say);
    const sent = await remote.send(to, text, "steer");
    const said = `${to.path} is interrupted and goes on with your words`;
    return told(sent.ok ? { ok: true, said } : sent, flags.json, say);
  },
});

export const stop = command({
  name: "stop",
  flags: {},
  help: `sous stop ID… [flags]: ends agents and everything below them, at once

Its siblings and its parent go on. A child that a person stopped stays stopped until a person resumes it.
${ID_HELP}`,
  examples: ["sous stop last", "sous stop last/S1 last/S2"],
  async run({ flags, words, remote, say }) {
    onlyAPerson("stop an agent");
    if (words.length === 0) throw new UsageError("sous stop needs an agent (see sous ps)");
    const all = await Promise.all(words.map((word) => remote.find(word)));
    let code = 0;
    for (const to of all) code = Math.max(code, told(await remote.steer(to, "stop"), flags.json, say));
    return code;
  },
});

export const background = command({
  name: "background",
  flags: {},
  help: `sous background ID [flags]: a child its parent waits for works on in the background; the parent goes on

${ID_HELP}`,
  examples: ["sous background last/S1"],
  async run({ flags, words, remote, say }) {
    onlyAPerson("send an agent to the background");
    const to = await agentOf(remote, "background", words);
    return told(await remote.steer(to, "background"), flags.json, say);
  },
});

export const fork = command({
  name: "fork",
  flags: { turns: { takes: "whole number", value: "N", help: "only the last N turns of its history" } },
  help: `sous fork ID [TEXT…] [flags]: a further agent that begins with the history of this one

In the process that has it open it is a child, which works on TEXT at once. Where none has, a session's fork is a
session of its own and a child's another child beside it; sous resume goes on with either.
${ID_HELP}`,
  examples: [
    'sous fork last/S1 "try it the other way round"',
    "sous fork scout --turns 3",
    'sous fork last "the same, without the database"',
  ],
  async run({ flags, words, remote, say }) {
    onlyAPerson("fork an agent");
    const [id, ...rest] = words;
    const to = await agentOf(remote, "fork", id === undefined ? [] : [id]);
    const prompt = rest.length === 0 ? undefined : promptText(readWords(rest, "words are missing: sous fork ID"));
    return told(
      await remote.fork(to, {
        ...(flags.turns !== undefined && { turns: flags.turns }),
        ...(prompt !== undefined && { prompt }),
      }),
      flags.json,
      say,
    );
  },
});

/** What was done on standard output; why it could not be as an error. */
export function told(done: Steered, json: boolean | undefined, say: (line: string) => void): number {
  if (json) say(plainJson(done));
  else if (done.ok) say(done.said);
  else process.stderr.write(`sous: ${errorLine(done.problem)}\n`);
  return done.ok ? 0 : 1;
}
