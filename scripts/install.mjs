// Brings node_modules to what the lock file says. Quiet unless it really installs.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveUp, root, say, stamps } from "./checkout.mjs";
import { runQuietly } from "./run-quietly.mjs";

const stamp = join(stamps, "installed");
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EIDLETIMEOUT/;

/** True when what the lock file wants was installed and is still there. */
export function isInstalled() {
  return read(stamp) === wanted() && directDependencies().every((name) => has(`node_modules/${name}/package.json`));
}

/** @returns {Promise<boolean>} whether the dependencies are there now */
export async function install() {
  if (!matchesLock()) {
    say("installing dependencies (once, about 30 s) …");
    const clean = await npm("ci");
    // A lock file can lack another platform's optional packages: `ci` refuses that, `install` does not.
    const installed = clean.ok || UNREACHABLE.test(clean.output) ? clean : await npm("install", "--no-save");
    if (!installed.ok) {
      return giveUp({
        what: "dependencies could not be installed",
        output: installed.output,
        remedy: remedy(installed),
      });
    }
  }
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, wanted());
  return true;
}

function npm(...command) {
  // Flags that an outer npm was given (production, dry run, silent) must not leak into this one.
  const flags = [
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--include=dev",
    "--include=optional",
    "--dry-run=false",
  ];
  const cli = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath;
  return cli
    ? runQuietly(node, [cli, ...command, ...flags], { cwd: root })
    : runQuietly("npm", [...command, ...flags], { cwd: root });
}

function remedy({ output }) {
  if (UNREACHABLE.test(output)) {
    return "check the network and npm's proxy and registry settings (npm config list), then run the command again";
  }
  if (/ENOSPC/.test(output)) return "free about 400 MB of disk space, then run the command again";
  if (/EACCES|EPERM|EROFS/.test(output)) return "make this folder and npm's cache writable, then run the command again";
  if (/spawn npm ENOENT/.test(output)) return "install npm (it comes with Node), then run the command again";
  return "run `npm ci --loglevel=info` here to see the whole story, then run the command again";
}

/** npm's own record of what it installed, compared with the lock: spares a re-install after `npm install some-package`. */
function matchesLock() {
  const installed = packages("node_modules/.package-lock.json");
  const locked = packages("package-lock.json");
  return (
    installed !== undefined &&
    Object.keys(installed).every((path) => locked[path]) &&
    Object.entries(locked).every(([path, entry]) => path === "" || isThere(path, entry, installed[path]))
  );
}

function isThere(path, entry, installed) {
  if (entry.optional && !fits(entry)) return true;
  return installed?.version === entry.version && installed.integrity === entry.integrity && has(`${path}/package.json`);
}

function fits({ os, cpu, libc }) {
  const musl = !process.report?.getReport().header.glibcVersionRuntime;
  return (
    (!os || os.includes(process.platform)) &&
    (!cpu || cpu.includes(process.arch)) &&
    (!libc || libc.includes(musl ? "musl" : "glibc"))
  );
}

function packages(path) {
  const text = read(join(root, path));
  return text === undefined ? undefined : JSON.parse(text).packages;
}

function directDependencies() {
  const { dependencies, devDependencies } = JSON.parse(read(join(root, "package.json")));
  return Object.keys({ ...dependencies, ...devDependencies });
}

function wanted() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

function has(path) {
  return existsSync(join(root, path));
}

function read(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
