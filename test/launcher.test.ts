// The launcher on a Node that is too old, made by telling it so: what it says, and how it hands over.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { root, run } from "./checkout.ts";

const node = process.execPath;
const pretendOld = `
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });
Object.defineProperty(process, "version", { value: "v20.1.0" });
`;

describe("on a Node that is too old", () => {
  test("the command says in one line what it needs", async () => {
    const folder = packageFolder({ program: "" });
    expect(await run(node, ["--require", "./old.cjs", "bin/sous.cjs"], { cwd: folder })).toEqual({
      code: 1,
      stdout: "",
      stderr: "sous needs Node 22.18 or newer, this is v20.1.0: install it from https://nodejs.org\n",
    });
  });

  test("a development checkout runs on its own Node, with the same arguments and the same exit code", async () => {
    const program = `process.stdout.write(JSON.stringify(process.argv.slice(2)) + process.versions.node); process.exit(7);`;
    const folder = checkoutFolder({ program });
    const ended = await run(node, ["--require", "./old.cjs", "bin/sous.cjs", "run", "a b", "--", "-x"], {
      cwd: folder,
    });
    expect(ended).toEqual({ code: 7, stdout: `["run","a b","--","-x"]${process.versions.node}`, stderr: "" });
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s reaches the program, whose answer is the exit code",
    async (signal) => {
      const started = await start(
        `process.on("${signal}", () => process.exit(9)); ready(); setInterval(() => {}, 1000);`,
      );
      started.launcher.kill(signal);
      expect(await started.ended).toEqual({ code: 9, signal: null });
    },
  );

  test("a program ended by a signal ends the command by the same signal", async () => {
    const started = await start(`ready(); setInterval(() => {}, 1000);`);
    process.kill(started.program, "SIGTERM");
    expect(await started.ended).toEqual({ code: null, signal: "SIGTERM" });
  });

  test("a killed launcher does not leave the program running", async (it) => {
    it.skip(!existsSync("/usr/bin/setpriv"), "needs setpriv, a part of util-linux");
    const started = await start(`ready(); setInterval(() => {}, 1000);`);
    started.launcher.kill("SIGKILL");
    const deadline = Date.now() + 5_000;
    while (isAlive(started.program) && Date.now() < deadline) await sleep(20);
    const survived = isAlive(started.program);
    if (survived) process.kill(started.program, "SIGKILL");
    expect(survived).toBe(false);
  });
});

describe("on a Node that will do", () => {
  test("a missing build is told with its remedy", async () => {
    const folder = mkdtempSync(join(tmpdir(), "unbuilt-"));
    place(folder);
    const ended = await run(node, ["bin/sous.cjs"], { cwd: folder });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/^sous is not built yet: run `npm start` once in [^\n]+\n$/);
  });

  test("a cache folder that cannot be written does not matter", async () => {
    const folder = packageFolder({ program: `process.stdout.write("started")` });
    const env = { ...process.env, XDG_CACHE_HOME: join(folder, "bin", "sous.cjs") };
    expect(await run(node, ["bin/sous.cjs"], { cwd: folder, env })).toEqual({ code: 0, stdout: "started", stderr: "" });
  });
});

async function start(program: string) {
  const folder = checkoutFolder({
    program: `const ready = () => process.stdout.write(process.pid + "\\n"); ${program}`,
  });
  const launcher = spawn(node, ["--require", "./old.cjs", "bin/sous.cjs"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => launcher.on("exit", (code, signal) => resolve({ code, signal })));
  const pid = await new Promise<string>((resolve) => launcher.stdout.setEncoding("utf8").once("data", resolve));
  return { launcher, ended, program: Number(pid) };
}

function checkoutFolder({ program }: { readonly program: string }): string {
  const folder = packageFolder({ program });
  const own = join(folder, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
  mkdirSync(own, { recursive: true });
  symlinkSync(node, join(own, "node"));
  return folder;
}

function packageFolder({ program }: { readonly program: string }): string {
  const folder = mkdtempSync(join(tmpdir(), "package-"));
  place(folder);
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "dist", "cli.js"), program);
  return folder;
}

function place(folder: string): void {
  mkdirSync(join(folder, "bin"));
  copyFileSync(join(root, "bin", "sous.cjs"), join(folder, "bin", "sous.cjs"));
  writeFileSync(join(folder, "old.cjs"), pretendOld);
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
}

function isAlive(pid: number): boolean {
  try {
    // A process that waits to be collected by its parent is gone for our purpose.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
