import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ModelFault } from "../../core/model-fault.ts";
import { createHttp, type Http, type HttpOptions, type HttpReply } from "./http.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(handler: Handler): Promise<{ url: URL; server: Server }> {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x`), server };
}

function client(options: HttpOptions = {}): Http {
  const http = createHttp(options);
  onTestFinished(() => http.close());
  return http;
}

const never = (): AbortSignal => new AbortController().signal;
const post = (http: Http, url: URL, body: string | Buffer[] = "{}", signal = never()): Promise<HttpReply> =>
  http.post({ url, headers: { "x-api-key": "k" }, body, signal });

async function all(reply: HttpReply): Promise<string> {
  const parts: Buffer[] = [];
  for (let batch = await reply.read(); batch; batch = await reply.read()) parts.push(...batch);
  return Buffer.concat(parts).toString();
}

async function faultOf(work: Promise<unknown>): Promise<ModelFault["fault"]> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (error instanceof ModelFault) return error.fault;
  throw new Error(`expected a fault, got ${String(error)}`);
}

test("a body goes out with its length, and many requests share one connection", async () => {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const { url } = await serve(async (request, response) => {
    sockets.add(request.socket);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    seen.push(`${request.method} ${request.headers["content-length"]} ${Buffer.concat(parts).toString()}`);
    response.end("fine");
  });
  const http = client();
  expect(await all(await post(http, url, '{"ä":1}'))).toBe("fine");
  expect(await all(await post(http, url, [Buffer.from("{"), Buffer.from("}")]))).toBe("fine");
  expect(seen).toEqual(['POST 8 {"ä":1}', "POST 2 {}"]);
  expect(sockets.size).toBe(1);
});

test("a kept connection that the server has closed is replaced without anyone noticing", async () => {
  // Answers each connection once; closes it only when the next request is already on its way.
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      socket.once("data", () => socket.resetAndDestroy());
    });
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const http = client();
  await Promise.all([1, 2, 3].map(async () => expect(await all(await post(http, url))).toBe("ok")));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await all(await post(http, url))).toBe("ok");
  expect(connections).toBe(4);
});

test("a fresh connection that is reset is a fault, not tried again", async () => {
  let count = 0;
  const { url } = await serve((request) => {
    count += 1;
    request.socket.resetAndDestroy();
  });
  expect(await faultOf(post(client(), url))).toMatchObject({ code: "network", message: expect.stringMatching(/cut/) });
  expect(count).toBe(1);
});

test("nobody listening, and no such host, are network faults that say so", async () => {
  const { url, server } = await serve(() => {});
  server.close();
  await once(server, "close");
  expect(await faultOf(post(client(), url))).toMatchObject({
    code: "network",
    message: `${url.host}: nothing listens at this address (ECONNREFUSED)`,
  });
  const nowhere = await faultOf(post(client(), new URL("http://no-such-host.invalid/")));
  expect(nowhere.message).toMatch(/no-such-host\.invalid: .*(ENOTFOUND|EAI_AGAIN)/);
});

test("a body that is cut in the middle is a network fault", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200);
    response.write("half", () => response.socket?.destroy());
  });
  expect(await faultOf(post(client(), url).then(all))).toMatchObject({ code: "network" });
});

test("P.X03: a redirect is a fault, and its target never hears of us", async () => {
  let asked = 0;
  const other = await serve((_request, response) => {
    asked += 1;
    response.end();
  });
  const { url } = await serve((_request, response) => {
    response.writeHead(302, { location: `${other.url}?secret=1` }).end();
  });
  const fault = await faultOf(post(client(), url));
  expect(fault).toMatchObject({ code: "redirect", status: 302 });
  expect(fault.message).toContain(other.url.host);
  expect(fault.message).not.toContain("secret");
  expect(asked).toBe(0);
});

test("P.L07: a body over the limit is refused with its size, before anything is sent", async () => {
  let asked = 0;
  const { url } = await serve(() => void (asked += 1));
  const fault = await faultOf(post(client(), url, [Buffer.alloc(33 * 1024 * 1024)]));
  expect(fault).toMatchObject({ code: "too-large" });
  expect(fault.message).toContain("33.0 MB");
  expect(asked).toBe(0);
});

