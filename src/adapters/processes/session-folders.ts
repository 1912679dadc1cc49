// The folders in which programs of a session listen, made before the programs are: what is not there when a command starts
// could not be hidden from it, and somebody may begin a multiplexer while it runs. Each is as the program itself makes it.
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;
type Folder = { readonly path: string; readonly mode: number };

/** `temporary`: folders for what is temporary. */
export function sessionFolders(env: Env, uid: number, temporary: readonly string[]): readonly Folder[] {
  const user = env["USER"] ?? env["LOGNAME"] ?? "";
  const names = [`tmux-${uid}`, `zellij-${uid}`, `emacs${uid}`, ...(/^[\w.-]+$/.test(user) ? [`nvim.${user}`] : [])];
  const ours = temporary.flatMap((folder) => names.map((name) => ({ path: join(folder, name), mode: 0o700 })));
  return uid === 0 ? [...ours, ...OF_THE_SYSTEM] : ours;
}

/** Made by root for all, or by nobody. */
const OF_THE_SYSTEM: readonly Folder[] = [
  { path: "/run/user/0", mode: 0o700 },
  { path: "/run/screen", mode: 0o755 },
  { path: "/tmp/.X11-unix", mode: 0o1777 },
  { path: "/tmp/.ICE-unix", mode: 0o1777 },
];

/** Where we cannot make it, it stays as it is. Folders above it are not made. */
export function makeIfMissing(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
    // Whatever the umask is.
    chmodSync(path, mode);
  } catch {
    // It is there, or it is not ours to make.
  }
}
