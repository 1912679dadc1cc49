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
  const uid = process.getuid?.() ?? 0;
  const given = env["XDG_RUNTIME_DIR"];
  const places = [
    ...(given && isAbsolute(given) ? [join(given, "sous")] : []),
    join(tmpdir(), `sous-${uid}`),
    `/tmp/sous-${uid}`,
  ].filter((path) => Buffer.byteLength(path) + NAME_BYTES <= MOST_BYTES);
  const problems: string[] = [];
  for (const path of places) {
    const problem = makeOwn(path, uid);
    if (problem === undefined) return path;
    problems.push(problem);
  }
  throw new HostError(problems.join("; ") || "no folder for a socket has a short enough path", "failed");
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
