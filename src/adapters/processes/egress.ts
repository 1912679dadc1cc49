// The way out of a sandbox that may reach some domains: a proxy of its own in this process, for one command. It decides by
// name, dials only what that name may resolve to, and is gone with the command.
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "./is-running.ts";
import { type SandboxRuntime, loadSandboxRuntime } from "./sandbox-runtime.ts";

export type Egress = {
  /** Of its socket, or its port on this machine. */
  readonly at: { readonly socket: string } | { readonly port: number };
  close(): Promise<void>;
};

/** On a socket in a folder that is ours alone; with a `token`, on a port, for those who know it. */
export async function openEgress(domains: readonly string[], token?: string): Promise<Egress> {
  const server = proxyTo(domains, await loadSandboxRuntime(), token);
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const folder = token === undefined ? await makeFolder() : undefined;
  const socket = folder && join(folder, "proxy");
  const close = async (): Promise<void> => {
    server.close();
    for (const one of sockets) one.destroy();
    if (folder) await rm(folder, { recursive: true, force: true });
  };
  try {
    if (socket === undefined) server.listen(0, "127.0.0.1");
    else server.listen(socket);
    await once(server, "listening");
    return { at: socket === undefined ? { port: (server.address() as AddressInfo).port } : { socket }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const NAME = /^sous-egress-(\d+)-/;

/** Beside those of other commands; what engines that were killed left there is taken away. */
async function makeFolder(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(tmpdir(), name), { recursive: true }).catch(() => {});
  }
  return mkdtemp(join(tmpdir(), `sous-egress-${process.pid}-`));
}

function proxyTo(domains: readonly string[], runtime: SandboxRuntime, token: string | undefined): Server {
  const unclear = domains.find((domain) => !runtime.isValidAllowedDomainEntry(domain));
  if (unclear !== undefined) throw new Error(`"${unclear}" is no domain that a sandbox can be given`);
  const guard = runtime.createResolvedAddressGuard({ allowedDomains: domains });
  const parentProxy = runtime.resolveParentProxy();
  return runtime.createHttpProxyServer({
    filter(port, host, _socket, _command, explain) {
      const name = runtime.isValidHost(host) ? runtime.canonicalizeHost(host) : undefined;
      const isListed = domains.some(
        (domain) => name !== undefined && runtime.matchesDomainPatternWithPort(name, port, domain),
      );
      if (!isListed) explain?.("not among the domains of this sandbox");
      return isListed;
    },
    lookupFor: (port) => guard.lookupFor(port),
    ...(parentProxy && { parentProxy }),
    ...(token !== undefined && { proxyAuthToken: token }),
  });
}

/** What tells programs where the proxy is. A loopback that is not listed is the sandbox's own. */
export function proxyVariables(proxy: string, domains: readonly string[]): Record<string, string> {
  const own = ["localhost", "127.0.0.1", "::1"].filter((name) => !domains.some((domain) => domain.startsWith(name)));
  const named = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: own.join(",") };
  const lower = Object.entries(named).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...named, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: "1" };
}
