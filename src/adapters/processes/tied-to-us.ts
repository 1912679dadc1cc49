// A program that the engine starts for itself ends with the engine, however that ends: also one that waits for ever.
import { findProgram } from "./find-program.ts";

/** What to start instead; the program itself where the system has no way to tie them. */
export function tiedToUs(program: string, args: readonly string[]): readonly [program: string, args: string[]] {
  const setpriv = process.platform === "linux" ? findProgram("setpriv") : undefined;
  return setpriv === undefined ? [program, [...args]] : [setpriv, ["--pdeathsig", "KILL", "--", program, ...args]];
}
