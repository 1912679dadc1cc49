// Starts a wrapped command as a process of its own session, without a terminal. Rejects with words when it cannot.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync } from "node:fs";
import { inputFile } from "./input-file.ts";
import { startReasons } from "./start-reasons.ts";

export async function startChild(
  argv: readonly string[],
  {
    cwd,
    env,
    stdin,
  }: { readonly cwd: string; readonly env: Readonly<Record<string, string>>; readonly stdin?: string },
  apart = false,
): Promise<ChildProcess> {
  const [program = "", ...args] = argv;
  let input: number | undefined;
  try {
    input = stdin === undefined ? undefined : inputFile(stdin);
    const stdio = [input ?? "ignore", "pipe", "pipe", "pipe", ...(apart ? ["pipe" as const] : [])] as const;
    const child = spawn(program, args, { cwd, env, stdio: [...stdio], detached: true });
    if (child.pid === undefined) await once(child, "spawn");
    return child;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw new Error(`The command could not be started: ${startReasons[code] ?? String(error)}`, { cause: error });
  } finally {
    if (input !== undefined) closeSync(input);
  }
}
