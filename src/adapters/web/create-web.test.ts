// Pages from a real server: what is shown, what is bounded, and where a fetch may not go.
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { measured } from "../../../test/loop-lag.ts";
import { createWeb, type WebOptions } from "./create-web.ts";
import { createAddressCheck } from "./private-addresses.ts";

const signal = new AbortController().signal;

async function server(listener: RequestListener) {
  const http = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  onTestFinished(() => void (http.closeAllConnections(), http.close()));
  const { port } = http.address() as AddressInfo;
  const web = (options: WebOptions = {}) => createWeb({ allowPrivate: () => true, ...options });
  const get = (path = "/", options: WebOptions = {}) =>
    web(options).fetch(new URL(`http://127.0.0.1:${port}${path}`), signal);
  return { port, get };
}

const answers =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  (_: unknown, response: ServerResponse): void =>
    void response.writeHead(200, { "content-type": type, ...headers }).end(body);

describe("a page", () => {
  test.each([
    ["plain text", "text/plain", "hello <b>", "hello <b>"],
    ["JSON", "application/json; charset=utf-8", '{"a":1}', '{"a":1}'],
    ["HTML", "text/html", "<title>T</title><h1>Head</h1><p>Some <b>bold</b> text</p>", "T\n\n# Head\n\nSome bold text"],
    ["another encoding", "text/plain; charset=iso-8859-1", Buffer.from([0xe9, 0x74, 0xe9]), "été"],
  ])("as %s", async (_, type, body, text) => {
    const { get } = await server(answers(type, body));
    expect(await get()).toMatchObject({ ok: true, status: 200, text, cut: false });
  });

  test.each([
    ["gzip", gzipSync("packed")],
    ["br", brotliCompressSync("packed")],
  ])("packed with %s", async (encoding, body) => {
    const { get } = await server(answers("text/plain", body, { "content-encoding": encoding }));
    expect(await get()).toMatchObject({ ok: true, text: "packed" });
  });

  test("an error keeps its status and what it says", async () => {
    const { get } = await server(
      (_, response) => void response.writeHead(404, { "content-type": "text/plain" }).end("not here"),
    );
    expect(await get()).toMatchObject({ ok: true, status: 404, text: "not here" });
  });

  test("what is not text is refused by its type", async () => {
    const { get } = await server(answers("application/octet-stream", "\0\0"));
    expect(await get()).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/is application\/octet-stream, not text/),
    });
  });
});

describe("bounds", () => {
  test("P.U02: a gzip bomb is unpacked to its limit and no further, and holds nobody up", async () => {
    const bomb = gzipSync(Buffer.alloc(150 * 1024 * 1024, "<p>some words "));
    const { get } = await server(answers("text/html", bomb, { "content-encoding": "gzip" }));
    const before = process.memoryUsage().rss;
    const { value: page, lagMs } = await measured(() => get());
    expect(lagMs).toBeLessThan(100);
    expect(page).toMatchObject({ ok: true, cut: true });
    expect(page.ok && page.text.length).toBeLessThan(5 * 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  test("an endless page is cut at its limit", async () => {
    const { get } = await server((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = (): void => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", more);
      };
      more();
    });
    const page = await get("/", { mostBytes: 100_000 });
    expect(page).toMatchObject({ ok: true, cut: true });
    expect(page.ok && page.text.length).toBe(100_000);
  });

  test.each([
    ["a server that never answers", () => {}],
    [
      "a page that drips",
      (_: unknown, response: ServerResponse) =>
        void response.writeHead(200, { "content-type": "text/plain" }).write("x"),
    ],
  ])("%s ends at the time limit", async (_, listener) => {
    const { get } = await server(listener as RequestListener);
    const { value, ms } = await measured(() => get("/", { timeoutMs: 300 }));
    expect(value).toMatchObject({ ok: false, problem: expect.stringMatching(/within 0.3 s/) });
    expect(ms).toBeLessThan(1_300);
  });

  test("a cut connection and a closed port are told", async () => {
    const { get } = await server((request) => void request.socket.destroy());
    expect(await get()).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/cut the connection|could not be fetched/),
    });
    const gone = createWeb({ allowPrivate: () => true }).fetch(new URL("http://127.0.0.1:1/"), signal);
    expect(await gone).toMatchObject({ ok: false, problem: expect.stringMatching(/refused the connection/) });
  });

  test("is ended by its signal", async () => {
    const { port } = await server(() => {});
    const stop = new AbortController();
    const page = createWeb({ allowPrivate: () => true }).fetch(new URL(`http://127.0.0.1:${port}/`), stop.signal);
    stop.abort(new Error("stopped"));
    await expect(page).rejects.toThrow("stopped");
  });
});

describe("redirects", () => {
  test("are followed on the same host, told for another one, and end somewhere", async () => {
    const { port, get } = await server((request, response) => {
      const to = {
        "/a": "/b",
        "/b": `http://127.0.0.1:${port}/c`,
        "/out": "http://example.com/x",
        "/file": "file:///etc/passwd",
        "/round": "/round",
      }[request.url ?? ""];
      if (to) response.writeHead(302, { location: to }).end();
      else response.writeHead(200, { "content-type": "text/plain" }).end("here");
    });
    expect(await get("/a")).toMatchObject({ ok: true, text: "here", url: `http://127.0.0.1:${port}/c` });
    expect(await get("/out")).toEqual({ ok: false, elsewhere: "http://example.com/x", status: 302 });
    expect(await get("/file")).toEqual({ ok: false, elsewhere: "file:///etc/passwd", status: 302 });
    expect(await get("/round")).toMatchObject({ ok: false, problem: expect.stringMatching(/more than 5 times/) });
  });
});

describe("private addresses", () => {
  test.each([
    "http://127.0.0.1:PORT/",
    "http://localhost:PORT/",
    "http://127.1:PORT/",
    "http://2130706433:PORT/",
    "http://0x7f000001:PORT/",
    "http://0177.0.0.1:PORT/",
    "http://[::1]:PORT/",
    "http://[::ffff:127.0.0.1]:PORT/",
    "http://0.0.0.0:PORT/",
    "http://[::]:PORT/",
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://[fd00::1]/",
    "http://[64:ff9b::7f00:1]/",
  ])("%s is not fetched", async (url) => {
    let asked = 0;
    const { port } = await server((_, response) => void (asked++, response.end("secret")));
    const page = await createWeb().fetch(new URL(url.replace("PORT", String(port))), signal);
    expect(page).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/is a private address.*WebFetch\(domain:/),
    });
    expect(asked).toBe(0);
  });

  test("a host that is allowed by name is fetched, and only that one", async () => {
    const { port } = await server(answers("text/plain", "mine"));
    const web = createWeb({ allowPrivate: (host) => host === "localhost" });
    expect(await web.fetch(new URL(`http://localhost:${port}/`), signal)).toMatchObject({ ok: true, text: "mine" });
    expect(await web.fetch(new URL(`http://127.0.0.1:${port}/`), signal)).toMatchObject({ ok: false });
  });

  test("public addresses are none", () => {
    const isPrivate = createAddressCheck();
    for (const address of [
      "8.8.8.8",
      "93.184.216.34",
      "2606:2800:220:1:248:1893:25c8:1946",
      "172.32.0.1",
      "100.128.0.1",
    ])
      expect(isPrivate(address), address).toBe(false);
    for (const address of [
      "172.31.255.255",
      "100.64.0.1",
      "::ffff:10.0.0.1",
      "::127.0.0.1",
      "2002:7f00:1::",
      "no address",
    ])
      expect(isPrivate(address), address).toBe(true);
  });
});
