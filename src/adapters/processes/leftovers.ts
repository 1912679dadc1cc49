// What engines that died left behind: every engine that starts commands leaves a note of itself, and the next start
// ends and reports what still runs under the marks of one that is gone.
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolders } from "../folders/make-folders.ts";
import type { Marks } from "./command-environment.ts";
import { endMarked, type Marked } from "./marked-processes.ts";
import { liveness, type ProcessIdentity, thisProcess } from "./process-identity.ts";

export type Leftover = Marked & { readonly engine: ProcessIdentity };

/** Notes that this engine starts commands under these marks. Returns what takes the note away again. */
export function registerEngine(stateDir: string, { runMarker, engine }: Marks): () => void {
  const folder = join(stateDir, "engines");
  makeFolders(folder, 0o700);
  if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  const note: Note = { ...engine, marker: runMarker };
  const path = join(folder, `${note.pid}-${note.startTime || "0"}-${short(runMarker)}.json`);
  // Whole or not there: a sweep by another engine may read it at any moment.
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, JSON.stringify(note), { mode: 0o600, flag: "wx" });
  renameSync(`${path}.new`, path);
  return () => rmSync(path, { force: true });
}

/** Ends what dead engines left running, and says what that was. */
export async function sweepLeftovers(stateDir: string): Promise<readonly Leftover[]> {
  const folder = join(stateDir, "engines");
  const swept: Leftover[] = [];
  for (const name of notesIn(folder)) {
    const path = join(folder, name);
    const note = readNote(path);
    if (note && liveness(note) !== "dead") continue;
    if (note) swept.push(...(await endAll(note)));
    rmSync(path, { force: true });
  }
  return swept;
}

type Note = ProcessIdentity & { readonly marker: string };

async function endAll({ marker, ...engine }: Note): Promise<Leftover[]> {
  // Nothing outlives a reboot.
  if (engine.bootId !== thisProcess().bootId) return [];
  const ended = new Map<number, Leftover>();
  // Again until nobody is found: one may have been starting another.
  for (let round = 0; round < rounds; round++) {
    const found = endMarked({ runMarker: marker, engine });
    if (found.length === 0) break;
    for (const one of found) ended.set(one.pid, { ...one, engine });
    await sleep(pauseMs);
  }
  return [...ended.values()];
}

const rounds = 100;
const pauseMs = 5;

function notesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function readNote(path: string): Note | undefined {
  try {
    const note = JSON.parse(readFileSync(path, "utf8")) as Partial<Note>;
    const { pid, startTime, bootId, pidNamespace, marker } = note;
    if (!Number.isSafeInteger(pid) || !isWord(startTime) || !isWord(bootId) || !isWord(pidNamespace)) return undefined;
    return isWord(marker) && marker !== "" ? (note as Note) : undefined;
  } catch {
    return undefined;
  }
}

const isWord = (value: unknown): value is string => typeof value === "string";
const short = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
