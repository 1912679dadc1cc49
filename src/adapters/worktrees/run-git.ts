// One call of git that obeys nobody's configuration but ours: no hook, filter, pager, monitor or helper ever runs.
import { spawn } from "node:child_process";
import { SYSTEM_PATH, findProgram } from "../processes/find-program.ts";
import { tiedToUs } from "../processes/tied-to-us.ts";
import { watchForStall } from "./stall-watch.ts";

export type GitCall = {
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Its own git folder; never one of a project. */
  readonly gitDir?: string;
  readonly workTree?: string;
  readonly index?: string;
  /** Folders of objects that are read besides its own. */
  readonly objects?: readonly string[];
  /** Where new objects go, instead of its own. */
  readonly objectsInto?: string;
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** 1 is an answer of some commands, not a failure. */
  readonly mayBeOne?: true;
};

const PATIENCE_MS = 120_000;
const MOST_BYTES = 256 * 1024 * 1024;
const SETTINGS = [
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false", "core.autocrlf=false"],
  ...["core.safecrlf=false", "core.attributesFile=/dev/null", "core.excludesFile=/dev/null", "gc.auto=0"],
  ...["maintenance.auto=false", "protocol.allow=never", "commit.gpgSign=false", "core.quotePath=false"],
  ...[
    "core.pager=cat",
    "diff.external=",
    "advice.addEmbeddedRepo=false",
    "core.symlinks=true",
    "core.fileMode=true",
    "core.bare=false",
  ],
];

/** Bytes stay as they are: no line endings, filters, keywords or encodings of the project's attributes. */
export const PLAIN_ATTRIBUTES = "* -text !filter !ident !eol !working-tree-encoding !diff !merge\n";

export class GitProblem extends Error {}

export async function runGit(call: GitCall): Promise<Buffer> {
  const settings = SETTINGS.flatMap((setting) => ["-c", setting]);
  const limit = AbortSignal.timeout(PATIENCE_MS);
  const program = findProgram("git");
  if (program === undefined) throw new GitProblem("git is not installed where the system keeps programs (sous doctor)");
  const child = spawn(...tiedToUs(program, [...settings, ...call.args]), {
    ...(call.cwd !== undefined && { cwd: call.cwd }),
    env: environment(call),
    stdio: ["pipe", "pipe", "pipe"],
    signal: call.signal ? AbortSignal.any([call.signal, limit]) : limit,
    killSignal: "SIGKILL",
  });
  child.stdin.on("error", () => {}).end(call.input);
  const chunks: Buffer[] = [];
  let [bytes, said] = [0, ""];
  child.stdout.on("data", (chunk: Buffer) => {
    if ((bytes += chunk.length) > MOST_BYTES) child.kill("SIGKILL");
    else chunks.push(chunk);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    if (said.length < 4_000) said += chunk;
  });
  let isStalled = false;
  const watch = watchForStall(child.pid, () => (isStalled = child.kill("SIGKILL")));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", (error) => (limit.aborted ? resolve(null) : reject(unavailable(error))));
    child.on("close", resolve);
  }).finally(() => watch.stop());
  call.signal?.throwIfAborted();
  if (isStalled)
    throw new GitProblem(`git ${call.args[0]} waits without an end: is a pipe in the place of a file that git reads?`);
  if (limit.aborted) throw new GitProblem(`git ${call.args[0]} took longer than ${PATIENCE_MS / 1000} s`);
  if (bytes > MOST_BYTES) throw new GitProblem(`git ${call.args[0]} said more than is read`);
  if (code !== 0 && !(code === 1 && call.mayBeOne))
    throw new GitProblem(`git ${call.args[0]}: ${said.trim().split("\n").at(-1) || `ended with ${code}`}`);
  return Buffer.concat(chunks);
}

function environment({ gitDir, workTree, index, objects, objectsInto }: GitCall): Record<string, string> {
  return {
    PATH: SYSTEM_PATH,
    LC_ALL: "C",
    HOME: "/nonexistent",
    XDG_CONFIG_HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_AUTHOR_NAME: "Sous",
    GIT_AUTHOR_EMAIL: "sous@localhost",
    GIT_COMMITTER_NAME: "Sous",
    GIT_COMMITTER_EMAIL: "sous@localhost",
    ...(gitDir !== undefined && { GIT_DIR: gitDir }),
    ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
    ...(index !== undefined && { GIT_INDEX_FILE: index }),
    ...(objects && { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.map(quoted).join(":") }),
    ...(objectsInto !== undefined && { GIT_OBJECT_DIRECTORY: objectsInto }),
  };
}

/** As git reads a list of paths: one that holds a colon goes into quotes. */
const quoted = (path: string): string => `"${path.replace(/["\\]/g, "\\$&")}"`;

/** Also where the folder it is to run in is not there. */
const unavailable = (error: Error): Error =>
  "code" in error && error.code === "ENOENT" ? new GitProblem("git could not be started") : error;
