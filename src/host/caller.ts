// Who started this process, and who asks over a socket: a person, or a command that an agent runs. Everything that only
// a person decides is asked here.
import { commandLineOf, lineOf, sharesNamespace, tracesOf } from "../adapters/processes/process-traces.ts";
import { agentDepth, depthIn } from "../core/caller.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How deep the agent stands that started this process; 0 where a person did. */
export const startedAtDepth = (env: Env): number => Math.max(depthIn(env), agentDepth(tracesOf(process.pid)));

/**
 * What a process says of itself so that another can look at it: a word that it alone has as its whole command line. To
 * have it among other words proves nothing: patterns and file names that an agent chooses stand there, too.
 */
export type Credentials = { readonly pid: number; readonly token: string };

const TOKEN = /^sous-[0-9a-f]{8,}$/;

/** Of this process. The word stays in its title, so that requests side by side can all be looked at. */
export function ownCredentials(randomHex: () => string): Credentials {
  if (!TOKEN.test(process.title)) process.title = `sous-${randomHex()}`;
  return { pid: process.pid, token: process.title };
}

/**
 * `agent` also where it cannot be seen from here, as from inside a command's namespace; `unknown` where the system has
 * nothing to look at.
 */
export function whoIs({ pid, token }: Credentials): "person" | "agent" | "unknown" {
  if (process.platform !== "linux") return "unknown";
  const isIt = TOKEN.test(token) && commandLineOf(pid).replace(/\0+$/, "") === token;
  if (!isIt || !sharesNamespace(pid)) return "agent";
  // What an engine started for itself is no person either.
  if (lineOf(pid).slice(1).includes(process.pid)) return "agent";
  return agentDepth(tracesOf(pid)) > 0 ? "agent" : "person";
}
