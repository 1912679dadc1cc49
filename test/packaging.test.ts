// What users get from `npm pack`: installed for real into an empty folder, and run.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { copyOfCheckout, cutOff, root, run, shellEnvironment, type Ended } from "./checkout.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name: string; version: string };
const MEGABYTE = 1024 * 1024;

const consumer = `
import { createHost, defineAgent, defineTool, runAgent, type SubAgentResult } from "sous";
import { calls, says, scripted } from "sous/testing";

const weather = defineTool({
  name: "Weather",
  description: "The weather of a city.",
  input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  readOnly: true,
  run: async ({ city }, { signal }) => city.toUpperCase() + (signal.aborted ? "" : ": sunny"),
});
// @ts-expect-error its input has no such field
defineTool({ ...weather, run: ({ town }) => town });
const agent = defineAgent({
  name: "weather-man",
  description: "Knows the weather.",
  prompt: "You know the weather.",
  tools: [weather],
  outputSchema: { type: "object", properties: { sunny: { type: "boolean" } }, required: ["sunny"] },
});
const model = scripted([calls("Weather", { city: "Rome" }), says("ROME: sunny")]);
const host = createHost({ stateDir: "state", config: {}, tools: [weather], model });
const run = runAgent(host, { prompt: "how is the weather?" });
let said = "";
for await (const event of run.events) if (event.type === "text.delta") said += event.text;
const result: SubAgentResult = await run;
console.log(result.success, said);
export const typed = async (): Promise<boolean | undefined> => (await runAgent({ agent, prompt: "" })).structured?.sunny;
// @ts-expect-error a prompt is a text
export const wrong = () => runAgent({ prompt: 7 });
`;

