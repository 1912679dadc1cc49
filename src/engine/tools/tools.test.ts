// The other tools: pictures in Read, the background of Bash, the list of steps, and what all of them cost in a request.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "../../core/messages.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { waitFor } from "../../testing/memory/wait-for.ts";
import { processesWith } from "../../../test/e2e-kit.ts";
import { toolWorld } from "../../../test/tool-world.ts";
import { standardTools } from "./standard-tools.ts";

test("the tools have Claude Code's names, and their specs stay small", () => {
  expect(standardTools.map((tool) => tool.name).sort()).toEqual([
    "Bash",
    "BashOutput",
    "Edit",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "Read",
    "TodoWrite",
    "WebFetch",
    "Write",
  ]);
  const specs = standardTools.map(({ name, description, schema }) => ({ name, description, schema }));
  expect(JSON.stringify(specs).length).toBeLessThan(7_000);
});

test("only what changes nothing is repeatable after a crash", () => {
  const repeatable = standardTools.filter((tool) => tool.repeatable).map((tool) => tool.name);
  expect(repeatable.sort()).toEqual(["Glob", "Grep", "LS", "Read", "TodoWrite", "WebFetch"]);
});

describe("Read", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
    "base64",
  );

  test.each([
    ["a.png", png, "image/png"],
    ["b.JPG", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "image/jpeg"],
    ["c.gif", Buffer.from("GIF89a1234"), "image/gif"],
    ["d.webp", Buffer.from("RIFF\n\0\0\0WEBPVP8 ", "latin1"), "image/webp"],
    // What it is decides, not its name.
    ["e.jpg", png, "image/png"],
  ])("shows %s to the model", async (name, bytes, mediaType) => {
    const w = await toolWorld();
    writeFileSync(w.join(name), bytes);
    const outcome = await w.call("Read", { file_path: name });
    expect(outcome.said.at(-1)).toEqual({ type: "image", mediaType, data: bytes.toString("base64") });
    expect(outcome.facts).toEqual({ read: { path: w.join(name) } });
  });

  test.each([
    ["big.png", Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]), /larger than 3.75 MB/],
    ["text.png", Buffer.from("hello"), /is not a picture or PDF/],
    ["bin", Buffer.from("a\0b"), /is not a text file/],
  ])("says why %s cannot be shown", async (name, bytes, words) => {
    const w = await toolWorld();
    writeFileSync(w.join(name), bytes);
    expect(await w.failed("Read", { file_path: name })).toMatch(words);
  });

  test("begins and ends where it is told, also in a file that is too large to be held", async () => {
    const w = await toolWorld();
    writeFileSync(w.join("big.txt"), Array.from({ length: 800_000 }, (_, n) => `line ${n + 1}\n`).join(""));
    expect(await w.said("Read", { file_path: "big.txt", offset: 700_001, limit: 2 })).toBe(
      "700001\tline 700001\n700002\tline 700002\n[more lines follow: read on with offset 700003]",
    );
  });
});

describe("LS", () => {
  test("names folders, leaves out what is ignored, says when there is nothing", async () => {
    const w = await toolWorld();
    await w.said("Write", { file_path: "sub/a.txt", content: "" });
    await w.said("Write", { file_path: "b.log", content: "" });
    await w.said("Write", { file_path: "c.ts", content: "" });
    expect(await w.said("LS", { path: "." })).toBe("b.log\nc.ts\nsub/");
    expect(await w.said("LS", { path: w.dir.path, ignore: ["*.log", "s?b"] })).toBe("c.ts");
    expect(await w.said("LS", { path: "sub", ignore: ["*"] })).toBe("[the folder is empty]");
    expect(await w.failed("LS", { path: "none" })).toMatch(/does not exist/);
  });
});

test("TodoWrite counts the steps", async () => {
  const w = await toolWorld();
  const todos = [
    { content: "look", status: "completed", activeForm: "Looking" },
    { content: "do", status: "in_progress" },
    { content: "test", status: "pending" },
  ];
  expect(await w.said("TodoWrite", { todos })).toBe("3 steps: 1 completed, 1 in progress, 1 pending");
});

