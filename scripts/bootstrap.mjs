// Makes this checkout ready to run: installs dependencies; --build also builds; --system also gets what tests need from
// the system. Plain JavaScript without dependencies, for Node 18 and later. Says nothing when there is nothing to do.
import { constants } from "node:os";
import { build, isBuilt } from "./build.mjs";
import { giveUp } from "./checkout.mjs";
import { install, isInstalled } from "./install.mjs";
import { alone } from "./setup-lock.mjs";
import { getSystemPrograms, hasSystemPrograms } from "./system.mjs";

const asked = new Set(process.argv.slice(2));
const steps = [
  { wanted: true, isDone: isInstalled, run: install },
  { wanted: asked.has("--build"), isDone: isBuilt, run: build },
  { wanted: asked.has("--system"), isDone: hasSystemPrograms, run: getSystemPrograms },
].filter(({ wanted }) => wanted);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

if (!steps.every(({ isDone }) => isDone())) process.exitCode = (await alone(setUp).catch(tellWhy)) ? 0 : 1;

// Asks again inside the lock: another process may just have done the work.
async function setUp() {
  for (const { isDone, run } of steps) {
    if (!isDone() && (await run()) === false) return false;
  }
  return true;
}

function tellWhy(error) {
  const remedy = "make this folder writable and leave some disk space, then run the command again";
  return giveUp({ what: `the set-up failed (${error.message})`, output: "", remedy });
}
