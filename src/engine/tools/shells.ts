// Commands of one run that go on in the background: their output since it was last asked for, and their end. None
// outlives the run.
import type { Collector } from "../../std/bounded.ts";
import type { Exit } from "../../ports/processes.ts";

export type ShellStart = {
  readonly command: string;
  run(onOutput: (chunk: Buffer) => void, signal: AbortSignal): Promise<Exit>;
  /** Bounds what comes until it is asked for; its text ends with where the rest went. */
  collect(): Collector;
};

export type ShellNews = {
  readonly command: string;
  readonly output: string;
  readonly at:
    | { readonly is: "running" }
    | { readonly is: "ended"; readonly exit: Exit }
    | { readonly is: "broken"; readonly why: string };
  /** Its end has not been told before. */
  readonly endIsNew: boolean;
};

export type Shells = {
  /** Undefined when too many run already. */
  start(shell: ShellStart): string | undefined;
  isFull(): boolean;
  news(id: string): ShellNews | undefined;
  /** Resolves when everything it started is gone. */
  stop(id: string): Promise<void>;
  readonly ids: readonly string[];
  close(): Promise<void>;
};

const MOST_RUNNING = 16;

type Shell = {
  readonly command: string;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  readonly collect: () => Collector;
  output: Collector;
  at: ShellNews["at"];
  told: boolean;
};

export function createShells(): Shells {
  const shells = new Map<string, Shell>();
  const running = (): Shell[] => [...shells.values()].filter((shell) => shell.at.is === "running");

  const isFull = (): boolean => running().length >= MOST_RUNNING;

  const stop = async (shell: Shell): Promise<void> => {
    shell.abort.abort(new Error("ended by its agent"));
    await shell.ended;
  };

  return {
    isFull,
    start({ command, run, collect }) {
      if (isFull()) return undefined;
      const id = `bash_${shells.size + 1}`;
      const abort = new AbortController();
      const done = run((chunk) => shell.output.write(chunk), abort.signal).then(
        (exit) => void (shell.at = { is: "ended", exit }),
        (error: unknown) =>
          void (shell.at = { is: "broken", why: error instanceof Error ? error.message : String(error) }),
      );
      const shell: Shell = {
        command,
        abort,
        ended: done,
        collect,
        output: collect(),
        at: { is: "running" },
        told: false,
      };
      shells.set(id, shell);
      return id;
    },
    news(id) {
      const shell = shells.get(id);
      if (!shell) return undefined;
      const output = shell.output.finish().text;
      shell.output = shell.collect();
      const endIsNew = shell.at.is !== "running" && !shell.told;
      shell.told ||= endIsNew;
      return { command: shell.command, output, at: shell.at, endIsNew };
    },
    async stop(id) {
      const shell = shells.get(id);
      if (shell) await stop(shell);
    },
    get ids() {
      return [...shells.keys()];
    },
    close: async () => void (await Promise.all(running().map(stop))),
  };
}
