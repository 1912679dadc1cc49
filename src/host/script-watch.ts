// The scripts that hooks and workspace commands name, as they were when the session began: one that is another by now, or
// that was not there, is not run. Who could write it would else decide what a trusted command does.
import { resolve } from "node:path";
import type { HookSet } from "../core/hooks/hook-set.ts";
import { commandsIn, scriptWords } from "../core/hooks/named-scripts.ts";
import type { Processes } from "../ports/processes.ts";
import { type ActingFiles, scriptsOf } from "./config/acting-files.ts";

export type ScriptWatch = {
  /** The scripts in the project, as absolute paths. */
  readonly paths: readonly string[];
  /** Why this command is not run in a folder, or undefined. */
  problemOf(command: string, cwd: string): string | undefined;
};

export function watchScripts(root: string, cwd: string, acting: ActingFiles, hooks: HookSet): ScriptWatch {
  const commands = [
    ...Object.entries(acting).flatMap(([path, { text = "" }]) => commandsIn(path, text)),
    ...commandsOf(hooks),
  ];
  const watched = new Set(commands.flatMap((command) => scriptWords(command, root).flat()));
  const found = commands.flatMap((command) => scriptsOf(command, root, [root, cwd]));
  const marks = new Set(found.map(({ mark }) => mark));
  return {
    paths: [...new Set(found.map(({ path }) => path))],
    problemOf(command, folder) {
      const words = scriptWords(command, root).flat();
      const paths = new Set(
        words.filter((word) => watched.has(word)).flatMap((word) => [resolve(folder, word), resolve(root, word)]),
      );
      const other = scriptsOf(command, root, [folder, root]).find(
        ({ path, mark }) => paths.has(path) && !marks.has(mark),
      );
      return other && `${other.path} is not what it was when the session began: look at it, then run sous trust`;
    },
  };
}

export const commandsOf = (hooks: HookSet): string[] =>
  Object.values(hooks).flatMap((groups) =>
    groups.flatMap(({ handlers }) => handlers.flatMap(({ run }) => (run.kind === "command" ? [run.command] : []))),
  );

/** Commands whose scripts are what they were. */
export const withWatchedScripts = (processes: Processes, { problemOf }: ScriptWatch): Processes => ({
  ...processes,
  async run(spec, onOutput, signal) {
    const problem = problemOf(spec.command, spec.cwd);
    if (problem !== undefined) throw new Error(problem);
    return processes.run(spec, onOutput, signal);
  },
});
