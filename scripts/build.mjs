// Builds dist when a source changed since the last build.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { giveUp, modernNode, root, stamps } from "./checkout.mjs";
import { runQuietly } from "./run-quietly.mjs";

const stamp = join(stamps, "built");
const dist = join(root, "dist");
const entries = ["index.js", "testing/index.js", "cli.js"];
const FORGOTTEN_MS = 3_600_000;

/** True when dist was built from exactly the sources that are here now. */
export function isBuilt() {
  return (
    entries.every((entry) => existsSync(join(dist, entry))) &&
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === sources()
  );
}

/** @returns {Promise<boolean>} whether dist is built now. `clean` leaves nothing of earlier builds in it. */
export async function build({ clean = false } = {}) {
  const node = modernNode();
  if (!node) {
    const remedy = "install Node 22.18 or newer from https://nodejs.org, then run the command again";
    return giveUp({ what: `cannot build on Node ${process.versions.node}`, output: "", remedy });
  }
  const before = sources();
  const fresh = join(stamps, `dist-${process.pid}`);
  const tsdown = join(root, "node_modules", "tsdown", "dist", "run.mjs");
  try {
    const args = [tsdown, "--out-dir", fresh, "--logLevel", "error"];
    const built = await runQuietly(node, args, { cwd: root });
    if (!built.ok) {
      const remedy = "correct the source named above, then run the command again (npm run check tells more)";
      return giveUp({ what: "the build failed", output: built.output, remedy });
    }
    if (clean) rmSync(dist, { recursive: true, force: true });
    place(fresh);
    writeFileSync(stamp, before);
    return true;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

// A program that runs from dist loads its parts lazily: new files come by rename, parts before the entries that name
// them, and parts of an earlier build stay for an hour.
function place(fresh) {
  const made = files(fresh, () => true).map((path) => relative(fresh, path));
  for (const path of made.sort((a, b) => entries.indexOf(a) - entries.indexOf(b))) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    renameSync(join(fresh, path), join(dist, path));
  }
  for (const path of files(dist, () => true)) {
    const known = made.includes(relative(dist, path));
    if (!known && Date.now() - statSync(path).mtimeMs > FORGOTTEN_MS) rmSync(path);
  }
}

function sources() {
  const others = ["package.json", "package-lock.json", "tsconfig.json", "tsdown.config.ts"].map((name) =>
    join(root, name),
  );
  const compiled = files(join(root, "src"), (path) => !/\.test\.ts$|\/fixtures\//.test(path));
  return [...others, ...compiled]
    .map((path) => ({ path: relative(root, path), stat: statSync(path) }))
    .map(({ path, stat }) => `${path} ${stat.size} ${stat.mtimeMs}\n`)
    .sort()
    .join("");
}

function files(folder, wanted) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path, wanted) : wanted(path) ? [path] : [];
  });
}
