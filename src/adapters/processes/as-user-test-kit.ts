// A process runner in a process of another user, for tests: what holds for root must hold for everybody.
import { fileURLToPath } from "node:url";
import { runProcess } from "../../testing/memory/run-process.ts";
import type { CommandSpec } from "../../ports/processes.ts";
import type { Ownership } from "./strategy.ts";

export type Ran = { readonly code: number | null; readonly output: string };
export type AsUser = (spec: Omit<CommandSpec, "timeoutMs" | "env">, strategy?: Ownership) => Promise<Ran>;

const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
const runner = fileURLToPath(new URL("./create-processes.ts", import.meta.url));

const program = `
  const { createProcesses } = await import(${JSON.stringify(runner)});
  const { spec, strategy } = JSON.parse(process.argv.at(-1));
  const processes = createProcesses({ runMarker: "as-user", secretNames: [], ...(strategy && { strategy }) });
  let output = "";
  const never = new AbortController().signal;
  const { code } = await processes.run({ env: process.env, timeoutMs: 20_000, ...spec }, (chunk) => (output += chunk), never);
  console.log(JSON.stringify({ code, output }));`;

/** Only root can become somebody else. */
export function asUser(who: "this user" | "nobody"): AsUser {
  return async (spec, strategy) => {
    const node = [process.execPath, "--input-type=module", "-e", program, "--", JSON.stringify({ spec, strategy })];
    const ran = await runProcess(who === "nobody" ? [...NOBODY, ...node] : node, { cwd: "/", timeoutMs: 30_000 });
    if (ran.code !== 0) throw new Error(ran.stderr);
    return JSON.parse(ran.stdout) as Ran;
  };
}
