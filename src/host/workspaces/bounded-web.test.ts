import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createWeb } from "../../adapters/web/create-web.ts";
import { boundedWeb } from "./bounded-web.ts";

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

test("P.I05: a redirect in a sandbox stays with the HOST:PORT that it lists", async () => {
  const other = await server(secret);
  const first = await server((request, response) =>
    request.url === "/"
      ? void response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end()
      : secret(request, response),
  );
  const web = boundedWeb(createWeb({ allowPrivate: () => true }), [`127.0.0.1:${first.port}`]);
  expect(await web.fetch(new URL(`http://127.0.0.1:${first.port}/`), signal)).toMatchObject({ ok: false });
  expect(await web.fetch(new URL(`http://127.0.0.1:${first.port}/page`), signal)).toMatchObject({ ok: true });
  expect(await web.fetch(new URL(`http://127.0.0.1:${other.port}/`), signal)).toMatchObject({ ok: false });
  expect(other.hits()).toBe(0);
});