describe("Bash in the background", () => {
  test("returns at once, tells new output each time, and its end once", async () => {
    const w = await toolWorld();
    const started = await w.call("Bash", {
      command: "echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; exit 3",
      run_in_background: true,
    });
    expect(textOf(started.said)).toMatch(/background as bash_1/);
    expect(started.facts).toMatchObject({ command: { exitCode: null, shell: "bash_1" } });
    const first = await waitFor(async () => {
      const said = await w.said("BashOutput", { bash_id: "bash_1" });
      return said.includes("one") && said;
    });
    expect(first).toBe("one\n[still running]");
    expect(await w.said("BashOutput", { bash_id: "bash_1" })).toBe("[still running]");
    writeFileSync(w.join("go"), "");
    let all = "";
    const ended = await waitFor(async () => {
      const outcome = await w.call("BashOutput", { bash_id: "bash_1" });
      all += textOf(outcome.said);
      return outcome.facts && outcome;
    });
    expect(all.replaceAll("[still running]", "")).toBe("two\n[exit code 3]");
    expect(ended.facts).toMatchObject({ command: { exitCode: 3, shell: "bash_1" } });
    expect((await w.call("BashOutput", { bash_id: "bash_1" })).facts).toBeUndefined();
  });

  test("KillShell, and KillBash, end everything it started", async () => {
    const w = await toolWorld();
    for (const tool of ["KillShell", "KillBash"]) {
      const marker = `${4_000 + Math.random()}`;
      const started = await w.said("Bash", {
        command: `setsid sleep ${marker} & sleep ${marker}`,
        run_in_background: true,
      });
      const id = /bash_\d+/.exec(started)![0];
      await waitFor(() => processesWith(marker).length >= 2);
      expect(await w.said(tool, { shell_id: id })).toMatch(/stopped/);
      expect(processesWith(marker)).toEqual([]);
    }
  });

  test("none outlives the run", async () => {
    const w = await toolWorld();
    const marker = `${4_000 + Math.random()}`;
    for (let n = 0; n < 3; n++) await w.said("Bash", { command: `nohup sleep ${marker}`, run_in_background: true });
    await waitFor(() => processesWith(marker).length >= 3);
    await w.world.shells.close();
    expect(processesWith(marker)).toEqual([]);
  });

  test("P.U02: a flood nobody asks for stays bounded, and is kept in a file up to its cap", async () => {
    const w = await toolWorld();
    await w.said("Bash", { command: "yes 'a line of the flood' | head -c 80000000", run_in_background: true });
    await waitFor(
      async () => (await w.said("BashOutput", { bash_id: "bash_1" })).includes("exit code") || undefined,
      20_000,
      500,
    );
    const more = await w.said("Bash", { command: "yes flood & sleep 0.4", run_in_background: true, timeout: 600 });
    await sleep(1_500);
    const said = await w.said("BashOutput", { bash_id: /bash_\d+/.exec(more)![0] });
    expect(said.length).toBeLessThan(40_000);
    const path = /whole output: (.*)\]/.exec(said)![1]!;
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path).length).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  test("an unknown id is told with those there are; too many at once are refused", async () => {
    const w = await toolWorld();
    expect(await w.failed("BashOutput", { bash_id: "bash_9" })).toMatch(
      /no background command bash_9. None was started/,
    );
    expect(await w.failed("KillShell", { shell_id: "bash_9" })).toMatch(/no background command/);
    for (let n = 0; n < 16; n++) await w.said("Bash", { command: "sleep 60", run_in_background: true });
    expect(await w.failed("Bash", { command: "sleep 60", run_in_background: true })).toMatch(/too many commands/);
  });
});

describe("WebFetch", () => {
  async function site() {
    const server = createServer((request, response) => {
      if (request.url === "/away") return void response.writeHead(302, { location: "http://example.com/" }).end();
      if (request.url === "/none")
        return void response.writeHead(404, { "content-type": "text/plain" }).end("no such page");
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1><p>there</p>");
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("gives the page as text, and asks by its host", async () => {
    const base = await site();
    const w = await toolWorld({ web: { allowPrivate: () => true } });
    expect(await w.reach("WebFetch", { url: "https://docs.example.com:8443/a?b" })).toEqual([
      { may: "fetch", host: "docs.example.com" },
    ]);
    const outcome = await w.call("WebFetch", { url: `${base}/`, prompt: "what is there" });
    expect(textOf(outcome.said)).toBe(`[${base}/, text/html, status 200]\n# Hello\n\nthere`);
    expect(outcome.facts).toEqual({ fetched: { url: `${base}/`, status: 200 } });
    expect(await w.failed("WebFetch", { url: `${base}/away` })).toMatch(
      /redirects \(302\) to another place: fetch http:\/\/example.com\//,
    );
    expect(await w.failed("WebFetch", { url: `${base}/none` })).toMatch(/status 404\]\nno such page/);
  });

  test("private hosts, passwords and other schemes are not fetched", async () => {
    const base = await site();
    const w = await toolWorld();
    expect(await w.failed("WebFetch", { url: base })).toMatch(/is a private address/);
    expect(await w.failed("WebFetch", { url: "http://user:pass@example.com/" })).toMatch(/user name or password/);
    expect(await w.failed("WebFetch", { url: "http://" })).toMatch(/not a URL/);
    expect(await w.reach("WebFetch", { url: "http://" })).toEqual([]);
    await expect(w.call("WebFetch", { url: "file:///etc/passwd" })).rejects.toThrow(/does not take this/);
  });
});
