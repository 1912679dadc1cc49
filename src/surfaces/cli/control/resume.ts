// `sous resume`: goes on with a session, or with one child of it; here, or in the process that has it open.
import { ROOT } from "../../../core/ids.ts";
import { createRemote } from "../../../host/control/remote.ts";
import { promptText } from "../../../host/prompt-text.ts";
import type { FlagTable } from "../flags.ts";
import { readFlags } from "../flags.ts";
import { flagLines } from "../help.ts";
import { onlyAPerson } from "../only-a-person.ts";
import { createOutput } from "../output.ts";
import { readPrompt } from "../prompt.ts";
import { runFlags } from "../run-flags.ts";
import { runWith } from "../run.ts";
import { agentOf, ID_HELP } from "./shared.ts";
import { told } from "./steer.ts";

const { resume: _resume, continue: _continue, ...shared } = runFlags;
const flags = { json: { help: "for programs: as --output json" }, ...shared } as const satisfies FlagTable;
const { json, output: form, help: asked } = flags;

const help = `sous resume ID [PROMPT|-] [flags]: goes on with a session, or with a child that has ended or was stopped

A session that no process has open is run here, as sous run --resume does. A child is told PROMPT and goes on with its
whole history: in the process that has its session open, or here together with its lead, which reads what comes of it.
Here the child's answer is printed (with --json its result), and one line on stderr says how its lead ended.
${ID_HELP}

${flagLines({ json, output: form, help: asked })}
and all other flags of sous run but --resume and --continue: see sous run --help

examples
  sous resume last
  sous resume last "and now the tests" --json
  sous resume last/S1 "look once more"`;

export const resume = {
  flags: flags as FlagTable,
  async start(words: readonly string[], version: string): Promise<number> {
    const { flags: given, rest } = readFlags("resume", flags, words);
    const output = createOutput(1);
    const say = (line: string): void => output.line(line);
    if (given.help) {
      say(help);
      await output.drained();
      return 0;
    }
    const { json: asJson, ...wanted } = given;
    if (asJson) wanted.output ??= "json";
    onlyAPerson("go on with a session");
    const stateDir = given["state-dir"];
    const remote = createRemote({
      env: process.env,
      ...(stateDir !== undefined && { stateDir }),
      ...(given.cwd !== undefined && { cwd: given.cwd }),
    });
    const [id, ...more] = rest;
    const to = await agentOf(remote, "resume", id === undefined ? [] : [id]);
    const prompt = await readPrompt(more, true, (line) => void process.stderr.write(`sous: ${line}\n`));
    const done = await remote.resume(to, prompt === undefined ? undefined : promptText(prompt));
    if (done !== "left") {
      const code = told(done, wanted.output === "json" || wanted.output === "jsonl", say);
      await output.drained();
      return code;
    }
    const known = { prompt, ...(to.path !== ROOT && { named: to.session }) };
    return runWith({ ...wanted, resume: to.tree }, [], version, known);
  },
};
