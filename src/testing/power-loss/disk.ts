// A disk in memory that knows what would survive a power loss: bytes that were synced, and names whose folder was.
import { basename, dirname } from "node:path";
import type { LogFiles } from "../../ports/log-files.ts";
import { damagedBytes, type DamageKind } from "./damage.ts";
import { systemError } from "./fault-plan.ts";
import { dice, type Dice } from "./random.ts";

type FileNode = { readonly is: "file"; current: Buffer; durable: Buffer; modified: number };
type FolderNode = { readonly is: "folder"; current: Map<string, Node>; durable: Map<string, Node> };
type Node = FileNode | FolderNode;

const emptyFile = (modified: number): FileNode => ({
  is: "file",
  current: Buffer.alloc(0),
  durable: Buffer.alloc(0),
  modified,
});
const emptyFolder = (): FolderNode => ({ is: "folder", current: new Map(), durable: new Map() });

export class SimulatedDisk {
  readonly #root: FolderNode;
  readonly #now: () => number;
  readonly #open = new Map<number, FileNode>();
  #lastFd = 100;
  #off = false;

  constructor(now: () => number, root: FolderNode = emptyFolder()) {
    this.#now = now;
    this.#root = root;
  }

  /** From now on no sync completes, not even one that is under way. */
  powerOff(): void {
    this.#off = true;
  }

  /** The disk as a new process finds it after the power came back. */
  afterPowerLoss(kind: DamageKind, seed: number): SimulatedDisk {
    return new SimulatedDisk(this.#now, survivingFolder(this.#root, kind, dice(seed), new Map()));
  }

  /** The disk as a new process finds it after the old one was killed: nothing is lost. */
  afterKill(): SimulatedDisk {
    return new SimulatedDisk(this.#now, this.#root);
  }

  readonly files: LogFiles = {
    openAppend: (path, fresh) => {
      const folder = this.#folder(dirname(path), "open");
      const existing = folder.current.get(basename(path));
      if (existing && fresh) throw systemError("EEXIST", "open", path);
      const node = existing ?? emptyFile(this.#now());
      if (node.is !== "file") throw systemError("EISDIR", "open", path);
      folder.current.set(basename(path), node);
      this.#open.set(++this.#lastFd, node);
      return this.#lastFd;
    },
    openRead: (path) => {
      this.#open.set(++this.#lastFd, this.#file(path, "open"));
      return this.#lastFd;
    },
    close: (fd) => void this.#open.delete(fd),
    write: (fd, bytes, length) => {
      const node = this.#opened(fd);
      node.current = Buffer.concat([node.current, bytes.subarray(0, length)]);
      node.modified = this.#now();
      return length;
    },
    truncate: (fd, size) => {
      const node = this.#opened(fd);
      node.current = Buffer.concat([node.current.subarray(0, size)], size);
    },
    size: (fd) => this.#opened(fd).current.length,
    read: async (fd, into, at) => this.#opened(fd).current.copy(into, 0, at, at + into.length),
    // What is appended while the sync is under way is not covered by it.
    sync: async (fd) => {
      const node = this.#opened(fd);
      const covered = node.current;
      await this.#settled("fdatasync");
      node.durable = covered;
    },
    syncFolder: async (path) => {
      const folder = this.#folder(path, "fsync");
      const covered = new Map(folder.current);
      await this.#settled("fsync");
      folder.durable = covered;
    },
    appendText: async (path, text) => {
      const fd = this.files.openAppend(path, false);
      this.files.write(fd, Buffer.from(text), Buffer.byteLength(text));
      this.files.close(fd);
    },
    makeFolder: (path) => {
      const folder = this.#folder(dirname(path), "mkdir");
      if (folder.current.has(basename(path))) return false;
      folder.current.set(basename(path), emptyFolder());
      return true;
    },
    list: (path) => {
      const node = this.#find(path);
      return node?.is === "folder" ? [...node.current.keys()] : [];
    },
    look: (path) => {
      const node = this.#find(path);
      if (!node) return undefined;
      return node.is === "folder"
        ? { kind: "folder", size: 0, modified: 0 }
        : { kind: "file", size: node.current.length, modified: node.modified };
    },
    link: (from, to) => {
      const folder = this.#folder(dirname(to), "link");
      if (folder.current.has(basename(to))) throw systemError("EEXIST", "link", to);
      folder.current.set(basename(to), this.#file(from, "link"));
    },
    rename: (from, to) => {
      const node = this.#file(from, "rename");
      this.#folder(dirname(from), "rename").current.delete(basename(from));
      this.#folder(dirname(to), "rename").current.set(basename(to), node);
    },
    unlink: (path) => {
      this.#file(path, "unlink");
      this.#folder(dirname(path), "unlink").current.delete(basename(path));
    },
    touch: (path) => {
      this.#file(path, "utime").modified = this.#now();
    },
  };

  /** Lets others run, as a real sync does. */
  async #settled(kind: string): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#off) throw systemError("EIO", kind, "the power is off");
  }

  #find(path: string): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const name of path.split("/")) {
      if (name === "") continue;
      node = node?.is === "folder" ? node.current.get(name) : undefined;
    }
    return node;
  }

  #file(path: string, kind: string): FileNode {
    const node = this.#find(path);
    if (node?.is !== "file") throw systemError(node ? "EISDIR" : "ENOENT", kind, path);
    return node;
  }

  #folder(path: string, kind: string): FolderNode {
    const node = this.#find(path);
    if (node?.is !== "folder") throw systemError(node ? "ENOTDIR" : "ENOENT", kind, path);
    return node;
  }

  #opened(fd: number): FileNode {
    const node = this.#open.get(fd);
    if (!node) throw systemError("EBADF", "use", `fd ${fd}`);
    return node;
  }
}

function survivingFolder(folder: FolderNode, kind: DamageKind, random: Dice, seen: Map<Node, Node>): FolderNode {
  const survivor = emptyFolder();
  for (const name of new Set([...folder.durable.keys(), ...folder.current.keys()])) {
    const [before, after] = [folder.durable.get(name), folder.current.get(name)];
    // An unsynced change of a name may or may not have reached the disk, each by itself.
    const keepsNew = kind === "kept" || (kind !== "dropped" && random.next() < 0.5);
    const node = before === after || keepsNew ? after : before;
    if (node) survivor.current.set(name, survivingNode(node, kind, random, seen));
  }
  survivor.durable = new Map(survivor.current);
  return survivor;
}

function survivingNode(node: Node, kind: DamageKind, random: Dice, seen: Map<Node, Node>): Node {
  const known = seen.get(node);
  if (known) return known;
  const survivor = node.is === "folder" ? survivingFolder(node, kind, random, seen) : survivingFile(node, kind, random);
  seen.set(node, survivor);
  return survivor;
}

function survivingFile(node: FileNode, kind: DamageKind, random: Dice): FileNode {
  const bytes = Buffer.from(damagedBytes(node.durable, node.current, kind, random));
  return { is: "file", current: bytes, durable: bytes, modified: node.modified };
}
