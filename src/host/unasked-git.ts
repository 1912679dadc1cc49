// Git that nobody is asked about: each such command has a git folder of our own over the repository that was there when
// the workspace was opened, and an environment in which nothing leads to another one.
import { type InertGitDir, inertGitDirs } from "../adapters/inert-git/inert-git-dir.ts";
import { pinRepository } from "../adapters/inert-git/pin-repository.ts";
import { leavesOutSubmodules } from "../core/shell/read-only-git.ts";
import type { CommandSpec, Processes } from "../ports/processes.ts";

export type UnaskedGit = {
  /** What the judge is told; undefined where git asks every time. */
  readonly repository?: { readonly top: string };
  /** The same processes, with unasked commands held to it. */
  holding(processes: Processes): Processes;
};

export type UnaskedGitOptions = {
  readonly cwd: string;
  /** Folders that may hold parts of the repository. */
  readonly places: readonly string[];
  /** Ours, where such git folders stand. */
  readonly folder: string;
  /** Of the person: where their own list of ignored files is looked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

export async function openUnaskedGit({ cwd, places, folder, env }: UnaskedGitOptions): Promise<UnaskedGit> {
  const pinned = await pinRepository(cwd, places);
  const { HOME: home, XDG_CONFIG_HOME: config } = env;
  const person = { ...(home !== undefined && { home }), ...(config !== undefined && { config }) };
  const dirs = pinned && inertGitDirs(pinned, folder, person);
  return {
    ...(pinned && { repository: { top: pinned.top } }),
    holding: (processes) => ({
      ...processes,
      async run(spec, onOutput, signal) {
        if (!spec.unasked) return processes.run(spec, onOutput, signal);
        const made = dirs && /\bgit\b/.test(spec.command) ? await dirs.make() : undefined;
        try {
          const exit = await processes.run(held(spec, made), onOutput, signal);
          if (made?.hasSubmodules && leavesOutSubmodules(spec.command)) (spec.onStderr ?? onOutput)(LEFT_OUT);
          return exit;
        } finally {
          made?.remove();
        }
      },
    }),
  };
}

const LEFT_OUT = Buffer.from("(Changes inside submodules are left out here: look at them in their own folders.)\n");

function held(spec: CommandSpec, made: InertGitDir | undefined): CommandSpec {
  const readable = [...(spec.unasked?.readable ?? []), ...(made?.readable ?? [])];
  return { ...spec, env: { ...withoutGit(spec.env), ...made?.env }, unasked: { ...spec.unasked, readable } };
}

/** What a person sets for git, or for the pagers and editors that it starts, is meant for their own commands. */
const withoutGit = (env: CommandSpec["env"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^GIT_|^(?:PAGER|EDITOR|VISUAL|LESS|SSH_ASKPASS)$/.test(name)),
  );
