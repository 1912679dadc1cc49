// Fetches pages over HTTP(S). The address is checked where the connection is made, so that a name cannot point
// elsewhere between question and use; redirects are followed on the same host and port only.
import type { IncomingMessage } from "node:http";
import type { Page, Web } from "../../ports/web.ts";
import { readPage } from "./read-page.ts";
import { type Connect, type ConnectOptions, createConnect } from "./connect.ts";

export type WebOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether this host may be fetched although its address is private. */
  readonly allowPrivate?: (host: string) => boolean;
  readonly timeoutMs?: number;
  /** Names to addresses; left out, as this machine knows them. */
  readonly lookup?: ConnectOptions["lookup"];
  /** The most of a page that is read, unpacked. */
  readonly mostBytes?: number;
};

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 5 * 1024 * 1024;
const MOST_REDIRECTS = 5;

export function createWeb(options: WebOptions = {}): Web {
  const connect = createConnect(options);
  const mostBytes = options.mostBytes ?? MOST_BYTES;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  return {
    async fetch(url, signal, mayFollow = () => true) {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        return await follow(connect, { url, mayFollow, mostBytes }, AbortSignal.any([signal, late]));
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) return { ok: false, problem: `did not answer whole within ${timeoutMs / 1000} s` };
        return { ok: false, problem: networkProblem(error) };
      }
    },
  };
}

type Asked = { readonly url: URL; readonly mostBytes: number; mayFollow(url: URL): boolean };

async function follow(connect: Connect, asked: Asked, signal: AbortSignal): Promise<Page> {
  const { mostBytes } = asked;
  let { url } = asked;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await connect(url, signal);
    const status = answer.statusCode ?? 0;
    const target = status >= 300 && status < 400 ? redirectOf(answer, url) : undefined;
    if (!target) return readPage(answer, url, mostBytes, signal);
    answer.destroy();
    if (!isSamePlace(asked.url, target) || !asked.mayFollow(target))
      return { ok: false, elsewhere: target.href, status };
    url = target;
  }
  return { ok: false, problem: `redirected more than ${MOST_REDIRECTS} times` };
}

/** Another port is another service; the secure one of the same host is not. */
function isSamePlace(one: URL, other: URL): boolean {
  const isUpgrade = one.protocol === "http:" && one.port === "" && other.protocol === "https:" && other.port === "";
  return one.hostname === other.hostname && (one.origin === other.origin || isUpgrade);
}

const redirectOf = (answer: IncomingMessage, url: URL): URL | undefined =>
  answer.headers.location && URL.canParse(answer.headers.location, url.href)
    ? withoutUser(new URL(answer.headers.location, url))
    : undefined;

/** A server does not choose whom we say we are. */
const withoutUser = (url: URL): URL => Object.assign(url, { username: "", password: "" });

function networkProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "its host name is not known";
  if (code === "ECONNREFUSED") return "its host refused the connection";
  if (code === "ECONNRESET" || code === "EPIPE") return "its host cut the connection";
  return `could not be fetched: ${message}`;
}
