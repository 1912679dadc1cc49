// A way to own a command: whatever it starts ends with it, and with the engine.
import type { ChildProcess } from "node:child_process";
import type { Confinement, Processes } from "../../ports/processes.ts";
import type { Spare } from "./spare.ts";
import type { FindProgram } from "./find-program.ts";
import type { Unasked } from "./unasked-view.ts";

export type Ownership = Awaited<ReturnType<Processes["ownership"]>>;

/** What a command is held to. */
export type Bounds = {
  readonly confine?: Confinement;
  readonly spare?: Spare;
  /** Where the namespace has no network: what listens in it for the proxy outside. */
  readonly relay?: Relay;
  /** How deep Sous would stand that the command starts: it is told by the namespace. */
  readonly depth?: number;
  /** Nobody was asked about it. */
  readonly unasked?: Unasked;
};

/** A program that passes on connections to a port of the namespace's own loopback to a socket outside. */
export type Relay = { readonly socat: string; readonly port: number; readonly socket: string };

/**
 * What a started process has: stdout is the command's merged output, stderr what the wrapping has to say, and
 * descriptor 3 a socket on which the wrapping says that it is ready, waits for the word to start the command, and
 * reports how it ended (see shell-protocol.ts). SIGURG to its process group asks the command's processes to end (SIGTERM).
 */
export type Strategy = {
  readonly name: Ownership;
  /** The program and arguments that run the command's shell, owned; `apart`: with its stderr at descriptor 4. */
  argv(shell: readonly string[], apart: boolean, bounds?: Bounds): readonly string[];
  /** It can hold a command to a confinement. */
  readonly confines: boolean;
  /** Ends everything at once. The process itself ends only after everything it owns is gone. */
  kill(child: ChildProcess): void;
};

/** The forms of a strategy that this machine has the programs for, the best first. */
export type FindStrategies = (find: FindProgram) => readonly Strategy[];
