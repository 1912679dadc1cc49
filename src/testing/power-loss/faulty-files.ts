// Any LogFiles with faults put in between: a write that is short and then fails, a sync that fails, a full disk.
import type { LogFiles } from "../../ports/log-files.ts";
import { systemError, type Fault, type FaultPlan, type Operation, type OperationKind } from "./fault-plan.ts";

export type FaultyFiles = { readonly files: LogFiles; readonly operations: readonly Operation[] };

/** `plan` is asked before each operation; it may read flags that the test flips. */
export function faultyFiles(inner: LogFiles, plan: FaultPlan): FaultyFiles {
  const operations: Operation[] = [];
  const paths = new Map<number, string>();
  const ask = (kind: OperationKind, path: string): Fault | undefined => {
    const operation = { n: operations.length + 1, kind, path };
    operations.push(operation);
    return plan(operation);
  };
  const check = (kind: OperationKind, path: string): void => {
    const fault = ask(kind, path);
    if (fault) throw systemError(fault.code, kind, path);
  };
  const pathOf = (fd: number): string => paths.get(fd) ?? `fd ${fd}`;
  const opened = (fd: number, path: string): number => (paths.set(fd, path), fd);

  const files: LogFiles = {
    openAppend: (path, fresh) => (check("open", path), opened(inner.openAppend(path, fresh), path)),
    openRead: (path) => (check("open", path), opened(inner.openRead(path), path)),
    close: (fd) => (check("close", pathOf(fd)), inner.close(fd)),
    write(fd, bytes, length) {
      const fault = ask("write", pathOf(fd));
      if (!fault) return inner.write(fd, bytes, length);
      const arrives = Math.min(fault.after ?? 0, length);
      for (let at = 0; at < arrives;) at += inner.write(fd, bytes.subarray(at), arrives - at);
      // A disk that fills up gives a short write first and refuses the next one.
      if (arrives > 0 && fault.code !== "EIO") return arrives;
      throw systemError(fault.code, "write", pathOf(fd));
    },
    truncate: (fd, size) => (check("truncate", pathOf(fd)), inner.truncate(fd, size)),
    size: (fd) => (check("size", pathOf(fd)), inner.size(fd)),
    read: async (fd, into, at) => (check("read", pathOf(fd)), inner.read(fd, into, at)),
    sync: async (fd) => (check("sync", pathOf(fd)), inner.sync(fd)),
    syncFolder: async (path) => (check("syncFolder", path), inner.syncFolder(path)),
    appendText: async (path, text) => (check("appendText", path), inner.appendText(path, text)),
    makeFolder: (path) => (check("makeFolder", path), inner.makeFolder(path)),
    list: (path) => (check("list", path), inner.list(path)),
    look: (path) => (check("look", path), inner.look(path)),
    link: (from, to) => (check("link", to), inner.link(from, to)),
    rename: (from, to) => (check("rename", to), inner.rename(from, to)),
    unlink: (path) => (check("unlink", path), inner.unlink(path)),
    touch: (path) => (check("touch", path), inner.touch(path)),
  };
  return { files, operations };
}
