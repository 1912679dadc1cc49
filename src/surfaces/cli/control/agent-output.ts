// `sous output`: what an agent has said and done so far, or its result.
import type { AgentReport } from "../../../host/control/remote.ts";
import { messageText } from "../message-text.ts";
import { plainJson, plainText } from "../plain-text.ts";
import { agentOf, command, ID_HELP } from "./shared.ts";

/** The wait's own limit was reached, as `sous run` says it of a limit. */
export const TOO_LATE = 3;

export const agentOutput = command({
  name: "output",
  flags: {
    block: { help: "wait for its end" },
    timeout: { takes: "number", value: "S", help: "with --block: at most so many seconds (then exit 3)" },
  },
  help: `sous output ID [flags]: an agent's result, or its conversation so far

${ID_HELP}`,
  examples: [
    "sous output last",
    "sous output last/S1 --block --timeout 60",
    "sous output scout --json | jq -r .status",
  ],
  async run({ flags, words, remote, say }) {
    const address = await agentOf(remote, "output", words);
    const timeoutMs = flags.timeout === undefined ? undefined : flags.timeout * 1000;
    const inTime = flags.block ? await remote.wait(address, timeoutMs, new AbortController().signal) : true;
    const report = await remote.read(address);
    if (flags.json) say(plainJson(toJson(report)));
    else if (report.result) say(plainText(report.result.output || resultWords(report)));
    else {
      for (const message of report.messages) say(`${messageText(message)}\n`);
      const { status, waitsFor } = report.agent;
      say(`(${status}${waitsFor ? `, waits for ${waitsFor.for}` : ""})`);
    }
    return inTime ? 0 : TOO_LATE;
  },
});

const toJson = ({ agent, messages, result }: AgentReport) => ({ ...agent, messages, ...(result && { result }) });

const resultWords = ({ result }: AgentReport): string =>
  `(${result?.status ?? ""}${result?.error ? `: ${result.error.message}` : ""})`;
