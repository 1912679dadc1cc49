// Wired as prepack and postpack: what `npm pack` puts into the tarball is a manifest without anything for developers.
// The checkout's own package.json comes back afterwards, also when npm fails or is killed in between.
import { spawn } from "node:child_process";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { root } from "./checkout.mjs";
import { publishedManifest } from "./published-manifest.mjs";
import { alone } from "./setup-lock.mjs";

const manifest = join(root, "package.json");
const kept = join(root, ".package.json.kept");
const [step, pid] = process.argv.slice(2);

if (step === "before") process.exitCode = (await before()) ? 0 : 1;
if (step === "after") restore();
if (step === "when-gone") await restoreWhenGone(Number(pid));

async function before() {
  restore();
  if (!(await alone(() => build({ clean: true })))) return false;
  const published = publishedManifest(JSON.parse(readFileSync(manifest, "utf8")));
  linkSync(manifest, kept);
  restoreWithoutUs();
  writeFileSync(`${kept}.new`, `${JSON.stringify(published, null, 2)}\n`);
  renameSync(`${kept}.new`, manifest);
  return true;
}

// npm does not call postpack when packing fails: a process that outlives npm restores the manifest then.
function restoreWithoutUs() {
  const npm = npmProcess();
  if (npm === undefined) return;
  const args = [fileURLToPath(import.meta.url), "when-gone", String(npm)];
  spawn(process.execPath, args, { detached: true, stdio: "ignore" }).unref();
}

async function restoreWhenGone(npm) {
  while (existsSync(kept) && isRunning(npm)) await sleep(100);
  restore();
}

function restore() {
  if (!existsSync(kept)) return;
  renameSync(kept, manifest);
  rmSync(kept, { force: true });
}

// npm starts scripts through a shell, which may or may not stay between it and us.
function npmProcess() {
  const parent = statusOf(process.ppid);
  if (!parent) return undefined;
  return /^(ba|da|z|k)?sh$/.test(parent.name) ? parent.parent : process.ppid;
}

function isRunning(id) {
  const status = statusOf(id);
  return status !== undefined && status.state !== "Z";
}

function statusOf(id) {
  try {
    const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${id}/stat`, "utf8"));
    const [state, parent] = rest.split(" ");
    return { name, state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
