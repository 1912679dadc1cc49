// Loads the engine when the first run needs it: importing the library must cost next to nothing.
import manifest from "../../package.json" with { type: "json" };
import type { Embedded } from "../host/embedded.ts";
import type { Host, HostOptions } from "../host/host.ts";
import type { Bringing } from "./embed.ts";
import { mustHaveNode } from "./needs-node.ts";

export type LoadedHost = { readonly host: Host; embed(bringing: Bringing): Embedded };
export type HostLoader = { load(): Promise<LoadedHost>; close(): Promise<void> };

export function createHostLoader(options: Omit<HostOptions, "version" | "embedded">, bringing: Bringing): HostLoader {
  let loaded: Promise<LoadedHost> | undefined;
  return {
    load: () => (loaded ??= load(options, bringing)),
    close: async () => (await loaded?.catch(() => undefined))?.host.close(),
  };
}

async function load(options: Omit<HostOptions, "version" | "embedded">, bringing: Bringing): Promise<LoadedHost> {
  mustHaveNode(process.versions.node);
  const [{ createHost }, { createEmbedding }] = await Promise.all([import("../host/host.ts"), import("./embed.ts")]);
  const embed = createEmbedding();
  return { host: createHost({ ...options, version: manifest.version, embedded: embed(bringing) }), embed };
}
