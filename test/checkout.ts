// A copy of this checkout in a temporary folder, with what is installed linked in, for tests of the set-up itself.
import { execFile, type ExecFileOptions } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

export const root = join(import.meta.dirname, "..");

/** `installed: false` gives what a fresh clone has. */
export function copyOfCheckout({ installed }: { readonly installed: boolean }): string {
  const copy = mkdtempSync(join(tmpdir(), "checkout-"));
  const left = ["node_modules", "dist", ".git", ".sous"];
  for (const name of readdirSync(root)) {
    if (left.includes(name) || name.startsWith(".setup.lock")) continue;
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  if (!installed) return copy;
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules"))) {
    // The stamps and caches of a checkout are its own.
    if (![".sous", ".vite", ".vite-temp", ".cache"].includes(name)) {
      symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
    }
  }
  return copy;
}

/** The environment of a person's shell: without what npm and vitest add to it. */
export function shellEnvironment(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|vitest|node_env$|init_cwd$|node$)/i.test(name));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter) };
}

/** The same without a package registry: what is installed is linked in from this checkout, and npm must not touch it. */
export function cutOff(): NodeJS.ProcessEnv {
  return { ...shellEnvironment(), npm_config_registry: "http://127.0.0.1:1", npm_config_fetch_retries: "0" };
}

export function run(program: string, args: readonly string[], options: ExecFileOptions = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const all = { env: shellEnvironment(), ...options, encoding: "utf8" as const };
    const child = execFile(program, [...args], all, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
