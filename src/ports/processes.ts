// Commands of an agent: each owned so that ending it ends everything it started.
import type { Network } from "../core/domains.ts";

export type CommandSpec = {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** What it can read; left out, its stdin is at its end. */
  readonly stdin?: string;
  /** With it, stderr is kept apart; left out, it comes with stdout. */
  readonly onStderr?: (chunk: Buffer) => void;
  /** Nobody was asked: where the system can, it reads these folders and the system's own, and does nothing else. */
  readonly unasked?: { readonly readable: readonly string[] };
  /** Left out, it may do what its user may. */
  readonly confine?: Confinement;
  /** Unlike a confinement it is kept only where the system can: elsewhere the command runs all the same. */
  readonly spare?: Spared;
};

/** What a command is to leave as it is. */
export type Spared = {
  /** As far as it is there. */
  readonly keep: readonly string[];
  /** Folders that it is not to make either. */
  readonly bar: readonly string[];
  /** Folders inside of those that it can change all the same. */
  readonly except: readonly string[];
  /** Folders that are empty for it and files that are nothing: what listens there does not hear it. */
  readonly hide: readonly string[];
  /** Of what is hidden, this is there all the same. */
  readonly show?: readonly string[];
};

/** What the system lets a command do, whatever it tries. */
export type Confinement = {
  /** The only folders it can write to, a private /tmp aside; left out, all that is not protected. */
  readonly write?: readonly string[];
  /** Folders it can read and not change. */
  readonly protect: readonly string[];
  /** Folders inside of those that it can change all the same. */
  readonly except?: readonly string[];
  /** With a list, only these domains, and only through the proxy that its environment names. */
  readonly network: Network;
};

export type Exit = {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it was ended by us, if it was. */
  readonly ended: "timeout" | "aborted" | null;
  readonly durationMs: number;
};

export interface Processes {
  /**
   * Runs `command` in a fresh shell, stdout and stderr merged in order of arrival into `onOutput` unless they are
   * kept apart.
   * Resolves within the timeout + 2 s whatever the command does with its pipes, signals or children, and only after
   * everything it started is gone. Rejects only when the shell cannot be started, or not be confined as asked.
   */
  run(spec: CommandSpec, onOutput: (chunk: Buffer) => void, signal: AbortSignal): Promise<Exit>;
  /** What this machine lacks to hold a command to it, as the end of "needs …"; undefined when nothing. */
  lacks(confine: Confinement): Promise<string | undefined>;
  /** How commands are owned on this machine, for `sous doctor`. */
  ownership(): Promise<"bubblewrap" | "unshare" | "keeper">;
}