test("an abort ends a request that waits, at once and with its reason", async () => {
  const stop = new AbortController();
  let gone = false;
  let at = 0;
  const { url } = await serve((request) => {
    request.on("close", () => (gone = true));
    at = performance.now();
    stop.abort("stop it");
  });
  await expect(post(client(), url, "{}", stop.signal)).rejects.toBe("stop it");
  expect(performance.now() - at).toBeLessThan(400);
  await expect.poll(() => gone).toBe(true);
});

test("an abort ends a body that waits, at once and with its reason", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200);
    response.write("a");
  });
  const stop = new AbortController();
  const reply = await post(client(), url, "{}", stop.signal);
  await reply.read();
  const rest = reply.read();
  stop.abort("stop it");
  await expect(rest).rejects.toBe("stop it");
  await expect(reply.read()).rejects.toBe("stop it");
});

test("a signal that is aborted already sends nothing", async () => {
  let asked = 0;
  const { url } = await serve(() => void (asked += 1));
  await expect(post(client(), url, "{}", AbortSignal.abort("before"))).rejects.toBe("before");
  expect(asked).toBe(0);
});

test("an encoded body is decoded, piece by piece, though we never ask for one", async () => {
  const { url } = await serve((request, response) => {
    expect(request.headers["accept-encoding"]).toBeUndefined();
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("data: unpacked\n\n"));
  });
  expect(await all(await post(client(), url))).toBe("data: unpacked\n\n");
});

test("an encoded body that is cut is a network fault", async () => {
  const packed = gzipSync(Buffer.from(Array.from({ length: 20_000 }, () => Math.random() * 256)));
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { "content-encoding": "gzip" });
    response.write(packed.subarray(0, 9000), () => setTimeout(() => response.socket?.destroy(), 20));
  });
  expect(await faultOf(post(client(), url).then(all))).toMatchObject({ code: "network" });
});

test("P.U02: the text of an error is bounded, also when it unpacks to a thousand times its size", async () => {
  const packed = gzipSync(Buffer.alloc(1024 * 1024, "a"));
  const bomb = Buffer.concat(Array.from({ length: 400 }, () => packed));
  const { url } = await serve((_request, response) => {
    response.writeHead(500, { "content-encoding": "gzip" }).end(bomb);
  });
  const before = process.memoryUsage().rss;
  const reply = await post(client(), url);
  expect((await reply.text(1000, 1000)).length).toBe(1000);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test("the text of an error that never ends is what came in time", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(500);
    response.write("so far");
  });
  const reply = await post(client(), url);
  expect(await reply.text(1000, 100)).toBe("so far");
});

test("a proxy from the environment is used, but not for hosts in NO_PROXY", async () => {
  const proxied: string[] = [];
  const proxy = await serve((request, response) => {
    proxied.push(request.url ?? "");
    response.end("from the proxy");
  });
  const { url } = await serve((_request, response) => void response.end("direct"));
  const env = { HTTP_PROXY: proxy.url.origin };
  expect(await all(await post(client({ env }), new URL("http://models.example/v1")))).toBe("from the proxy");
  expect(proxied).toEqual(["http://models.example/v1"]);
  expect(await all(await post(client({ env: { ...env, NO_PROXY: "127.0.0.1" } }), url))).toBe("direct");
});

test("a reader that is slow holds the sender back", async () => {
  let written = 0;
  const { url } = await serve((_request, response) => {
    const more = (): void => {
      while (written < 64 * 1024 * 1024 && !response.destroyed) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return void response.once("drain", more);
      }
    };
    more();
  });
  const reply = await post(client(), url);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(written).toBeLessThan(32 * 1024 * 1024);
  reply.drop();
});

test("a connection that is not used for a while is given up", async () => {
  const { url, server } = await serve((_request, response) => void response.end("ok"));
  await all(await post(client({ idleMs: 500 }), url));
  const open = (): Promise<number> => new Promise((resolve) => server.getConnections((_error, n) => resolve(n)));
  expect(await open()).toBe(1);
  await expect.poll(open, { timeout: 5000 }).toBe(0);
});

test("closing ends the idle connections", async () => {
  const { url, server } = await serve((_request, response) => void response.end("ok"));
  const http = createHttp();
  await all(await post(http, url));
  http.close();
  await expect
    .poll(() => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))))
    .toBe(0);
});

test("the client is light: nothing of undici is loaded for it", () => {
  const script = `await import(${JSON.stringify(new URL("./http.ts", import.meta.url).href)});
    console.log(process.moduleLoadList.filter((name) => name.includes("undici/undici")).length);`;
  expect(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" })).toBe("0\n");
});
