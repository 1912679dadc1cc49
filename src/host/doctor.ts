// Looks at everything Sous needs and says what is found, what is missing, and what to do. Executes and obeys nothing
// from the folder it is called in.
import type { Finding } from "./doctor/finding.ts";
import { lookAtConfig } from "./doctor/config-findings.ts";
import { lookAtProject } from "./doctor/project-findings.ts";
import { lookAtPrograms } from "./doctor/program-findings.ts";
import { type LocalServer, localServers, lookAtServers } from "./doctor/server-findings.ts";
import { lookAtState } from "./doctor/state-findings.ts";
import { stateDirOf } from "./state-dir.ts";

export type { Finding } from "./doctor/finding.ts";

export type DoctorOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stateDir?: string;
  readonly configFile?: string;
  readonly servers?: readonly LocalServer[];
};
export type Diagnosis = { readonly usable: boolean; readonly findings: readonly Finding[] };

export async function examine(options: DoctorOptions): Promise<Diagnosis> {
  const { env, cwd } = options;
  const stateDir = stateDirOf(env, options.stateDir);
  const { findings: configured, config } = lookAtConfig(env, options.configFile);
  const [programs, state, project, servers] = await Promise.all([
    lookAtPrograms(config, env["PATH"]),
    lookAtState(stateDir),
    lookAtProject(cwd, env, stateDir, config),
    lookAtServers(options.servers ?? localServers),
  ]);
  const findings = [nodeFinding(process.versions.node), ...state, ...configured, ...project, ...programs, ...servers];
  return { usable: findings.every(({ is }) => is !== "broken"), findings };
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const modern = major > 22 || (major === 22 && minor >= 18);
  return modern
    ? { check: "node", is: "ok", says: `Node ${version}` }
    : { check: "node", is: "broken", says: `Node ${version} is too old`, todo: "install Node 22.18 or newer" };
}
