// The folder of the sockets by which other terminals reach a run: of this user alone, with a short path.
import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { HostError } from "../host-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Systems allow 104 to 108 bytes for a socket's path, and a longer one is silently cut short. */
const MOST_BYTES = 100;
/** As long as any of our names, with the slash before it. */
const NAME_BYTES = 32;

/** Made if it is not there. Throws where what stands in its place is not a folder of ours alone. */
export function runtimeFolder(env: Env): string {
  const problems: string[] = [];
  for (const path of placesFor(env)) {
    const problem = makeOwn(path, userId());
    if (problem === undefined) return path;
    problems.push(problem);
  }
  throw new HostError(problems.join("; ") || "no folder for a socket has a short enough path", "failed");
}

/** All that runs of this user may have their sockets in; the one that this run will use is there afterwards. */
export function runtimeFolders(env: Env): readonly string[] {
  try {
    runtimeFolder(env);
  } catch {
    // Then nobody can be reached there.
  }
  return placesFor(env);
}

const userId = (): number => process.getuid?.() ?? 0;

function placesFor(env: Env): string[] {
  const given = env["XDG_RUNTIME_DIR"];
  return [
    ...(given && isAbsolute(given) ? [join(given, "sous")] : []),
    join(tmpdir(), `sous-${userId()}`),
    `/tmp/sous-${userId()}`,
  ].filter((path) => Buffer.byteLength(path) + NAME_BYTES <= MOST_BYTES);
}

/** Why the folder cannot be used, or undefined. A link is not followed: its maker would choose where it leads. */
function makeOwn(path: string, uid: number): string | undefined {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST") return message;
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return `${path} is not a folder`;
  if (found.uid !== uid) return `${path} belongs to another user`;
  // Ours since before, but open to others: nobody may have put anything there meanwhile that we would trust.
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o700);
  return undefined;
}
