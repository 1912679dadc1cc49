// Where a fetch really connects to: real servers on this machine, and names that come to other addresses each time.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchUrl } from "../../core/fetch-url.ts";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import type { Lookup } from "./connect.ts";
import { createWeb } from "./create-web.ts";

const signal = new AbortController().signal;

async function server(listener: RequestListener) {
  let hits = 0;
  const http = createServer((request, response) => (hits++, listener(request, response))).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  onTestFinished(() => void (http.closeAllConnections(), http.close()));
  return { port: (http.address() as AddressInfo).port, hits: () => hits };
}
const secret: RequestListener = (_, response) =>
  void response.writeHead(200, { "content-type": "text/plain" }).end("secret");

/** A name that is public when it is first asked for, and leads to this machine then: or the other way round. */
function names(answers: readonly string[]): { lookup: Lookup; asked: () => number } {
  let asked = 0;
  const lookup: Lookup = (_name, _options, done) => {
    const address = answers[Math.min(asked++, answers.length - 1)]!;
    queueMicrotask(() => done(null, [{ address, family: address.includes(":") ? 6 : 4 }]));
  };
  return { lookup, asked: () => asked };
}

describe("P.I05: a name that comes to another address the second time", () => {
  const seeds = Array.from({ length: process.env["SOAK"] ? 300 : 40 }, (_, n) => n + 1);
  test.each(seeds)("seed %i: leads to no private address, with and without a proxy and NO_PROXY", async (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random.next() * all.length)]!;
    const inner = await server(secret);
    const proxy = await server((_, response) => void response.writeHead(502).end());
    const answers = Array.from({ length: 4 }, () => pick(["203.0.114.7", "127.0.0.1", "::ffff:127.0.0.1", "::1"]));
    const { lookup } = names(answers);
    const no = pick([
      undefined,
      "rebind.test",
      ".test",
      "*",
      "other.test",
      "rebind.test,127.0.0.1",
      `rebind.test:${inner.port}`,
    ]);
    const proxied = pick([undefined, `http://127.0.0.1:${proxy.port}`]);
    const name = pick(["HTTP_PROXY", "http_proxy"]);
    const env = { ...(proxied && { [name]: proxied }), ...(no && { [pick(["NO_PROXY", "no_proxy"])]: no }) };
    const url = fetchUrl(`http://${pick(["rebind.test", "REBIND.test", "rebind.test."])}:${inner.port}/`)!;
    const page = await createWeb({ env, lookup, timeoutMs: 150 }).fetch(url, signal);
    expect(inner.hits(), JSON.stringify({ answers, env })).toBe(0);
    expect(JSON.stringify(page)).not.toContain("secret");
  });

  test("leads nowhere where a proxy is set that NO_PROXY leaves out for it", async () => {
    const inner = await server(secret);
    const { lookup } = names(["203.0.114.7", "127.0.0.1"]);
    const env = { HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "rebind.test" };
    const page = await createWeb({ env, lookup, timeoutMs: 300 }).fetch(
      new URL(`http://rebind.test:${inner.port}/`),
      signal,
    );
    expect(page).toMatchObject({ ok: false, problem: expect.stringContaining("is a private address") });
    expect(inner.hits()).toBe(0);
  });

  test("it is looked up once for a direct connection, and that address is used", async () => {
    const inner = await server(secret);
    const { lookup, asked } = names(["127.0.0.1"]);
    const web = createWeb({ lookup, allowPrivate: (host) => host === "mine.test" });
    expect(await web.fetch(new URL(`http://mine.test:${inner.port}/`), signal)).toMatchObject({
      ok: true,
      text: "secret",
    });
    expect(asked()).toBe(1);
  });
});

describe("P.I05: a redirect", () => {
  test.each([
    ["to another port of the same host", (port: number) => `http://127.0.0.1:${port}/`],
    ["to the same place by another name", (port: number) => `http://localhost:${port}/`],
    ["to a user of another port", (port: number) => `http://127.0.0.1@localhost:${port}/`],
    ["to another scheme", (port: number) => `https://127.0.0.1:${port}/`],
  ])("%s is told, not followed", async (_, to) => {
    const other = await server(secret);
    const first = await server(
      (_request, response) => void response.writeHead(302, { location: to(other.port) }).end(),
    );
    const page = await createWeb({ allowPrivate: () => true }).fetch(
      new URL(`http://127.0.0.1:${first.port}/`),
      signal,
    );
    expect(page).toMatchObject({ ok: false, status: 302, elsewhere: expect.any(String) });
    expect(other.hits()).toBe(0);
  });

  test("to what the caller does not let it follow is told", async () => {
    const first = await server((_, response) => void response.writeHead(302, { location: "/next" }).end());
    const web = createWeb({ allowPrivate: () => true });
    const page = await web.fetch(
      new URL(`http://127.0.0.1:${first.port}/`),
      signal,
      ({ pathname }) => pathname === "/",
    );
    expect(page).toMatchObject({ ok: false, elsewhere: expect.stringContaining("/next") });
    expect(first.hits()).toBe(1);
  });
});
