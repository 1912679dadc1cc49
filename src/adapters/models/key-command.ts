// Runs the user's `apiKeyCommand` once. What it prints is a secret: it is never part of an error, and neither is a key
// that somebody put in the command's place.
import { looksLikeKey, withoutKeys } from "../../core/looks-like-key.ts";
import { oneLine } from "./one-line.ts";

/** The command did not give a key; the message says why. */
export class KeyCommandFailed extends Error {}

const MAX_OUTPUT = 64 * 1024;

export async function runKeyCommand(
  command: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  timeoutMs = 30_000,
): Promise<string> {
  if (looksLikeKey(command)) throw new KeyCommandFailed("apiKeyCommand holds what looks like a key, not a command");
  const { spawn } = await import("node:child_process");
  return await new Promise((resolve, reject) => {
    // Its own group, so that the time limit ends whatever the shell has started.
    const child = spawn("/bin/sh", ["-c", command], {
      env: { ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    const stop = (why: string) => {
      clearTimeout(timer);
      if (child.pid !== undefined) killGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      reject(new KeyCommandFailed(`apiKeyCommand ${why}`));
    };
    const timer = setTimeout(() => stop(`gave no key within ${timeoutMs / 1000} s`), timeoutMs);
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (out.length > MAX_OUTPUT) stop("printed more than a key");
    });
    child.stderr.on("data", (chunk: Buffer) => (err = (err + chunk.toString()).slice(-2000)));
    child.on("error", (error) => stop(`could not be started: ${oneLine(error.message)}`));
    child.on("exit", (code, signal) => {
      // Output may still be in the pipe when the shell is gone; a process it left behind must not hold us up.
      setTimeout(() => {
        if (code !== 0) return stop(`ended with ${code ?? signal}${err ? `: ${oneLine(withoutKeys(err), 160)}` : ""}`);
        const key = out.trim();
        if (!key || /[\s\p{Cc}]/u.test(key)) return stop(key ? "printed more than one word" : "printed nothing");
        clearTimeout(timer);
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(key);
      }, 10);
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}
