// Pages for an agent in a sandbox: what its commands may not reach, its tools do not fetch for it.
import { type Network, bothAllow } from "../../core/domains.ts";
import type { Web } from "../../ports/web.ts";

export function boundedWeb(web: Web, network: Network): Web {
  if (network === true) return web;
  const isListed = ({ hostname, port, protocol }: URL): boolean =>
    network !== false && bothAllow([`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`], network) !== false;
  const problem = network === false ? "its sandbox has no network" : `its sandbox reaches only ${network.join(", ")}`;
  return {
    fetch: async (url, signal) => (isListed(url) ? web.fetch(url, signal, isListed) : { ok: false, problem }),
  };
}
