import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Confinement } from "../../ports/processes.ts";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { confined, lacking } from "./confine.ts";
import { createProcesses } from "./create-processes.ts";
import { findProgram } from "./find-program.ts";
import { needs } from "./processes-test-kit.ts";

async function place() {
  const dir = await tempDir();
  for (const name of ["main", "copy", "other"]) mkdirSync(dir.join(name));
  writeFileSync(dir.join("main", "a.txt"), "main");
  const run = async (command: string, confine: Confinement) => {
    const said: Buffer[] = [];
    const processes = createProcesses({ runMarker: "confined", secretNames: [] });
    const spec = {
      command,
      cwd: dir.join("copy"),
      env: process.env as Record<string, string>,
      timeoutMs: 10_000,
      confine,
    };
    const { code } = await processes.run(spec, (chunk) => void said.push(chunk), new AbortController().signal);
    return { code, output: Buffer.concat(said).toString() };
  };
  return { dir, run, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe("D3: a confined command", () => {
  test("P.Z04: reads the protected folder and cannot change it by any path", async (it) => {
    await needs(it, "bubblewrap");
    await using p = await place();
    const main = p.dir.join("main");
    symlinkSync(main, p.dir.join("copy", "link"));
    const confine = { protect: [main], network: true };
    for (const command of [
      `echo x > ${main}/a.txt`,
      "echo x > link/a.txt",
      "echo x > ../main/a.txt",
      `rm ${main}/a.txt`,
      `mv ${main}/a.txt b.txt`,
      `cd ${main} && touch new`,
      `chmod 777 ${main}/a.txt`,
      `mount -o remount,rw,bind ${main}; umount ${main}; echo x > ${main}/a.txt`,
    ])
      expect((await p.run(command, confine)).code, command).not.toBe(0);
    expect(await p.run(`cat ${main}/a.txt; echo mine > own.txt; cat own.txt`, confine)).toMatchObject({
      code: 0,
      output: "mainmine\n",
    });
    expect(readFileSync(join(main, "a.txt"), "utf8")).toBe("main");
  });

  test("X8: writes only where it may, has a /tmp of its own, and no network", async (it) => {
    await needs(it, "bubblewrap");
    await using p = await place();
    const confine = { write: [p.dir.join("copy")], protect: [], network: false };
    const server = createServer((socket) => void socket.end("reached")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const reach = `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5`;
    expect((await p.run(reach, confine)).output).not.toContain("reached");
    expect((await p.run(reach, { ...confine, network: true })).output).toContain("reached");
    server.close();
    const needed = "current-system|wrappers|opengl-driver|systemd|resolvconf|NetworkManager|connman";
    expect((await p.run(`ls -A /run | grep -vxE '${needed}'`, confine)).output, "services that listen there").toBe("");
    expect((await p.run(`echo x > ${p.dir.join("other")}/f`, confine)).code).not.toBe(0);
    expect((await p.run(`touch "$HOME/sous-was-here"`, confine)).code).not.toBe(0);
    expect(
      await p.run("echo x > /tmp/f && cat /tmp/f > own.txt && cat own.txt && : > /dev/null", confine),
    ).toMatchObject({
      code: 0,
      output: "x\n",
    });
    expect(existsSync("/tmp/f")).toBe(false);
    expect(readFileSync(p.dir.join("copy", "own.txt"), "utf8")).toBe("x\n");
  });

  test("does not run where it cannot be confined, and says what is missing", async () => {
    await using p = await place();
    const processes = createProcesses({
      runMarker: "confined",
      secretNames: [],
      find: (name) => (name === "bwrap" ? undefined : findProgram(name)),
    });
    const spec = {
      command: "touch ran",
      cwd: p.dir.join("copy"),
      env: {},
      timeoutMs: 5_000,
      confine: { protect: [], network: false },
    };
    await expect(processes.run(spec, () => {}, new AbortController().signal)).rejects.toThrow(/needs bubblewrap/);
    const network = ["example.com"];
    const withoutSocat = createProcesses({
      runMarker: "confined",
      secretNames: [],
      find: (name) => (name === "socat" ? undefined : name === "bwrap" ? "/usr/bin/bwrap" : findProgram(name)),
    });
    const some = { ...spec, confine: { ...spec.confine, network } };
    await expect(withoutSocat.run(some, () => {}, new AbortController().signal)).rejects.toThrow(/needs socat/);
    expect(existsSync(p.dir.join("copy", "ran"))).toBe(false);
  });

  test("on macOS is wrapped in a profile that lets it write where it may and reach only its proxy", async () => {
    await using p = await place();
    const command = {
      shell: ["/bin/bash", "-c", "echo 'hi there'"],
      ...{ cwd: p.dir.path, env: { A: "b" }, timeoutMs: 1_000, signal: new AbortController().signal },
      onOutput() {},
      onReady() {},
    };
    const confine = { write: [p.dir.join("copy")], protect: [p.dir.join("main")], network: ["localhost"] };
    const held = await confined(command, { find: findProgram, confine, platform: "darwin" });
    const { shell, env, bounds } = held.command;
    const proxy = new URL(env["HTTPS_PROXY"] ?? "");
    const answer = async (token: string) => {
      const headers = { "proxy-authorization": `Basic ${btoa(`srt:${token}`)}` };
      const asked = request({ port: proxy.port, path: "http://example.com/", headers }).end();
      const [{ statusCode }] = (await once(asked, "response")) as [IncomingMessage];
      return statusCode;
    };
    expect(shell[2]).toMatch(/sandbox-exec -p/);
    const allowed = /\(allow file-write\*[^]*?(?=\n\(|$)/g;
    expect(shell[2]?.match(allowed)?.join()).toContain(confine.write[0]);
    expect(shell[2]).toContain(`localhost:${proxy.port}`);
    expect([env["A"], bounds]).toEqual(["b", undefined]);
    expect([await answer(proxy.password), await answer("guessed")]).toEqual([403, 407]);
    await held.done();
    expect(existsSync(env["TMPDIR"] ?? "")).toBe(false);
    expect(lacking({ find: () => undefined, confine, platform: "darwin" })).toBeUndefined();
  });
});
