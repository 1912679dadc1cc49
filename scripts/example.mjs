// What `npm run example` runs: the example that is named, or a list of them. npm has put this checkout's own Node first.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..", "examples");
const names = readdirSync(folder).filter((name) => name.endsWith(".ts"));
const [wanted, ...rest] = process.argv.slice(2);
const found = names.filter((name) => wanted !== undefined && name.startsWith(wanted.replace(/^.*\//, "")));

if (found.length === 1) {
  const own = join(folder, "..", "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  const argv = ["--disable-warning=ExperimentalWarning", join(folder, found[0]), ...rest];
  let ended = spawnSync(own, argv, { stdio: "inherit" });
  if (ended.error) ended = spawnSync(process.execPath, argv, { stdio: "inherit" });
  process.exitCode = ended.status ?? 1;
} else {
  const say = wanted === undefined ? console.log : console.error;
  if (wanted !== undefined) say(`there is no example "${wanted}"; these are there:`);
  for (const name of names) {
    const [first = ""] = readFileSync(join(folder, name), "utf8").split("\n");
    say(`npm run example -- ${name.replace(/\.ts$/, "").padEnd(24)} ${first.replace(/^\/\/ /, "")}`);
  }
  process.exitCode = wanted === undefined ? 0 : 2;
}
