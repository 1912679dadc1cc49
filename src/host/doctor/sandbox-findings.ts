// What agents in a sandbox can be given: whether single domains can be, and which agents here want that.
import { findProgram } from "../../adapters/processes/find-program.ts";
import { sandboxRuntimeProblem } from "../../adapters/processes/sandbox-runtime.ts";
import { type AgentsOptions, openAgents } from "../agents.ts";
import type { Finding } from "./finding.ts";

const SOCAT = "install socat: apt install socat, dnf install socat, or pacman -S socat";

export async function sandboxFinding(options: AgentsOptions): Promise<Finding> {
  const [check, wanting] = ["domains", await agentsWithDomains(options)];
  const onLinux = process.platform !== "darwin";
  const runtime = sandboxRuntimeProblem();
  const lacks = [
    ...(onLinux && !findProgram("socat") ? [{ what: "socat", todo: SOCAT }] : []),
    ...(runtime === undefined ? [] : [split(runtime)]),
  ];
  const named = wanting.length > 0 ? ` (asked for by ${wanting.join(", ")})` : "";
  if (lacks.length === 0) return { check, is: "ok", says: `sandboxes can be held to a list of domains${named}` };
  const what = lacks.map((one) => one.what).join(" and ");
  const says = `sandboxes with a list of domains are refused${named}: ${what} not there`;
  return { check, is: named ? "missing" : "note", says, todo: lacks.map(({ todo }) => todo).join("; ") };
}

/** What is wrong with agents is told where they are listed. */
async function agentsWithDomains(options: AgentsOptions): Promise<string[]> {
  const known = await openAgents(options).catch(() => undefined);
  const { definitions = [] } = (await known?.snapshot()) ?? {};
  return definitions.filter(({ workspace }) => Array.isArray(workspace?.network)).map(({ name }) => name);
}

/** What is missing, and what to do. */
function split(problem: string): { readonly what: string; readonly todo: string } {
  const at = problem.indexOf(": ");
  return { what: problem.slice(0, at), todo: problem.slice(at + 2) };
}
