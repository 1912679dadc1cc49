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
    // Ctrl-C: what was begun must have ended before the person may begin again.
    const interrupted = () => {
      child.kill();
      setTimeout(() => child.kill("SIGKILL"), 3_000).unref();
      child.once("close", () => process.exit(130));
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    const end = (ok) => {
      process.off("exit", stop);
      for (const signal of signals) process.off(signal, interrupted);
      resolve({ ok, output });
    };
    process.once("exit", stop);
    for (const signal of signals) process.once(signal, interrupted);
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.on("error", (error) => (keep(`${error.message}\n`), end(false)));
    child.on("close", (code) => end(code === 0));
  });
}
