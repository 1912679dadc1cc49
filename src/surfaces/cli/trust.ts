// `sous trust`: whose configuration and instructions count.
import { distrust, projectOf, trust, trustedFolders } from "../../host/trust.ts";
import { stateDirOf } from "../../host/state-dir.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { flagLines } from "./help.ts";
import { createOutput } from "./output.ts";
import { plainText } from "./plain-text.ts";
import { UsageError } from "./usage-error.ts";

export const trustFlags = {
  list: { help: "the folders that are trusted" },
  remove: { help: "trust it no longer" },
  json: { help: "for programs" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions are kept" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const help = `sous trust [DIR] [flags]: lets a project's .sous/config.json, AGENTS.md and CLAUDE.md count

Trust belongs to the real path of the project's root: the nearest folder with a .git, else DIR itself. A repository
inside a trusted one is its own. Without trust these files are ignored, and you are told.

${flagLines(trustFlags)}

examples
  sous trust
  sous trust ~/src/project
  sous trust --remove
  sous run --trust "…"        only for this run`;

export async function trustFolder(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("trust", trustFlags, words);
  if (rest.length > 1) throw new UsageError("sous trust takes one folder");
  const output = createOutput(1);
  const stateDir = stateDirOf(process.env, flags["state-dir"]);
  const say = (line: string, value: unknown): void => output.line(flags.json ? JSON.stringify(value) : plainText(line));
  if (flags.help) output.line(help);
  else if (flags.list) {
    const folders = trustedFolders(stateDir);
    if (flags.json) output.line(JSON.stringify(folders));
    else
      for (const folder of folders.length > 0 ? folders : ["no folder is trusted yet"]) output.line(plainText(folder));
  } else {
    const { root, files } = await projectOf(rest[0] ?? process.cwd(), process.env);
    if (flags.remove) {
      const was = distrust(stateDir, root);
      say(was ? `${root} is no longer trusted` : `${root} was not trusted`, { root, trusted: false });
    } else {
      trust(stateDir, root);
      const found = files.length > 0 ? `these count from now on: ${files.join(", ")}` : "it has no such files yet";
      say(`${root} is trusted; ${found}`, { root, trusted: true, files });
    }
  }
  await output.drained();
  return 0;
}
