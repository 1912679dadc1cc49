// One owner per tree. Whoever links `lock.<n+1>` next to a dead or released `lock.<n>` owns the tree with epoch n+1;
// an owner that was overtaken finds the next lock beside its own and stops writing.
import { join } from "node:path";
import type { LogFiles } from "../../ports/log-files.ts";
import { errorCode } from "../../ports/log-files.ts";
import { lockEpochs, lockName } from "./layout.ts";
import {
  putLock,
  readLock,
  removeIfThere,
  sweepTemporary,
  tryToRemove,
  type LockContent,
  type OwnerIdentity,
} from "./lock-file.ts";

export type LockOptions = {
  readonly files: LogFiles;
  readonly folder: string;
  readonly owner: OwnerIdentity;
  readonly command: string;
  readonly liveness: (owner: OwnerIdentity) => "alive" | "dead" | "unknown";
  readonly now: () => number;
};

export type Acquired =
  | { readonly is: "owned"; readonly lock: TreeLock; readonly previous: LockContent | undefined }
  | { readonly is: "held"; readonly by: LockContent | undefined };

/** An owner whose life cannot be judged from here shows it by touching its lock. */
const freshMs = 30_000;
const touchMs = 10_000;
const attempts = 100;

/** `above`: the tree's records already carry this epoch, whatever lock files are there. */
export async function acquireLock(options: LockOptions, above = 0): Promise<Acquired> {
  const { files, folder } = options;
  for (let i = 0; i < attempts; i++) {
    const highest = lockEpochs(files, folder).at(-1) ?? 0;
    const state = highest === 0 ? { free: true, by: undefined } : await judge(options, highest);
    if (state === "changed") continue;
    if (!state.free) return { is: "held", by: state.by };
    const epoch = Math.max(highest, above) + 1;
    if (!tryLink(options, epoch)) continue;
    // Between listing and linking others may have come and gone, and tidied up the lock that should have stopped us.
    if (lockEpochs(files, folder).at(-1) !== epoch) {
      removeIfThere(files, join(folder, lockName(epoch)));
      continue;
    }
    return { is: "owned", lock: new TreeLock(options, epoch), previous: state.by };
  }
  return { is: "held", by: undefined };
}

export class TreeLock {
  readonly epoch: number;
  readonly #options: LockOptions;
  readonly #path: string;
  readonly #next: string;
  readonly #timer: NodeJS.Timeout;

  constructor(options: LockOptions, epoch: number) {
    this.epoch = epoch;
    this.#options = options;
    this.#path = join(options.folder, lockName(epoch));
    this.#next = join(options.folder, lockName(epoch + 1));
    this.#timer = setInterval(() => this.#touch(), touchMs).unref();
    this.#tidy();
  }

  /** Whether nobody has overtaken us. Our own lock goes only when one two epochs later has come. */
  stillOurs(): boolean {
    const { files } = this.#options;
    return !files.look(this.#next) && files.look(this.#path) !== undefined;
  }

  /** Takes a higher epoch: needed when records with ours already exist, because lock files were lost or removed. */
  async raise(above: number): Promise<Acquired> {
    this.release();
    return acquireLock(this.#options, above);
  }

  release(): void {
    clearInterval(this.#timer);
    const { files, folder } = this.#options;
    try {
      if (!this.stillOurs()) return;
      putLock(files, folder, { ...contentOf(this.#options), released: true }, (temporary) =>
        files.rename(temporary, this.#path),
      );
    } catch {
      // A full disk takes no new file but lets one go. The records keep the epoch from being used again.
      tryToRemove(files, this.#path);
    }
  }

  #touch(): void {
    try {
      this.#options.files.touch(this.#path);
    } catch {
      // Gone: the next look before a sync finds out.
    }
  }

  /** The last lock but one stays, so that one who is just about to link it still fails. Lowest first: see stillOurs. */
  #tidy(): void {
    const { files, folder, now } = this.#options;
    for (const epoch of lockEpochs(files, folder)) {
      if (epoch < this.epoch - 1) tryToRemove(files, join(folder, lockName(epoch)));
    }
    sweepTemporary(files, folder, now());
  }
}

/** For the person who came second. */
export function heldMessage(tree: string, by: LockContent | undefined): string {
  if (!by) return `session ${tree} is open in another process; stop it or wait`;
  const since = new Date(by.since);
  const time = [since.getHours(), since.getMinutes()].map((n) => String(n).padStart(2, "0")).join(":");
  return `session ${tree} is open in process ${by.pid} (${by.command}) since ${time}; stop it or wait`;
}

type State = { readonly free: boolean; readonly by: LockContent | undefined } | "changed";

async function judge(options: LockOptions, epoch: number): Promise<State> {
  const path = join(options.folder, lockName(epoch));
  const facts = options.files.look(path);
  const content = await readLock(options.files, path);
  if (!facts || content === "gone") return "changed";
  if (content === "ruined") return { free: true, by: undefined };
  const by = content === "foreign" ? undefined : content;
  if (by?.released === true) return { free: true, by };
  const life = by ? options.liveness(by) : "unknown";
  if (life !== "unknown") return { free: life === "dead", by };
  return { free: Math.abs(options.now() - facts.modified) > freshMs, by };
}

function tryLink(options: LockOptions, epoch: number): boolean {
  const { files, folder } = options;
  try {
    putLock(files, folder, contentOf(options), (temporary) => files.link(temporary, join(folder, lockName(epoch))));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function contentOf({ owner, command, now }: LockOptions): LockContent {
  const { pid, startTime, bootId, pidNamespace } = owner;
  return { pid, startTime, bootId, pidNamespace, command, since: now(), released: false };
}
