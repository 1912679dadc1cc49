// Setting up a checkout: what the two commands do before they do what was asked.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { copyOfCheckout, cutOff, root, run, type Ended } from "./checkout.ts";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

describe("npm start in a checkout that is not built", { timeout: 120_000 }, () => {
  let checkout: string;
  let names: readonly string[];
  let first: Ended;
  const start = (...flags: readonly string[]): Promise<Ended> =>
    run("npm", ["start", ...flags, "--", "--version"], { cwd: checkout, env: cutOff() });

  beforeAll(async () => {
    checkout = copyOfCheckout({ installed: true });
    names = readdirSync(checkout).filter((name) => name !== "node_modules");
    first = await start();
  }, 120_000);

  test("builds without a word and runs the program with the arguments", () => {
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout.trimEnd().endsWith(version), first.stdout).toBe(true);
    expect(first.stdout.trimEnd()).not.toContain("\n");
  });

  test("does no set-up work the second time", async () => {
    const before = setUpFiles(checkout);
    const began = Date.now();
    expect(await start()).toEqual(first);
    expect(Date.now() - began).toBeLessThan(5_000);
    expect(setUpFiles(checkout)).toEqual(before);
  });

  test("says the same under --silent", async () => {
    expect(await start("--silent")).toEqual(first);
  });

  test("builds again when a source changed, and not when only a test did", async () => {
    const before = setUpFiles(checkout);
    writeFileSync(join(checkout, "src", "new.test.ts"), "");
    await start();
    expect(setUpFiles(checkout)).toEqual(before);
    const source = join(checkout, "src", "index.ts");
    utimesSync(source, new Date(), new Date());
    await start();
    expect(setUpFiles(checkout)).not.toEqual(before);
  });

  test("names the remedy when a source cannot be built, and does not run the old build", async () => {
    const source = join(checkout, "src", "index.ts");
    const good = readFileSync(source, "utf8");
    writeFileSync(source, `${good}\nimport {`);
    const ended = await start();
    writeFileSync(source, good);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/\nsous: the build failed: correct the source named above[^\n]*\n$/);
  });

  test("leaves nothing in the checkout that git would show", () => {
    const ignored = ["node_modules", "dist"];
    expect(readdirSync(checkout).filter((name) => !ignored.includes(name))).toEqual(names);
  });
});

test("a failed installation names its remedy in the last line on stderr", async () => {
  const checkout = copyOfCheckout({ installed: false });
  const ended = await run("npm", ["start"], { cwd: checkout, env: cutOff() });
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(/^sous: installing dependencies \(once, about 30 s\) …\n/);
  expect(ended.stderr).toMatch(/\nsous: dependencies could not be installed: check the network [^\n]*\n$/);
});

describe("two set-ups at once", () => {
  const lockModule = join(root, "scripts", "setup-lock.mjs");
  const worker = (lock: string, ledger: string): Promise<Ended> =>
    run(process.execPath, [
      "--input-type=module",
      "--eval",
      `import { alone } from ${JSON.stringify(lockModule)};
       import { appendFileSync } from "node:fs";
       for (let n = 0; n < 5; n++) await alone(async () => {
         appendFileSync(${JSON.stringify(ledger)}, "in ");
         await new Promise((done) => setTimeout(done, 2));
         appendFileSync(${JSON.stringify(ledger)}, "out\\n");
       }, ${JSON.stringify(lock)});`,
    ]);

  test("never overlap", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lock-"));
    const [lock, ledger] = [join(folder, "lock"), join(folder, "ledger")];
    const ended = await Promise.all([1, 2, 3, 4].map(() => worker(lock, ledger)));
    expect(ended.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(["0", "0", "0", "0"]);
    expect(readFileSync(ledger, "utf8")).toBe("in out\n".repeat(20));
    expect(readdirSync(folder)).toEqual(["ledger"]);
  });

  test("one takes over, and only one, from an owner that died", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lock-"));
    const [lock, ledger] = [join(folder, "lock"), join(folder, "ledger")];
    const dead = join(lock, "999999999-gone");
    mkdirSync(dead, { recursive: true });
    utimesSync(dead, new Date(0), new Date(0));
    await Promise.all([1, 2, 3].map(() => worker(lock, ledger)));
    expect(readFileSync(ledger, "utf8")).toBe("in out\n".repeat(15));
    expect(readdirSync(folder)).toEqual(["ledger"]);
  });

  test("one that is alive is waited for", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lock-"));
    const [lock, ledger] = [join(folder, "lock"), join(folder, "ledger")];
    const owner = join(lock, `${process.pid}-alive`);
    mkdirSync(owner, { recursive: true });
    const waiting = worker(lock, ledger);
    await new Promise((done) => setTimeout(done, 500));
    expect(readdirSync(lock)).toEqual([`${process.pid}-alive`]);
    rmSync(owner, { recursive: true });
    expect(await waiting).toMatchObject({ code: 0 });
  });
});

/** What a set-up would write: stamps, what is built, what is installed; with the time of its last change. */
function setUpFiles(checkout: string): Readonly<Record<string, number>> {
  const folders = ["dist", "node_modules/.sous", "node_modules"];
  return Object.fromEntries(
    folders.flatMap((folder) =>
      readdirSync(join(checkout, folder), { recursive: folder !== "node_modules" })
        .filter((name) => name !== ".vitest-cache" && name !== ".vite-temp")
        .map((name) => join(checkout, folder, String(name)))
        .map((path) => [path, statSync(path).mtimeMs]),
    ),
  );
}
