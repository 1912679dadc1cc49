// The environment of a command that nobody was asked for: programs of the system first and none from a workspace, and
// of the other variables only a few that are known: any other may be a secret, or make a program run something else.
import { realpathSync } from "node:fs";
import { SYSTEM_PATH } from "./find-program.ts";

type Environment = Readonly<Record<string, string>>;

/** What programs need to find their way and to print, what marks a command as one of ours, and what holds git to its one repository. */
const NEEDED = new RegExp(
  `^(?:${[
    "HOME|LANG|LANGUAGE|LC_[A-Z]+|TERM|TZ|USER|LOGNAME|SHELL|PWD|TMPDIR|COLUMNS|LINES|SOUS_(?:RUN|DEPTH|ENGINE)",
    "GIT_(?:DIR|WORK_TREE|CONFIG_NOSYSTEM|CONFIG_GLOBAL|ATTR_NOSYSTEM|OPTIONAL_LOCKS|NO_LAZY_FETCH|TERMINAL_PROMPT)",
    "GIT_(?:PAGER|CONFIG_COUNT|CONFIG_KEY_0|CONFIG_VALUE_0)",
  ].join("|")})$`,
);

export function unaskedEnvironment(env: Environment, workspaces: readonly string[]): Environment {
  const kept = Object.entries(env).filter(([name]) => NEEDED.test(name));
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
