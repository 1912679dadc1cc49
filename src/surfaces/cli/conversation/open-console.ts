// The console that fits how Sous was started: a terminal on both sides, or lines.
import { fstatSync } from "node:fs";
import type { Console } from "./console.ts";
import { createPipeConsole } from "./pipe-console.ts";
import { createTerminalConsole } from "./terminal-console.ts";

export function openConsole(): Console {
  const { stdin: input, stdout: output } = process;
  if (input.isTTY && output.isTTY && process.env["TERM"] !== "dumb") return createTerminalConsole({ input, output });
  return createPipeConsole({ input, output, fromFile: isFile(0) });
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}
