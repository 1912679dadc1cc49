// Opens a tree for writing: takes its lock, reads its history, mends its end, and hands out its log.
import type { Recorded } from "../../core/events.ts";
import { mendHistory } from "../../core/mend-history.ts";
import { type Newer, newerText } from "../../core/newer-format.ts";
import type { LogFiles } from "../../ports/log-files.ts";
import type { Damage, LogFault, TreeLog } from "../../ports/tree-log.ts";
import { foldersAbove, prepareFolders } from "./folders.ts";
import { GroupCommit } from "./group-commit.ts";
import { JournalEnd } from "./journal-end.ts";
import { treeFolder, type TreePlace } from "./layout.ts";
import { acquireLock, heldMessage, type LockOptions, type TreeLock } from "./lock.ts";
import type { LockContent, OwnerIdentity } from "./lock-file.ts";
import { fenced, logFault } from "./log-faults.ts";
import { readNewer } from "./read-newer.ts";
import { readJournal, type Journal } from "./reader.ts";
import { SessionViews } from "./session-views.ts";
import { setAside } from "./set-aside.ts";
import { TreeJournal } from "./tree-journal.ts";

export type OpenTree = TreePlace & {
  readonly files: LogFiles;
  readonly mode: "create" | "existing";
  readonly owner: OwnerIdentity;
  /** What the owner runs, for the message to those who come second: `sous run`. */
  readonly command: string;
  readonly liveness: LockOptions["liveness"];
  readonly now: () => number;
  /** Trouble that no caller waits for: told to the person; the log goes on as well as it can. */
  readonly onFault?: (fault: LogFault) => void;
  readonly syncWithinMs?: number;
};

export type History = {
  readonly events: readonly Recorded[];
  readonly damage: readonly Damage[];
  /** Sentences for the person. */
  readonly notices: readonly string[];
};

export type OpenedTree =
  | (History & { readonly is: "open"; readonly log: TreeLog })
  | (History & { readonly is: "read-only"; readonly why: string })
  | { readonly is: "held"; readonly by: LockContent | undefined; readonly message: string }
  | { readonly is: "refused"; readonly message: string };

/** Throws a LogFault when the disk does not play along. */
export async function openTree(options: OpenTree): Promise<OpenedTree> {
  try {
    return await open(options);
  } catch (error) {
    throw logFault(error, `session ${options.tree} could not be opened`);
  }
}

async function open(options: OpenTree): Promise<OpenedTree> {
  const { files, tree, mode } = options;
  const strange = mode === "existing" ? await readNewer(files, options) : undefined;
  if (strange?.newer) return readOnly(strange, strange.newer);
  const message = await prepareFolders(files, options, mode);
  if (message !== undefined) return { is: "refused", message };
  const owned = await own(options, treeFolder(options));
  if (owned.is === "held") return { is: "held", by: owned.by, message: heldMessage(tree, owned.by) };
  const { lock, journal, previous } = owned;
  try {
    if (mode === "create" && journal.last) {
      lock.release();
      return { is: "refused", message: `session ${tree} exists already` };
    }
    if (journal.newer !== undefined) {
      lock.release();
      return readOnly(journal, journal.newer);
    }
    return await openForWriting(options, lock, journal, previous);
  } catch (error) {
    lock.release();
    throw error;
  }
}

const readOnly = (journal: Journal, newer: Newer): OpenedTree => ({
  is: "read-only",
  why: newerText(newer),
  ...history(journal, []),
});

async function openForWriting(
  options: OpenTree,
  lock: TreeLock,
  journal: Journal,
  previous: LockContent | undefined,
): Promise<OpenedTree> {
  const { files, now, onFault = () => {}, syncWithinMs = 50 } = options;
  const folder = treeFolder(options);
  const notices = lastEnd(options, previous);
  if (journal.last && journal.last.fragment > 0) {
    const kept = await setAside(files, folder, journal.last);
    notices.push(`the journal ended in ${journal.last.fragment} bytes of an unfinished record; kept in ${kept}`);
  }
  const checkOwner = (): void => {
    if (!lock.stillOurs()) throw fenced(options.tree);
  };
  const end = new JournalEnd(files, folder, journal.last?.number ?? 1, foldersAbove(options));
  if (journal.last) await makeDurable(end, journal, onFault);
  const commit = new GroupCommit({ end, checkOwner, onFault, syncWithinMs, synced: journal.lastSeq });
  const views = new SessionViews(files, folder, (error) =>
    onFault(logFault(error, "the files in sessions/ are no longer kept up (the journal is whole)")),
  );
  views.catchUp(journal.events);
  const release = (): void => lock.release();
  const { lastSeq: seq } = journal;
  const read = async (): Promise<readonly Recorded[]> => {
    const { events, damage } = await readJournal(files, folder);
    return damage.length > 0 ? mendHistory(events) : events;
  };
  const log = new TreeJournal({ seq, epoch: lock.epoch, end, commit, views, read, checkOwner, release, now });
  return { is: "open", log, ...history(journal, notices) };
}

/** What a killed owner left may still be only in memory. After this all that was read is durable. */
async function makeDurable(end: JournalEnd, { events }: Journal, onFault: (fault: LogFault) => void): Promise<void> {
  try {
    await end.sync().catch((error: unknown) => {
      onFault(logFault(error, "the journal could not be synced to the disk"));
      // Which part of it the system threw away cannot be known.
      end.startSegment(events.map((event) => `${JSON.stringify(event)}\n`));
      return end.sync();
    });
  } catch (error) {
    end.close();
    throw error;
  }
}

type Owned =
  | { is: "owned"; lock: TreeLock; journal: Journal; previous: LockContent | undefined }
  | { is: "held"; by: LockContent | undefined };

/** The history is read under the lock, and under an epoch that is higher than any in it. */
async function own(options: OpenTree, folder: string): Promise<Owned> {
  const acquired = await acquireLock({ ...options, folder });
  if (acquired.is === "held") return acquired;
  const { previous } = acquired;
  let { lock } = acquired;
  try {
    for (;;) {
      const journal = await readJournal(options.files, folder);
      if (journal.lastEpoch < lock.epoch) return { is: "owned", lock, journal, previous };
      const raised = await lock.raise(journal.lastEpoch);
      if (raised.is === "held") return raised;
      lock = raised.lock;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A clean end needs no words. */
function lastEnd({ owner }: OpenTree, previous: LockContent | undefined): string[] {
  if (!previous || previous.released) return [];
  const who = `process ${previous.pid} (${previous.command})`;
  if (previous.bootId === owner.bootId) return [`${who} ended without closing the session; all it wrote is here`];
  return [
    `the machine went down while ${who} had the session open; what it had not yet acknowledged ` +
      `(at most its last moments) may be missing`,
  ];
}

function history(journal: Journal, notices: readonly string[]): History {
  const { events, damage } = journal;
  if (damage.length === 0) return { events, damage, notices };
  const first = damage[0];
  const more = damage.length > 1 ? ` and ${damage.length - 1} more` : "";
  const told = `the journal is damaged: ${first?.segment} line ${first?.line}: ${first?.what}${more}; all else was loaded`;
  return { events, damage, notices: [...notices, told] };
}
