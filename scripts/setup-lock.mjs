// One set-up at a time in a checkout. The lock is a folder that holds one folder named for its owner: both steps of
// taking it are a rename, so exactly one process wins, also when it is taken over from an owner that died.
import { mkdirSync, readdirSync, renameSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./checkout.mjs";

const BEAT_MS = 1_000;
const SILENT_MS = 5_000;
const GIVEN_UP_MS = 60_000;

/** Runs `work` while no other process of this checkout is setting up. */
export async function alone(work, lock = join(root, ".setup.lock")) {
  const owner = await take(lock);
  const beat = setInterval(() => attempt(() => utimesSync(join(lock, owner), new Date(), new Date())), BEAT_MS);
  const release = () => attempt(() => rmdirSync(join(lock, owner))) && attempt(() => rmdirSync(lock));
  process.once("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off("exit", release);
    release();
  }
}

async function take(lock) {
  const me = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const mine = `${lock}.${me}`;
  mkdirSync(join(mine, me), { recursive: true });
  for (;;) {
    // A folder with something in it cannot be renamed over: this succeeds only where nobody owns the lock.
    if (renamed(mine, lock)) return me;
    const dead = staleOwner(lock);
    if (dead && attempt(() => takeOver(join(lock, dead), join(lock, me)))) {
      attempt(() => rmdirSync(join(mine, me)));
      attempt(() => rmdirSync(mine));
      return me;
    }
    await sleep(100);
  }
}

// Touched first: a rename keeps the old time, and the new owner must not look silent even for a moment.
function takeOver(dead, me) {
  utimesSync(dead, new Date(), new Date());
  renameSync(dead, me);
}

function renamed(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "EPERM"].includes(error.code)) return false;
    throw error;
  }
}

function staleOwner(lock) {
  try {
    const [owner] = readdirSync(lock);
    if (!owner) return undefined;
    const silent = Date.now() - statSync(join(lock, owner)).mtimeMs;
    return silent > GIVEN_UP_MS || (silent > SILENT_MS && !isAlive(Number.parseInt(owner, 10))) ? owner : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function attempt(step) {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}
