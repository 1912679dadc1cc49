// The calls that skills make, for the tools at hand: where a search tool is missing, the shell does the same.
import type { Call } from "./skill.ts";

type Tools = ReadonlySet<string>;
type Search = {
  readonly pattern: string;
  readonly glob?: string;
  /** One file or folder. */
  readonly path?: string;
  readonly anyCase?: boolean;
  readonly most?: number;
};

/** `path:count` for each file that has it. */
export function countCalls(tools: Tools, { pattern, most = 400, ...search }: Search): readonly Call[] {
  if (tools.has("Grep"))
    return [{ tool: "Grep", input: { pattern, output_mode: "count", ...within(search), head_limit: most } }];
  return shell(`grep -rIcE ${SKIPPED} -e ${quoted(pattern)} . | grep -v ':0$' | head -n ${most}`);
}

/** `path:line:text` for each line that has it. */
export function lineCalls(tools: Tools, { pattern, most = 200, ...search }: Search): readonly Call[] {
  if (tools.has("Grep"))
    return [
      { tool: "Grep", input: { pattern, output_mode: "content", "-n": true, ...within(search), head_limit: most } },
    ];
  const flags = search.anyCase ? "-rIniE" : "-rInE";
  return shell(`grep ${flags} ${SKIPPED} -e ${quoted(pattern)} . | cut -c1-400 | head -n ${most}`);
}

const within = ({ glob, path, anyCase }: Omit<Search, "pattern" | "most">) => ({
  ...(glob && { glob }),
  ...(path && { path }),
  ...(anyCase && { "-i": true }),
});

/** A path a line. `pattern` ends in a name that may hold stars, and may begin with a folder. */
export function fileCalls(tools: Tools, pattern: string): readonly Call[] {
  if (tools.has("Glob")) return [{ tool: "Glob", input: { pattern } }];
  const [folder, name] = [pattern.slice(0, pattern.indexOf("**")), pattern.slice(pattern.lastIndexOf("/") + 1)];
  return shell(`find ${quoted(`./${folder}`)} ${PRUNED} -type f -name ${quoted(name)} -print | head -n 500`);
}

/** `path:lines` for every text file: a search for the beginning of each line. */
export const everyFileCalls = (tools: Tools): readonly Call[] => countCalls(tools, { pattern: "^", most: 2_000 });

/** The names in the working folder, a line each; folders end in a slash. */
export function topCalls(tools: Tools): readonly Call[] {
  return tools.has("LS") ? [{ tool: "LS", input: { path: "." } }] : shell("ls -1p");
}

export const readCall = (path: string, offset = 1, limit = 500): Call => ({
  tool: "Read",
  input: { file_path: path, ...(offset > 1 && { offset }), limit },
});

/** What one Read shows without a cut, with lines of usual length. */
const CHUNK = 300;

/** A file from its beginning, in as many reads as it takes to have every line shown, up to `most` lines. */
export function wholeCalls(path: string, length: number | undefined, most: number): readonly Call[] {
  const chunks = Math.ceil(Math.min(length ?? CHUNK, most) / CHUNK);
  return Array.from({ length: Math.max(1, chunks) }, (_, n) => readCall(path, 1 + n * CHUNK, CHUNK));
}

export const shell = (command: string): readonly Call[] => [{ tool: "Bash", input: { command } }];

const SKIPPED = "--exclude-dir=.git --exclude-dir=node_modules --exclude-dir=dist --exclude-dir=target";
const PRUNED = "\\( -name .git -o -name node_modules -o -name dist -o -name target \\) -prune -o";

/** One word for the shell, whatever it holds; in quotes only where it needs them. */
export const shellWord = (text: string): string => (/^[\w./@+-]+$/.test(text) ? text : quoted(text));
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
