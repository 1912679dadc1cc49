// One GET request to an address that may be asked: private ones are refused before a byte is sent. A name is looked up once,
// for the connection itself, and what it came to is judged there: whether or not a proxy is set, and for whom.
import { type LookupAllOptions, type LookupAddress, lookup as systemLookup } from "node:dns";
import type { IncomingMessage, RequestOptions } from "node:http";
import { isIP, type LookupFunction } from "node:net";
import { createAddressCheck } from "./private-addresses.ts";

export type Connect = (url: URL, signal: AbortSignal) => Promise<IncomingMessage>;

export type ConnectOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly allowPrivate?: (host: string) => boolean;
  readonly lookup?: Lookup | undefined;
};

export type Lookup = (
  name: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

const HEADERS = {
  "user-agent": "sous (coding agent)",
  accept: "text/html, text/markdown, text/plain, application/json;q=0.9, */*;q=0.5",
  "accept-encoding": "gzip, deflate, br",
};

export function createConnect(options: ConnectOptions): Connect {
  const isPrivate = createAddressCheck();
  const resolve: Lookup = options.lookup ?? systemLookup;
  const refusal = (host: string): Error =>
    new Error(`${host} is a private address, which no rule allows by name: WebFetch(domain:${host})`);

  // The name of a proxy is looked up here, too; it is the person's own.
  const checked =
    (host: string, free: boolean): LookupFunction =>
    (name, asked, done) =>
      resolve(name, { ...asked, all: true }, (error, found) => {
        if (error) return done(error, "");
        const [first] = found;
        const isJudged = !free && name.toLowerCase() === host;
        if (!first || (isJudged && found.some(({ address }) => isPrivate(address)))) return done(refusal(host), "");
        if (asked.all) return done(null, found);
        done(null, first.address, first.family);
      });

  return async (url, signal) => {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const free = options.allowPrivate?.(url.hostname) ?? false;
    const proxied = proxyOf(options.env, url);
    if (!free && isIP(host) && isPrivate(host)) throw refusal(url.hostname);
    // Where the proxy looks the name up: ask here too, as far as this machine knows it.
    if (!free && proxied && !isIP(host) && (await addresses(resolve, host)).some(isPrivate))
      throw refusal(url.hostname);
    const secure = url.protocol === "https:";
    const { request, Agent } = secure ? await import("node:https") : await import("node:http");
    const agent = new Agent({ keepAlive: false, ...(proxied && { proxyEnv: { ...options.env } }) });
    const asked: RequestOptions = {
      agent,
      signal,
      headers: HEADERS,
      lookup: checked(url.hostname, free),
    };
    return new Promise((done, fail) => {
      request(url, asked).on("response", done).on("error", fail).end();
    });
  };
}

const addresses = (resolve: Lookup, host: string): Promise<readonly string[]> =>
  new Promise((done) =>
    resolve(host, { all: true }, (error, found) => done(error ? [] : found.map((one) => one.address))),
  );

function proxyOf(env: ConnectOptions["env"], url: URL): boolean {
  const names = url.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  return names.some((name) => env?.[name]);
}
