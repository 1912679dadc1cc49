// Where everything of a tree stands:
//   <state>/trees/<root session>/journal.jsonl, journal.0002.jsonl …   the truth, in segments
//                               /sessions/<path>.jsonl                 a view per session
//                               /artifacts/  /damaged/  lock.<epoch>
import { join } from "node:path";
import type { AgentPath, SessionId } from "../../core/ids.ts";
import { isSessionId } from "../../core/ids.ts";
import type { LogFiles } from "../../ports/log-files.ts";

export type TreePlace = { readonly stateDir: string; readonly tree: SessionId };

export const treesFolder = (stateDir: string): string => join(stateDir, "trees");
export const treeFolder = ({ stateDir, tree }: TreePlace): string => join(treesFolder(stateDir), tree);
export const artifactsFolder = (place: TreePlace): string => join(treeFolder(place), "artifacts");
export const sessionsFolder = (folder: string): string => join(folder, "sessions");
export const damagedFolder = (folder: string): string => join(folder, "damaged");

/** A path comes from a journal that may be damaged or forged: it names one file in the folder, whatever it says. */
export const viewFile = (folder: string, path: AgentPath): string =>
  join(sessionsFolder(folder), `${path.replace(/[^A-Za-z0-9:_-]/g, "_").slice(0, 200)}.jsonl`);

export const segmentName = (n: number): string =>
  n === 1 ? "journal.jsonl" : `journal.${String(n).padStart(4, "0")}.jsonl`;

/** Numbers of the segments in the folder, in order. */
export function segments(files: LogFiles, folder: string): readonly number[] {
  return files
    .list(folder)
    .flatMap((name) => {
      if (name === "journal.jsonl") return [1];
      const digits = /^journal\.(\d{4,9})\.jsonl$/.exec(name)?.[1];
      return digits === undefined || Number(digits) < 2 ? [] : [Number(digits)];
    })
    .sort((a, b) => a - b);
}

export const lockName = (epoch: number): string => `lock.${epoch}`;

/** Epochs of the lock files in the folder, in order. */
export function lockEpochs(files: LogFiles, folder: string): readonly number[] {
  return files
    .list(folder)
    .flatMap((name) => (/^lock\.[1-9]\d{0,14}$/.test(name) ? [Number(name.slice(5))] : []))
    .sort((a, b) => a - b);
}

/** The trees of a state folder, oldest id first. */
export const listTrees = (files: LogFiles, stateDir: string): readonly SessionId[] =>
  files.list(treesFolder(stateDir)).filter(isSessionId).sort();
