// All tests: the build, types, lint and format count as one test each, then vitest with the arguments given.
// The last line on stdout is the sum. --soak runs the long sizes, --checks-only leaves vitest out.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { build, isBuilt } from "./build.mjs";
import { root } from "./checkout.mjs";
import { runQuietly } from "./run-quietly.mjs";
import { alone } from "./setup-lock.mjs";

const args = process.argv.slice(2);
const own = ["--soak", "--checks-only"];
const given = new Set(args.filter((arg) => own.includes(arg)));
const programs = join(root, "node_modules", ".bin");
const env = { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` };
if (given.has("--soak")) env.SOAK = "1";

const checks = [
  { name: "build", run: async () => ({ ok: isBuilt() || (await alone(() => build())), output: "" }) },
  { name: "types", run: () => quietly("tsc", "--noEmit") },
  { name: "lint", run: () => quietly("oxlint", "--deny-warnings") },
  { name: "format", run: () => quietly("prettier", "--check", "--log-level=warn", ".") },
];

const total = { passed: 0, failed: 0, skipped: [] };
for (const { name, run } of checks) {
  const { ok, output } = await run();
  total[ok ? "passed" : "failed"]++;
  print(ok ? `ok      ${name}` : `FAILED  ${name}\n${output.trimEnd()}`);
}
if (!given.has("--checks-only")) add(await vitest(args.filter((arg) => !own.includes(arg))));

for (const { name, reason } of total.skipped) print(`skipped: ${name} (${reason})`);
const alsoSkipped = total.skipped.length > 0 ? `, ${total.skipped.length} skipped` : "";
print(`${total.passed} passed, ${total.failed} failed${alsoSkipped}`);
process.exitCode = total.failed === 0 ? 0 : 1;

function add({ passed, failed, skipped, faults, retried = [] }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped.push(...skipped);
  for (const fault of faults) print(`FAILED  ${fault}`);
  for (const name of retried) print(`passed only at its second try: ${name}`);
}

async function vitest(rest) {
  const folder = mkdtempSync(join(tmpdir(), "sous-tally-"));
  const file = join(folder, "tally.json");
  const reporters = ["--reporter=default", "--reporter=./scripts/closing-line-reporter.mjs"];
  const code = await exitCode("vitest", ["run", ...reporters, ...rest], { ...env, SOUS_TEST_TALLY: file });
  const tally = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { passed: 0, failed: 0, skipped: [], faults: [] };
  rmSync(folder, { recursive: true });
  // Whatever went wrong outside the tests (a crash, no test found) must not look like success.
  if (code === 0 || tally.failed > 0) return tally;
  return { ...tally, failed: 1, faults: [`vitest ended with ${code}`] };
}

function quietly(program, ...rest) {
  return runQuietly(join(programs, program), rest, { cwd: root, env });
}

function exitCode(program, rest, environment) {
  return new Promise((resolve) => {
    const child = spawn(join(programs, program), rest, { cwd: root, env: environment, stdio: "inherit" });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code ?? signal));
  });
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
