// Runs a program with its output kept back, so that success is silent and a failure can be told whole.
import { spawn } from "node:child_process";

const KEPT = 1_000_000;

/** @returns {Promise<{ ok: boolean, output: string }>} */
export function runQuietly(program, args, options = {}) {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const keep = (chunk) => (output = (output + chunk).slice(-KEPT));
    const stop = () => child.kill();
    const end = (ok) => {
      process.off("exit", stop);
      resolve({ ok, output });
    };
    process.once("exit", stop);
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.on("error", (error) => (keep(`${error.message}\n`), end(false)));
    child.on("close", (code) => end(code === 0));
  });
}
