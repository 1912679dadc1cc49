// Commands that may reach some domains only: through real processes, namespaces and servers.
import { once } from "node:events";
import { constants, copyFileSync, readFileSync, readdirSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import type { Confinement } from "../../ports/processes.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { findProgram } from "./find-program.ts";
import { needs, runner, sleeping, uniqueSeconds } from "./processes-test-kit.ts";
import { sandboxRuntimeProblem } from "./sandbox-runtime.ts";

/** Two servers, the first of which leads on to the second. */
async function place() {
  const dir = await tempDir();
  const [allowed, other] = [createServer(), createServer((_, reply) => void reply.end("other reached"))];
  const port = (server: Server): number => (server.address() as AddressInfo).port;
  for (const server of [allowed, other]) await once(server.listen(0, "127.0.0.1"), "listening");
  allowed.on("request", (request, reply) => {
    if (request.url === "/away") reply.writeHead(302, { location: `http://other.localhost:${port(other)}/` }).end();
    else reply.end(`allowed reached as ${request.headers.host}`);
  });
  const ports = { allowed: port(allowed), other: port(other) };
  copyFileSync(process.execPath, dir.join("node"), constants.COPYFILE_FICLONE);
  const confine: Confinement = { write: [dir.path], protect: [], network: [`localhost:${ports.allowed}`] };
  const processes = runner({ secretNames: ["SECRET_KEY"] });
  const run = async (command: string, options: { network?: Confinement["network"]; signal?: AbortSignal } = {}) => {
    const said: Buffer[] = [];
    const { network = confine.network, signal = new AbortController().signal } = options;
    const env = { ...(process.env as Record<string, string>), SECRET_KEY: "hunter2", ALL_PROXY: "http://wrong:1" };
    const spec = { command, cwd: dir.path, env, timeoutMs: 20_000, confine: { ...confine, network } };
    const exit = await processes.run(spec, (chunk) => void said.push(chunk), signal);
    return { ...exit, output: Buffer.concat(said).toString() };
  };
  const close = async (): Promise<void> => {
    for (const server of [allowed, other]) server.close().closeAllConnections();
    await dir[Symbol.asyncDispose]();
  };
  return { dir, ports, run, [Symbol.asyncDispose]: close };
}

/** In the folder that the sandbox has: this checkout may lie where it sees nothing. */
const fetching = (...urls: string[]): string =>
  `./node -e 'for (const url of ${JSON.stringify(urls)}) fetch(url).then(async (a) => console.log(a.status, await a.text()), (e) => console.log("failed", String(e.cause ?? e)))'`;
/** Of this process: others may be at work beside it. */
const leftEgress = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`sous-egress-${process.pid}-`));

test("D3, X8: a listed domain is reached, another and a redirect to it are not, and nothing goes around the proxy", async (it) => {
  await needs(it, "bubblewrap");
  it.skip(!findProgram("socat"), "needs socat");
  await using p = await place();
  const { allowed, other } = p.ports;
  const reached = `allowed reached as localhost:${allowed}`;
  const fetched = await p.run(fetching(`http://localhost:${allowed}/`, `http://localhost:${allowed}/away`));
  expect(fetched.output).toContain(`200 ${reached}`);
  expect(fetched.output).toContain("failed");
  expect(fetched.output).not.toContain("other reached");
  // The proxy by hand, as a program would that does not mean well.
  const unlisted = [`localhost:${other}`, `127.0.0.1:${allowed}`, `x.localhost:${allowed}`, `2130706433:${allowed}`];
  const asked = [`CONNECT localhost:${allowed}`, ...unlisted.flatMap((to) => [`GET http://${to}/`, `CONNECT ${to}`])];
  const asking = (line: string): string =>
    `exec 5<>/dev/tcp/127.0.0.1/3128; printf '${line} HTTP/1.1\\r\\nHost: localhost:${allowed}\\r\\n\\r\\n' >&5; head -c 12 <&5; echo`;
  const answers = (await p.run(asked.map(asking).join("\n"))).output.trimEnd().split("\n");
  expect(answers).toEqual(["HTTP/1.1 200", ...Array<string>(asked.length - 1).fill("HTTP/1.1 403")]);
  const around = `for to in 127.0.0.1/${allowed} 192.0.2.1/80; do (exec 5<>/dev/tcp/$to) && echo open; done`;
  expect((await p.run(around)).output).not.toContain("open");
});

test("D3: each command has its own list, and what it may write is the same as without one", async (it) => {
  await needs(it, "bubblewrap");
  it.skip(!findProgram("socat"), "needs socat");
  await using p = await place();
  const { allowed, other } = p.ports;
  const to = (port: number) => ({ network: [`localhost:${port}`] });
  const [one, two, three] = await Promise.all([
    p.run(fetching(`http://localhost:${allowed}/`), to(allowed)),
    p.run(fetching(`http://localhost:${other}/`), to(other)),
    p.run(fetching(`http://localhost:${other}/`), to(allowed)),
  ]);
  expect([one.output, two.output].join()).toMatch(/allowed reached[^]*other reached/);
  expect(three.output).not.toContain("reached");
  const written = await p.run("echo x > own && cat own && echo y > /tmp/own && touch /sous-was-here");
  expect(written.output).toMatch(/^x\n.*Read-only/);
  expect(written.code).not.toBe(0);
  expect(leftEgress()).toEqual([]);
});

test("P.X01: with a list of domains, too, keys are not seen and ending a command ends everything it started", async (it) => {
  await needs(it, "bubblewrap");
  it.skip(!findProgram("socat"), "needs socat");
  await using p = await place();
  const seen = await p.run("env; cat /proc/*/environ | tr '\\0' '\\n'; ps -e 2>/dev/null || ls /proc");
  expect(seen.output).toContain("SOUS_RUN=run-under-test");
  expect(seen.output).toContain("HTTPS_PROXY=http://127.0.0.1:3128");
  expect(seen.output).not.toMatch(/hunter2|wrong:1/);
  const seconds = uniqueSeconds();
  const ending = new AbortController();
  setTimeout(() => ending.abort(), 700);
  const exit = await p.run(`setsid sleep ${seconds} & sleep ${seconds}`, { signal: ending.signal });
  expect(exit.ended).toBe("aborted");
  expect(sleeping(seconds)).toEqual([]);
  expect(leftEgress()).toEqual([]);
});

test("D3: the package it needs is the one that is asked for when it is missing, and is not loaded before", () => {
  const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { peerDependencies: object };
  expect(sandboxRuntimeProblem()).toBeUndefined();
  const source = readFileSync("src/adapters/processes/sandbox-runtime.ts", "utf8");
  expect(source).toContain(`"${Object.values(peerDependencies)[0] as string}"`);
});
