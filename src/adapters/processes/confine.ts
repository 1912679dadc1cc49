// Holds a command to a confinement: what that needs on this machine, and the command as it is then run.
import { randomBytes } from "node:crypto";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Confinement } from "../../ports/processes.ts";
import { openEgress, proxyVariables } from "./egress.ts";
import type { FindProgram } from "./find-program.ts";
import type { OwnedCommand } from "./owned-command.ts";
import { realConfinement } from "./spare.ts";
import { loadSandboxRuntime, sandboxRuntimeProblem } from "./sandbox-runtime.ts";

/** A command that is held to it, and what is to be taken away after it. */
export type Confined = { readonly command: OwnedCommand; done(): Promise<void> };

type Wish = { readonly find: FindProgram; readonly confine: Confinement; readonly platform: NodeJS.Platform };

/** What is missing, as the end of "needs …". */
export function lacking({ find, confine, platform }: Wish): string | undefined {
  if (platform === "darwin" && confine.write) return sandboxRuntimeProblem();
  if (!find("bwrap")) return "bubblewrap (bwrap), which is not installed";
  if (typeof confine.network === "boolean") return undefined;
  if (!find("socat")) return "socat, which is not installed, for a list of domains";
  return sandboxRuntimeProblem();
}

export async function confined(command: OwnedCommand, wish: Wish): Promise<Confined> {
  if (wish.platform === "darwin") return bySeatbelt(command, wish.confine);
  const { find } = wish;
  const confine = realConfinement(wish.confine);
  const { network } = confine;
  if (typeof network === "boolean")
    return { command: { ...command, bounds: { ...command.bounds, confine } }, done: async () => {} };
  const { at, close } = await openEgress(network);
  const relay = { socat: find("socat") ?? "socat", port: PORT, socket: "socket" in at ? at.socket : "" };
  const env = { ...command.env, ...proxyVariables(`http://127.0.0.1:${PORT}`, network) };
  return { command: { ...command, env, bounds: { ...command.bounds, confine, relay } }, done: close };
}

/** In a network of the command's own, where nobody else listens. */
const PORT = 3128;

/** macOS has no namespaces: a profile of its own for each command, and a folder for what is temporary. */
async function bySeatbelt(command: OwnedCommand, confine: Confinement): Promise<Confined> {
  const { network, write = [], except = [], protect } = confine;
  const { wrapCommandWithSandboxMacOS } = await loadSandboxRuntime();
  const domains = typeof network === "boolean" ? [] : network;
  const token = randomBytes(16).toString("hex");
  const egress = domains.length > 0 ? await openEgress(domains, token) : undefined;
  const temporary = await mkdtemp(join(tmpdir(), "sous-")).then((path) => realpath(path));
  const done = async (): Promise<void> => {
    await egress?.close();
    await rm(temporary, { recursive: true, force: true });
  };
  try {
    const [shell = "/bin/sh", , text = ""] = command.shell;
    const port = egress && "port" in egress.at ? egress.at.port : undefined;
    const wrapped = wrapCommandWithSandboxMacOS({
      command: text,
      binShell: shell,
      needsNetworkRestriction: network !== true,
      ...(port !== undefined && { httpProxyPort: port, proxyAuthToken: token }),
      readConfig: { denyOnly: [] },
      writeConfig: { allowOnly: [...write, ...except, temporary], denyWithinAllow: protect },
      allowLocalBinding: false,
    });
    const proxy = port === undefined ? {} : proxyVariables(`http://srt:${token}@127.0.0.1:${port}`, domains);
    const env = { ...command.env, ...proxy, TMPDIR: temporary };
    return { command: { ...command, shell: [shell, "-c", wrapped], env }, done };
  } catch (error) {
    await done();
    throw error;
  }
}