describe("the packed tarball, installed into an empty folder", { timeout: 120_000 }, () => {
  let checkout: string;
  let folder: string;
  let packed: string;
  let pack: Ended;
  let install: Ended;
  const node = process.execPath;

  beforeAll(async () => {
    checkout = copyOfCheckout({ installed: true });
    const tarballs = mkdtempSync(join(tmpdir(), "tarball-"));
    pack = await run("npm", ["pack", "--pack-destination", tarballs], { cwd: checkout, env: cutOff() });
    folder = mkdtempSync(join(tmpdir(), "empty-"));
    const tarball = join(tarballs, pack.stdout.trim());
    install = await run("npm", ["install", "--no-audit", "--no-fund", tarball], { cwd: folder });
    packed = join(folder, "node_modules", manifest.name);
  }, 120_000);

  test("is packed and installed without a complaint", () => {
    expect(pack).toEqual({ code: 0, stdout: `${manifest.name}-${manifest.version}.tgz\n`, stderr: "" });
    expect(install.code, install.stderr).toBe(0);
  });

  test("runs its command", async () => {
    const env = { ...shellEnvironment(), PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    const version = await run(join(folder, "node_modules", ".bin", "sous"), ["--version"], { cwd: folder, env });
    expect(version).toMatchObject({ code: 0, stderr: "" });
    expect(version.stdout.trimEnd().endsWith(manifest.version), version.stdout).toBe(true);
  });

  test("B12: brings its documentation, and its guide knows where that is", async () => {
    const env = { ...shellEnvironment(), PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
    const shown = await run(join(folder, "node_modules", ".bin", "sous"), ["agents", "show", "guide"], {
      cwd: folder,
      env,
    });
    const docs = /Its documentation is in (.+): Grep/.exec(shown.stdout)?.[1] ?? "";
    expect(docs).toBe(join(realpathSync(packed), "docs"));
    expect(readdirSync(docs)).toEqual(expect.arrayContaining(["agents.md", "configuration.md"]));
  });

  test("is a library with its test kit", async () => {
    const program = `for (const name of ["sous", "sous/testing"]) console.log(Object.keys(await import(name)).length > 0);`;
    const ended = await run(node, ["--input-type=module", "--eval", program], { cwd: folder });
    expect(ended).toEqual({ code: 0, stdout: "true\ntrue\n", stderr: "" });
  });

  test("E7: says of which types it is: a program that uses it compiles, and a wrong one does not", async () => {
    const types = join(root, "node_modules", "@types");
    const compilerOptions = { module: "nodenext", target: "es2024", strict: true, noEmit: true };
    const more = { types: ["node"], typeRoots: [types], skipLibCheck: false, exactOptionalPropertyTypes: true };
    const config = { compilerOptions: { ...compilerOptions, ...more }, files: ["consumer.mts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(join(folder, "consumer.mts"), consumer);
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    expect(await run(node, [tsc, "-p", folder], { cwd: folder })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test("E7: runs an agent of a program, on a model of its own, and lets the process end", async () => {
    const ended = await run(node, ["consumer.mts"], { cwd: folder, timeout: 30_000 });
    expect(ended).toEqual({ code: 0, stdout: "true ROME: sunny\n", stderr: "" });
  });

  test("E7: is imported without a handler, a line or the engine behind it", async () => {
    const program = `
      const before = process.eventNames().length;
      await import("sous");
      const loaded = process.getActiveResourcesInfo().filter((name) => name !== "TTYWrap" && name !== "PipeWrap");
      const typebox = import.meta.resolve("typebox");
      console.log(process.eventNames().length - before, loaded.length, typebox.startsWith("file:"));`;
    const trace = ["--input-type=module", "--eval", program];
    const ended = await run(node, trace, { cwd: folder, env: { ...shellEnvironment(), NODE_DEBUG: "esm" } });
    expect(ended.stdout).toBe("0 0 true\n");
    expect(ended.stderr).not.toMatch(/typebox\/build/);
    expect(ended.stderr).toMatch(/sous\/dist\/index\.js/);
  });

  test("does not bring the development Node", () => {
    const names = readdirSync(join(folder, "node_modules"), { recursive: true }).map(String);
    expect(names.filter((name) => /(^|\/)node-(linux|darwin|win)-|(^|\/)\.bin\/node$/.test(name))).toEqual([]);
  });

  test("has a manifest without anything for developers", () => {
    const keys = Object.keys(JSON.parse(readFileSync(join(packed, "package.json"), "utf8")) as object);
    const developers = ["scripts", "devDependencies", "optionalDependencies", "overrides"];
    expect(keys.filter((key) => developers.includes(key))).toEqual([]);
    expect(keys).toEqual(expect.arrayContaining(["bin", "exports", "dependencies", "engines"]));
  });

  test("has no tests and no fixtures, and is under 10 MB", () => {
    const names = readdirSync(packed, { recursive: true }).map(String);
    expect(names.filter((name) => /\.test\.|fixtures|^src|^test|^scripts/.test(name))).toEqual([]);
    const bytes = names.reduce((sum, name) => sum + statSync(join(packed, name)).size, 0);
    expect(bytes).toBeLessThan(10 * MEGABYTE);
  });

  test("is refused without leaving the checkout changed when npm fails after its preparations", async () => {
    const before = readFileSync(join(checkout, "package.json"), "utf8");
    mkdirSync(join(folder, "here"));
    const nowhere = join(folder, "here", "not");
    const failed = await run("npm", ["pack", "--pack-destination", nowhere], { cwd: checkout, env: cutOff() });
    expect(failed.code).not.toBe(0);
    const deadline = Date.now() + 5_000;
    const manifestNow = (): string => readFileSync(join(checkout, "package.json"), "utf8");
    while (manifestNow() !== before && Date.now() < deadline) await sleep(50);
    expect(manifestNow()).toBe(before);
    expect(readdirSync(checkout).filter((name) => name.includes("kept"))).toEqual([]);
  });

  test("came from a checkout that is as it was", () => {
    expect(readFileSync(join(checkout, "package.json"), "utf8")).toBe(readFileSync(join(root, "package.json"), "utf8"));
  });
});
