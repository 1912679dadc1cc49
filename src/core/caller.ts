// Whether a process belongs to a command of an agent, by traces that it cannot put away itself: what those above it were
// started with, and the mounts of its namespace. Pure.

/** In the environment of everything that an agent's command starts. */
export const RUN_VARIABLE = "SOUS_RUN";
/** How deep a lead stands that is started there. */
export const DEPTH_VARIABLE = "SOUS_DEPTH";

export type Traces = {
  /** What the process and each one above it were started with, as in /proc/PID/environ. */
  readonly environments: readonly string[];
  /** As in /proc/PID/mountinfo: it names covered mounts too. */
  readonly mounts: string;
};

/** The name of something that is mounted in the namespace of an agent's command, or of the folder on which it is. */
export const markFolder = (depth: number): string => `sous-agent-${depth}`;

/** How deep a lead stands that this process starts; 0 where no trace of an agent is found. */
export function agentDepth({ environments, mounts }: Traces): number {
  const marked = [...mounts.matchAll(/[/ ]sous-agent-(\d{1,4})(?= )/g)].map(([, depth]) => Number(depth));
  return Math.max(0, ...marked, ...environments.map((text) => depthIn(readEnvironment(text))));
}

export function depthIn(env: Readonly<Record<string, string | undefined>>): number {
  const depth = Number(env[DEPTH_VARIABLE] ?? 0);
  const named = Number.isInteger(depth) && depth > 0 ? depth : 0;
  return Math.max(named, env[RUN_VARIABLE] ? 1 : 0);
}

/** Only what is asked for above: of a name that stands twice the first counts, as it does for programs. */
function readEnvironment(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of [RUN_VARIABLE, DEPTH_VARIABLE]) {
    const value = text.split("\0").find((one) => one.startsWith(`${name}=`));
    if (value !== undefined) found[name] = value.slice(name.length + 1);
  }
  return found;
}
