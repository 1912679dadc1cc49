// When a simulated or real disk fails, and how: asked before every operation.
export type OperationKind =
  | "open"
  | "write"
  | "truncate"
  | "read"
  | "sync"
  | "syncFolder"
  | "appendText"
  | "makeFolder"
  | "list"
  | "look"
  | "link"
  | "rename"
  | "unlink"
  | "touch"
  | "size"
  | "close";

export type Operation = {
  /** Counts from 1. */
  readonly n: number;
  readonly kind: OperationKind;
  readonly path: string;
};

export type Fault = {
  readonly code: "ENOSPC" | "EIO" | "EDQUOT";
  /** Of a write: this many bytes arrive before it fails. */
  readonly after?: number;
};

export type FaultPlan = (operation: Operation) => Fault | undefined;

export function systemError(code: string, kind: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${kind} '${path}'`), { code });
}
