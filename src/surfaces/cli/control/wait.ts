// `sous wait`: until agents have ended; the exit code tells how, as that of `sous run` does.
import type { Address, AgentReport, Remote } from "../../../host/control/remote.ts";
import { exitCodeOf } from "../exit-code.ts";
import { oneLine, plainJson } from "../plain-text.ts";
import { UsageError } from "../usage-error.ts";
import { TOO_LATE } from "./agent-output.ts";
import { command, ID_HELP } from "./shared.ts";

export const wait = command({
  name: "wait",
  flags: {
    all: { help: "until all have ended (this is what happens without --any)" },
    any: { help: "until the first has ended" },
    timeout: { takes: "number", value: "S", help: "at most so many seconds (then exit 3)" },
  },
  help: `sous wait ID… [flags]: until agents have ended, are paused or need a person

${ID_HELP}
exit code: as of sous run for the agent that was waited for; of several, the first that is not 0; 3 when
the time is over`,
  examples: ["sous wait last && echo done", "sous wait last/S1 last/S2 --any --timeout 600", "sous wait last --json"],
  async run({ flags, words, remote, say }) {
    if (words.length === 0) throw new UsageError("sous wait needs at least one agent (see sous ps)");
    if (flags.any && flags.all) throw new UsageError("--any and --all do not go together");
    const addresses = await Promise.all(words.map((word) => remote.find(word)));
    const timeoutMs = flags.timeout === undefined ? undefined : flags.timeout * 1000;
    const inTime = await until(remote, addresses, flags.any ?? false, timeoutMs);
    const reports = await Promise.all(addresses.map((address) => remote.read(address)));
    if (flags.json) say(plainJson(reports.map(({ agent, result }) => ({ ...agent, ...(result && { result }) }))));
    else for (const report of reports) say(reportLine(report));
    if (!inTime) return TOO_LATE;
    return reports.map(codeOf).find((code) => code !== undefined && code !== 0) ?? 0;
  },
});

async function until(
  remote: Remote,
  addresses: readonly Address[],
  any: boolean,
  timeoutMs: number | undefined,
): Promise<boolean> {
  const over = new AbortController();
  const waits = addresses.map((address) => remote.wait(address, timeoutMs, over.signal));
  try {
    return any ? await Promise.race(waits) : (await Promise.all(waits)).every(Boolean);
  } finally {
    over.abort(new Error("over"));
    await Promise.allSettled(waits);
  }
}

/** Undefined while it has not ended. */
function codeOf({ agent, result }: AgentReport): number | undefined {
  if (result) return exitCodeOf(result);
  return { paused: 6, parked: 4, interrupted: 1 }[agent.status];
}

function reportLine({ agent, result }: AgentReport): string {
  const said = result?.error?.message ?? result?.output ?? "";
  return `${agent.id} ${agent.path} ${agent.agent} ${agent.status}${said === "" ? "" : `: ${oneLine(said, 120)}`}`;
}
