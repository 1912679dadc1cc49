// Gets the programs that some tests need from the system, where that is possible (root, apt). Best effort.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { say } from "./checkout.mjs";
import { runQuietly } from "./run-quietly.mjs";

const wanted = [
  { program: "bwrap", from: "bubblewrap" },
  { program: "socat", from: "socat" },
  { program: "tmux", from: "tmux" },
];
const LIMIT_MS = 120_000;

export function hasSystemPrograms() {
  return process.platform !== "linux" || missing().length === 0;
}

export async function getSystemPrograms() {
  const packages = missing().map(({ from }) => from);
  if (process.getuid?.() === 0 && has("apt-get")) {
    const got = await aptGet("install", ...packages);
    if (!got.ok && (await aptGet("update")).ok) await aptGet("install", ...packages);
  }
  const still = missing();
  if (still.length === 0) return;
  const names = still.map(({ program }) => program).join(" and ");
  const command = `apt-get install ${still.map(({ from }) => from).join(" ")}`;
  say(`${names} could not be had, tests that need it are skipped: install it with \`${command}\` as root`);
}

function aptGet(...args) {
  const options = [
    "-y",
    "-qq",
    "--no-install-recommends",
    "-o",
    "DPkg::Lock::Timeout=60",
    "-o",
    "Acquire::http::Timeout=20",
  ];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return runQuietly("apt-get", [...options, ...args], { env, timeout: LIMIT_MS });
}

function missing() {
  return wanted.filter(({ program }) => !has(program));
}

function has(program) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}
