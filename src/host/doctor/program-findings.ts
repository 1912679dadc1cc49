// Programs of the system: how commands are owned, and what tools use.
import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProcesses } from "../../adapters/processes/create-processes.ts";
import { type FindProgram, findOnPath, findProgram } from "../../adapters/processes/find-program.ts";
import { createRipgrep } from "../../adapters/search/ripgrep.ts";
import { secretNames } from "../config/key-names.ts";
import type { Config } from "../config/schema.ts";
import type { Finding } from "./finding.ts";

const BUBBLEWRAP = "install bubblewrap: apt install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap";
const GIT = "install git: apt install git, dnf install git, or brew install git";

/** `path`: the person's, where a program may stand that is not used. */
export async function lookAtPrograms(config: Config, path = ""): Promise<Finding[]> {
  return Promise.all([ownership(config), gitFinding(path), ripgrep(), bubblewrap(path)]);
}

async function ownership(config: Config): Promise<Finding> {
  const processes = createProcesses({ runMarker: "doctor", secretNames: secretNames(config) });
  try {
    const by = await processes.ownership();
    if (by !== "keeper") return { check: "processes", is: "ok", says: `commands are owned by ${by}` };
    const says = "commands are owned by a keeper: one that leaves its group and clears its environment may escape";
    return { check: "processes", is: "note", says, todo: `${BUBBLEWRAP}; or allow user namespaces` };
  } catch (error) {
    return { check: "processes", is: "broken", says: (error as Error).message, todo: BUBBLEWRAP };
  } finally {
    processes.close();
  }
}

export async function gitFinding(path: string, find: FindProgram = findProgram): Promise<Finding> {
  const program = find("git");
  const version = program && (await firstLine(program, ["--version"]));
  if (version) return { check: "git", is: "ok", says: version };
  const says = `${notFound("git", path)}: no isolation in worktrees`;
  return { check: "git", is: "missing", says, todo: GIT };
}

/** Found only where an agent or a project could have put it, it is not used. */
function notFound(name: string, path: string): string {
  const place = findOnPath(name, path);
  return place === undefined
    ? `${name} is not installed`
    : `${name} is only at ${place}, and Sous starts programs from the system's own folders only`;
}

async function ripgrep(): Promise<Finding> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "sous-doctor-")));
  try {
    const select = {};
    const found = await createRipgrep().files({ root: folder, select, most: 1 }, AbortSignal.timeout(5_000));
    if (found.ok) return { check: "ripgrep", is: "ok", says: "ripgrep works" };
    return { check: "ripgrep", is: "missing", says: `ripgrep: ${found.problem}`, todo: "install Sous again" };
  } catch (error) {
    return {
      check: "ripgrep",
      is: "missing",
      says: `ripgrep: ${(error as Error).message}`,
      todo: "install Sous again",
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Not only there: a system may refuse what it needs. */
async function bubblewrap(path: string): Promise<Finding> {
  const program = findProgram("bwrap");
  const version = program && (await firstLine(program, ["--version"]));
  const without = "agents in a sandbox are refused, those in copies of their own not kept from the project";
  const missing = (why: string, todo: string): Finding => ({
    check: "bubblewrap",
    is: "missing",
    says: `${why}: ${without}`,
    todo,
  });
  if (!version) return missing(notFound("bwrap", path), BUBBLEWRAP);
  const refused = await confined();
  if (refused !== undefined) return missing(`${version} does not work (${refused})`, "allow user namespaces");
  return { check: "bubblewrap", is: "ok", says: `${version}: commands can be confined (worktree, sandbox, read-only)` };
}

/** Why a command cannot be confined, or undefined. */
async function confined(): Promise<string | undefined> {
  const processes = createProcesses({ runMarker: "doctor", secretNames: [] });
  const confine = { write: [], protect: [], network: false };
  try {
    const spec = { command: ":", cwd: "/", env: {}, timeoutMs: 5_000, confine };
    const { code } = await processes.run(spec, () => {}, new AbortController().signal);
    return code === 0 ? undefined : `ended with ${code}`;
  } catch (error) {
    return (error as Error).message.split("\n")[0];
  } finally {
    processes.close();
  }
}

/** Away from the folder we were called in, and without its person's settings. */
function firstLine(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: "/", env: {}, timeout: 3_000 }, (error, stdout) =>
      resolve(error ? undefined : stdout.split("\n")[0]?.trim() || undefined),
    );
  });
}
