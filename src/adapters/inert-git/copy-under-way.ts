// What git tells of work that is not finished: a merge, a rebase, patches that are applied, a bisection. Small files of
// the repository's own are copied, so that git finds what it looks for and follows no link.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ReadLimits, readBoundedSync } from "../files/read-bounded.ts";

const IDS = ["ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD"];
const TEXTS = [
  ...["head-name", "onto", "interactive", "done", "git-rebase-todo", "amend", "orig-head", "stopped-sha"].map(
    (name) => `rebase-merge/${name}`,
  ),
  ...["head-name", "onto", "applying", "rebasing", "next", "last"].map((name) => `rebase-apply/${name}`),
  ...["sequencer/todo", "BISECT_LOG", "BISECT_START", "BISECT_TERMS"],
];
const MOST_IDS = 4_096;
const MOST_TEXT = 1024 * 1024;

/** From the git folder `from`, a real path, into ours. */
export function copyUnderWay(from: string, to: string): void {
  const read = (name: string, limits: ReadLimits): Buffer | undefined => {
    const found = readBoundedSync(join(from, name), { ...limits, noLink: true, within: from });
    return found.ok ? found.bytes : undefined;
  };
  const write = (name: string, bytes: Buffer | string): void => {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    writeFileSync(join(to, name), bytes);
  };
  for (const name of IDS) {
    const text = read(name, { most: MOST_IDS })?.toString("latin1");
    if (text !== undefined && /^(?:[0-9a-f]{40,64}\n)+$/.test(text)) write(name, text);
  }
  // Only its first line is the commit that the name stands for.
  const fetched = read("FETCH_HEAD", { most: MOST_IDS, cut: true })?.toString("latin1");
  const id = /^[0-9a-f]{40,64}(?=[\t\n])/.exec(fetched ?? "")?.[0];
  if (id !== undefined) write("FETCH_HEAD", `${id}\n`);
  for (const name of TEXTS) {
    const bytes = read(name, { most: MOST_TEXT });
    if (bytes) write(name, bytes);
  }
  // Git looks only whether it is empty.
  const patch = read("rebase-apply/patch", { most: 1, cut: true });
  if (patch) write("rebase-apply/patch", patch.length > 0 ? "\n" : "");
}
