// The host and the session that the flags of `sous run` and `sous --plain` name.
import type { SessionId } from "../../core/ids.ts";
import { type Host, createHost } from "../../host/host.ts";
import { findSession, namesSession } from "../../host/session-store.ts";
import type { Flags } from "./flags.ts";
import type { plainFlags } from "./run-flags.ts";
import { UsageError } from "./usage-error.ts";
import { onlyAPerson } from "./only-a-person.ts";

export type OpenHost = {
  readonly host: Host;
  readonly cwd: string;
  readonly resume: SessionId | undefined;
  /** The one of the resumed tree that was named, where that is not its lead. */
  readonly child?: SessionId;
};

export async function openHost(flags: Flags<typeof plainFlags>, version: string): Promise<OpenHost> {
  const host = createHost({
    env: { ...process.env },
    version,
    ...(flags["state-dir"] && { stateDir: flags["state-dir"] }),
    ...(flags.config && { configFile: flags.config }),
  });
  host.hideKeys(process.env);
  const cwd = flags.cwd ?? process.cwd();
  if (flags.trust) onlyAPerson("trust a folder");
  if (flags.continue || flags.resume !== undefined) onlyAPerson("go on with a session");
  if (flags.continue && flags.resume !== undefined) throw new UsageError("--continue and --resume do not go together");
  const wanted = flags.resume ?? (flags.continue ? "last" : undefined);
  if (wanted === undefined) return { host, cwd, resume: undefined };
  const { scopeOf } = await import("../../host/project-scope.ts");
  const scope = await scopeOf(cwd, process.env);
  if (namesSession(host.stateDir, wanted))
    return { host, cwd, resume: await findSession(host.stateDir, wanted, scope) };
  const { findAddress } = await import("../../host/control/find-address.ts");
  const { tree, session } = await findAddress(host.stateDir, wanted, scope);
  return { host, cwd, resume: tree, ...(session !== tree && { child: session }) };
}
