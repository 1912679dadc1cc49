// The parts of @anthropic-ai/sandbox-runtime that we use, loaded only when a sandbox asks for them: its filtering proxy
// and its profiles for macOS. Its own manager is one for the whole process; these parts have no state of their own.
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { LookupFunction } from "node:net";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const NAME = "@anthropic-ai/sandbox-runtime";
/** These parts are no promise of its authors: another version may have others. */
const VERSION = "0.0.83";

export type SandboxRuntime = {
  createHttpProxyServer(options: ProxyOptions): Server;
  createResolvedAddressGuard(options: { readonly allowedDomains: readonly string[] }): {
    lookupFor(port: number): LookupFunction;
  };
  isValidAllowedDomainEntry(entry: string): boolean;
  matchesDomainPatternWithPort(host: string, port: number, pattern: string): boolean;
  /** As the system will understand it; undefined for what is no host. */
  canonicalizeHost(host: string): string | undefined;
  isValidHost(host: string): boolean;
  /** The proxy that this process itself is told to use. */
  resolveParentProxy(): object | undefined;
  wrapCommandWithSandboxMacOS(options: SeatbeltOptions): string;
};

type ProxyOptions = {
  filter(port: number, host: string, socket: unknown, command?: string, explain?: (reason: string) => void): boolean;
  lookupFor(port: number): LookupFunction;
  readonly parentProxy?: object;
  readonly proxyAuthToken?: string;
};

export type SeatbeltOptions = {
  readonly command: string;
  readonly binShell: string;
  readonly needsNetworkRestriction: boolean;
  readonly httpProxyPort?: number;
  readonly proxyAuthToken?: string;
  readonly readConfig: { readonly denyOnly: readonly string[] };
  readonly writeConfig: { readonly allowOnly: readonly string[]; readonly denyWithinAllow: readonly string[] };
  readonly allowLocalBinding: boolean;
};

/** Why it cannot be used, as the end of "needs …"; undefined when it can. Loads nothing. */
export function sandboxRuntimeProblem(): string | undefined {
  const found = find();
  const install = `install it with npm install ${NAME}@${VERSION} where Sous is installed`;
  if (!found) return `the package ${NAME}: ${install}`;
  return found.version === VERSION ? undefined : `${NAME} ${VERSION}, not ${found.version}: ${install}`;
}

export async function loadSandboxRuntime(): Promise<SandboxRuntime> {
  const found = find();
  if (found?.version !== VERSION) throw new Error(`it needs ${sandboxRuntimeProblem()}`);
  const names = ["http-proxy", "resolved-address-guard", "domain-pattern", "parent-proxy", "macos-sandbox-utils"];
  const urls = names.map((name) => pathToFileURL(join(found.folder, "dist", "sandbox", `${name}.js`)).href);
  const parts = await Promise.all(urls.map((url): Promise<object> => import(url)));
  return Object.assign({}, ...parts) as SandboxRuntime;
}

function find(): { readonly folder: string; readonly version: string } | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${NAME}/package.json`);
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
    return { folder: dirname(manifest), version };
  } catch {
    return undefined;
  }
}
