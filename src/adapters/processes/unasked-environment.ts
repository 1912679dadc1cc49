// The environment of a command that nobody was asked for: programs of the system first and none from a workspace, and
// nothing that makes the shell or a program that reads run something else.
import { realpathSync } from "node:fs";
import { SYSTEM_PATH } from "./find-program.ts";

type Environment = Readonly<Record<string, string>>;

/** What bash reads before its command, and what the programs of the read-only table would start. */
const LISTENED_TO =
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|CDPATH|GLOBIGNORE|IFS|PS4|GREP_OPTIONS|RIPGREP_CONFIG_PATH|LESSOPEN|LESSCLOSE)$/;

export function unaskedEnvironment(env: Environment, workspaces: readonly string[]): Environment {
  const kept = Object.entries(env).filter(([name]) => !LISTENED_TO.test(name));
  return { ...Object.fromEntries(kept), PATH: safePath(env["PATH"] ?? "", workspaces) };
}

/** The system's folders, then those of the person's own that are absolute and really outside of every workspace. */
function safePath(path: string, workspaces: readonly string[]): string {
  const own = path.split(":").filter((folder) => {
    const real = folder.startsWith("/") ? realFolder(folder) : undefined;
    return real !== undefined && !workspaces.some((root) => real === root || real.startsWith(`${root}/`));
  });
  return [...new Set([...SYSTEM_PATH.split(":"), ...own])].join(":");
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
