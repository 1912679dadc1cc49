// Tries the two commands as on a fresh machine: a clone with today's changes, an empty home, and a PATH without anything
// that this checkout installed. Takes minutes, so it is not a part of `npm test`.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { root } from "./checkout.mjs";

const folder = mkdtempSync(join(tmpdir(), "sous-fresh-"));
const clone = join(folder, "clone");
const home = join(folder, "home");

try {
  mkdirSync(home);
  execFileSync("git", ["clone", "--quiet", root, clone]);
  addChanges();
  const before = status();
  const outcomes = [
    step("npm start -- --version, first time", ["start", "--", "--version"]),
    step("npm start -- --version, second time", ["start", "--", "--version"], { quiet: true, limitMs: 2_000 }),
    step("npm test", ["test"]),
    { name: "git status is as before", ok: status() === before },
  ];
  for (const { name, ok } of outcomes) process.stdout.write(`${ok ? "ok     " : "FAILED "} ${name}\n`);
  process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

// What is changed or new in the working tree, so that a change can be tried before it is committed.
function addChanges() {
  const changed = git(root, "ls-files", "--modified", "--others", "--deleted", "--exclude-standard", "-z");
  for (const path of new Set(changed.split("\0").filter(Boolean))) {
    if (!existsSync(join(root, path))) rmSync(join(clone, path), { force: true });
    else {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      cpSync(join(root, path), join(clone, path));
    }
  }
}

function step(name, args, { quiet = false, limitMs = Infinity } = {}) {
  process.stdout.write(`--- ${name}\n`);
  const began = Date.now();
  const { status: code, stderr } = spawnSync("npm", args, {
    cwd: clone,
    env: { HOME: home, PATH: ordinaryPath(), LANG: process.env.LANG ?? "C.UTF-8", ...network() },
    stdio: ["ignore", "inherit", "pipe"],
    encoding: "utf8",
  });
  const took = Date.now() - began;
  process.stderr.write(stderr);
  return { name: `${name} (${(took / 1000).toFixed(1)} s)`, ok: code === 0 && took < limitMs && !(quiet && stderr) };
}

function ordinaryPath() {
  return process.env.PATH.split(delimiter)
    .filter((entry) => !entry.includes("node_modules"))
    .join(delimiter);
}

function network() {
  const names = Object.keys(process.env).filter((name) => /_proxy$|^SSL_CERT_|^NODE_EXTRA_CA_CERTS$/i.test(name));
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

function status() {
  return git(clone, "status", "--porcelain");
}

function git(cwd, ...args) {
  return execFileSync("git", args, { cwd, encoding: "utf8" });
}
