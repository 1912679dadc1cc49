// `sous trust`: whose configuration and instructions count.
import {
  type Difference,
  actingFiles,
  distrust,
  isSameReading,
  projectOf,
  trust,
  trustIn,
  trustedFolders,
} from "../../host/trust.ts";
import { stateDirOf } from "../../host/state-dir.ts";
import { confirmed } from "./conversation/confirmed.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { flagLines } from "./help.ts";
import { type Output, createOutput } from "./output.ts";
import { plainJson, plainText } from "./plain-text.ts";
import { onlyAPerson } from "./only-a-person.ts";

export const trustFlags = {
  list: { help: "the folders that are trusted" },
  remove: { help: "trust it no longer" },
  yes: { short: "y", help: "do not ask" },
  json: { help: "for programs" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions are kept" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const help = `sous trust [DIR] [flags]: lets a project's .sous/config.json, AGENTS.md and CLAUDE.md count

Trust belongs to the real path of the project's root: the nearest folder with a .git, else DIR itself. A repository
inside a trusted one is its own. Without trust these files are ignored, and you are told. Trust holds, file by file, for
what can act as it is now: .sous/config.json, .claude/settings.json, agents, the scripts that these name, AGENTS.md,
CLAUDE.md and what they import. A file that changes later does not count until you have seen the difference here; the
others go on.

${flagLines(trustFlags)}

examples
  sous trust
  sous trust ~/src/project
  sous trust --remove
  sous run --trust "…"        only for this run`;

/** The lines that went and those that came, between what both have. */
function difference({ path, was, now, unrecorded }: Difference): string {
  const [old, fresh] = [was?.split("\n") ?? [], now?.split("\n") ?? []];
  const same = (a: readonly string[], b: readonly string[]): number => {
    const at = a.findIndex((line, n) => line !== b[n]);
    return at < 0 ? Math.min(a.length, b.length) : at;
  };
  const start = same(old, fresh);
  const end = same(old.slice(start).toReversed(), fresh.slice(start).toReversed());
  const what = unrecorded ? "not recorded yet" : was === undefined ? "new" : now === undefined ? "gone" : "changed";
  return [
    `${path} (${what})`,
    ...old.slice(start, old.length - end).map((line) => `  - ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `  + ${line}`),
  ].join("\n");
}

export async function trustFolder(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("trust", trustFlags, words);
  const output = createOutput(1);
  const stateDir = stateDirOf(process.env, flags["state-dir"]);
  const say = (line: string, value: unknown): void => output.line(flags.json ? plainJson(value) : plainText(line));
  if (flags.help) output.line(help);
  else if (flags.list) {
    const folders = trustedFolders(stateDir);
    if (flags.json) output.line(plainJson(folders));
    else
      for (const folder of folders.length > 0 ? folders : ["no folder is trusted yet"]) output.line(plainText(folder));
  } else {
    onlyAPerson("change what is trusted");
    const { root, cwd, files } = await projectOf(rest[0] ?? process.cwd(), process.env);
    if (flags.remove) {
      const was = distrust(stateDir, root);
      say(was ? `${root} is no longer trusted` : `${root} was not trusted`, { root, trusted: false });
    } else {
      const asks = !flags.yes && process.stdin.isTTY === true && process.stdout.isTTY === true;
      const seen = await seenAndAccepted({ stateDir, root, cwd, asks, output: flags.json ? undefined : output });
      if (!seen.ok) {
        output.line("nothing was accepted: what has changed does not count until you trust it");
        await output.drained();
        return 1;
      }
      const { differences } = seen;
      const found = files.length > 0 ? `these count from now on: ${files.join(", ")}` : "it has no such files yet";
      say(`${root} is trusted; ${found}`, {
        root,
        trusted: true,
        files,
        ...(differences.length > 0 && { differences }),
      });
    }
  }
  await output.drained();
  return 0;
}

type Accepting = {
  readonly stateDir: string;
  readonly root: string;
  readonly cwd: string;
  readonly asks: boolean;
  /** Where differences are shown. */
  readonly output: Output | undefined;
};
type Seen = { readonly ok: true; readonly differences: readonly Difference[] } | { readonly ok: false };

/** Only what was shown is accepted: files that change before the answer are shown and asked about again. */
async function seenAndAccepted({ stateDir, root, cwd, asks, output }: Accepting): Promise<Seen> {
  for (;;) {
    const reading = actingFiles(root, cwd);
    const known = trustIn(stateDir, root, cwd, reading);
    const differences = known.is === "changed" ? known.differences : [];
    const text = differences.map((one) => plainText(difference(one))).join("\n");
    if (differences.length > 0 && !asks) output?.line(text);
    if (differences.length > 0 && asks) {
      await output?.drained();
      const isYes = await confirmed({ text, label: "Trust it as it is now? y = yes, n = no: " });
      if (!isYes) return { ok: false };
      if (!isSameReading(reading, actingFiles(root, cwd))) {
        output?.line("nothing was accepted: the files changed while you were asked. This is how they are now:");
        continue;
      }
    }
    trust(stateDir, root, cwd, reading);
    return { ok: true, differences };
  }
}
