// Fetches pages over HTTP(S). The address is checked where the connection is made, so that a name cannot point
// elsewhere between question and use; redirects are followed on the same host only.
import type { IncomingMessage } from "node:http";
import type { Page, Web } from "../../ports/web.ts";
import { readPage } from "./read-page.ts";
import { type Connect, createConnect } from "./connect.ts";

export type WebOptions = {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether this host may be fetched although its address is private. */
  readonly allowPrivate?: (host: string) => boolean;
  readonly timeoutMs?: number;
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
    async fetch(url, signal) {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        return await follow(connect, url, mostBytes, AbortSignal.any([signal, late]));
      } catch (error) {
        signal.throwIfAborted();
        if (late.aborted) return { ok: false, problem: `did not answer whole within ${timeoutMs / 1000} s` };
        return { ok: false, problem: networkProblem(error) };
      }
    },
  };
}

async function follow(connect: Connect, first: URL, mostBytes: number, signal: AbortSignal): Promise<Page> {
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await connect(url, signal);
    const status = answer.statusCode ?? 0;
    const target = status >= 300 && status < 400 ? redirectOf(answer, url) : undefined;
    if (!target) return readPage(answer, url, mostBytes, signal);
    answer.destroy();
    if (target.hostname !== first.hostname || !/^https?:$/.test(target.protocol))
      return { ok: false, elsewhere: target.href, status };
    url = target;
  }
  return { ok: false, problem: `redirected more than ${MOST_REDIRECTS} times` };
}

const redirectOf = (answer: IncomingMessage, url: URL): URL | undefined =>
  answer.headers.location && URL.canParse(answer.headers.location, url.href)
    ? new URL(answer.headers.location, url)
    : undefined;

function networkProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "its host name is not known";
  if (code === "ECONNREFUSED") return "its host refused the connection";
  if (code === "ECONNRESET" || code === "EPIPE") return "its host cut the connection";
  return `could not be fetched: ${message}`;
}
