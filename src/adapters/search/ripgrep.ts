// Search by ripgrep: ignore files are honoured, links are not followed, and only its linear engine is ever used.
import { stat, statfs } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { FileQuery, Found, FoundLine, GrepQuery, Search, Selection } from "../../ports/search.ts";
import { fileProblem } from "../workspaces/file-problem.ts";
import { inFolder } from "../workspaces/held-folder.ts";
import { globRegex } from "./glob-regex.ts";
import { inDoubt, isBelow, searchOpened } from "./in-doubt.ts";
import { type RgEnd, type RgRun, runRipgrep } from "./run-ripgrep.ts";

/** Large folders may take their time; a pattern that is costly in itself may not. */
const PATIENCE_MS = 20_000;
const SHORT_PATIENCE_MS = 1_500;
const MOST_FILE_BYTES = "64M";
const MOST_COLUMNS = "500";
/** /proc and /sys: what looks like files there is made by the kernel at each reading, slowly and without end. */
const KERNEL_FILE_SYSTEMS = new Set([0x9fa0, 0x62656572]);
/** How many files a path glob may choose for a search of their content. */
const MOST_CHOSEN = 5_000;
/** The kernel's limit for all arguments is far above. */
const MOST_ARGUMENT_BYTES = 1_000_000;

const always = ["--hidden", "--no-messages", "--sort=path", "--color=never", "--no-require-git"];
const notOurs = ["--glob=!.git", "--glob=!.hg", "--glob=!.svn"];

export function createRipgrep(): Search {
  let program: Promise<string> | undefined;
  const run = async (rg: RgRun, signal: AbortSignal): Promise<RgEnd> =>
    runRipgrep(await (program ??= findRipgrep()), rg, signal);

  async function listFiles(query: FileQuery, cwd: string, signal: AbortSignal): Promise<RgEnd> {
    const { path: filter } = query.select;
    const most = filter === undefined ? query.most : Number.MAX_SAFE_INTEGER;
    const args = ["--files", "--null", ...always, ...selectArgs(query), "./"];
    const all = await run({ args, cwd, separator: "\0", most, timeoutMs: PATIENCE_MS }, signal);
    if (!all.ok || filter === undefined) return all;
    const input = all.records.map((record) => record.replace(/^\.\//, ""));
    const chosen = ["--null-data", "--text", "--color=never", "--regexp", globRegex(filter), "-"];
    const end = await run(
      { args: chosen, cwd, separator: "\0", input, most: query.most, timeoutMs: SHORT_PATIENCE_MS },
      signal,
    );
    return end.ok && all.cut && !end.cut ? { ...end, cut: all.cut } : end;
  }

  async function filesIn(held: string, { cwd }: Begun, query: FileQuery, signal: AbortSignal): Promise<Found> {
    const began = Date.now();
    const found = linesOf(cwd, await listFiles(query, held, signal), nameOnly);
    if (!found.ok) return found;
    const doubted = inDoubt(held, pathsOf(found), began);
    const isSure = ({ path = "" }: FoundLine): boolean => !doubted.has(path) || isBelow(held, cwd, path);
    return { ...found, lines: found.lines.filter(isSure) };
  }

  async function grepIn(held: string, at: Begun, query: GrepQuery, signal: AbortSignal): Promise<Found> {
    const { cwd, file, kernel } = at;
    const began = Date.now();
    const select = query.type === undefined ? query.select : asPath(query.select);
    const byPath = file === undefined && select.path !== undefined;
    const chosen = byPath ? await listFiles({ ...query, select, most: MOST_CHOSEN }, held, signal) : undefined;
    if (chosen && !chosen.ok) return chosen;
    const paths = chosen ? within(chosen.records, MOST_ARGUMENT_BYTES) : [`./${file ?? ""}`];
    if (paths.length === 0) return { ok: true, folder: cwd, lines: [] };
    const timeoutMs = isCostly(query.pattern) || kernel ? SHORT_PATIENCE_MS : PATIENCE_MS;
    const separator = query.mode === "files" ? "\0" : "\n";
    const search = async (files: readonly string[], more: readonly string[] = []): Promise<Found> => {
      const args = [...always, ...more, ...grepArgs(query), "--", ...files];
      const end = await run({ args, cwd: held, separator, most: query.most, timeoutMs }, signal);
      return linesOf(cwd, end, query.mode === "files" ? nameOnly : grepLine);
    };
    const found = await search(paths, chosen || file !== undefined ? [] : selectArgs(query));
    if (!found.ok) return found;
    const cut = found.cut ?? chosen?.cut ?? (chosen && paths.length < chosen.records.length ? "most" : undefined);
    const doubted = new Set(inDoubt(held, pathsOf(found), began));
    if (file !== undefined && !isBelow(held, cwd, file)) doubted.add(file);
    const lines =
      doubted.size === 0 ? found.lines : await searchOpened({ held, folder: cwd }, found.lines, doubted, search);
    return { ...found, lines, ...(cut && { cut }) };
  }

  return {
    async files(query, signal) {
      const at = await startOf(query.root);
      if (!at.ok) return at;
      if (at.file !== undefined) return { ok: false, problem: "is not a folder" };
      return inHeld(at.cwd, (held) => filesIn(held, at, query, signal));
    },

    async grep(query, signal) {
      const at = await startOf(query.root);
      return at.ok ? inHeld(at.cwd, (held) => grepIn(held, at, query, signal)) : at;
    },
  };
}

async function findRipgrep(): Promise<string> {
  const { rgPath } = await import("@vscode/ripgrep");
  return rgPath;
}

/** A search begins in the folder that was judged, whatever is laid on the way to it meanwhile. */
const inHeld = (folder: string, search: (held: string) => Promise<Found>): Promise<Found> =>
  inFolder(folder, ({ at }) => search(at)).catch((error: unknown) => {
    if (!/^E[A-Z]+$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    return { ok: false, problem: fileProblem(error) };
  });

type Begun = { readonly ok: true; readonly cwd: string; readonly kernel: boolean; readonly file?: string };
type Start = Begun | { readonly ok: false; readonly problem: string };

/** Only folders and regular files are searched: ripgrep would wait for ever at a FIFO it is given by name. */
async function startOf(root: string): Promise<Start> {
  const found = await stat(root).catch(() => undefined);
  if (!found) return { ok: false, problem: "does not exist" };
  const kernel = await statfs(root).then(
    ({ type }) => KERNEL_FILE_SYSTEMS.has(type),
    () => false,
  );
  if (found.isDirectory()) return { ok: true, cwd: root, kernel };
  if (!found.isFile()) return { ok: false, problem: "is not a regular file" };
  if (found.size > 64 * 1024 * 1024) return { ok: false, problem: "is too large to be searched (over 64 MB)" };
  return { ok: true, cwd: dirname(root), file: basename(root), kernel };
}

/** A name is chosen as a file type: unlike a plain glob, that does not override the ignore files. */
function selectArgs({ select, type }: FileQuery & { readonly type?: string }): readonly string[] {
  return [
    ...notOurs,
    ...(select.name === undefined ? [] : [`--type-add=sousglob:${select.name}`, "--type=sousglob"]),
    ...(type === undefined ? [] : [`--type=${type}`]),
    ...(select.shallow ? ["--max-depth=1"] : []),
  ];
}

/** Of two file types ripgrep takes what either covers: beside a real one, a name is chosen by its path. */
function asPath(select: Selection): Selection {
  if (select.name === undefined) return select;
  return { path: select.shallow ? select.name : `**/${select.name}` };
}

function grepArgs(query: GrepQuery): readonly string[] {
  const { mode } = query;
  return [
    "--with-filename",
    "--null",
    "--no-heading",
    "--no-mmap",
    `--max-filesize=${MOST_FILE_BYTES}`,
    "--engine=default",
    "--regex-size-limit=10M",
    "--dfa-size-limit=10M",
    ...(query.ignoreCase ? ["--ignore-case"] : []),
    ...(query.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(mode === "files" ? ["--files-with-matches"] : []),
    ...(mode === "count" ? ["--count"] : []),
    ...(mode === "content" ? contentArgs(query) : []),
    `--regexp=${query.pattern}`,
  ];
}

const contentArgs = (query: GrepQuery): readonly string[] => [
  `--max-columns=${MOST_COLUMNS}`,
  "--max-columns-preview",
  query.lineNumbers ? "--line-number" : "--no-line-number",
  ...(query.before > 0 ? [`--before-context=${query.before}`] : []),
  ...(query.after > 0 ? [`--after-context=${query.after}`] : []),
];

/**
 * Large counts, or long runs of classes, can make a linear engine pay for every character as many times as there are
 * places in the pattern.
 */
function isCostly(pattern: string): boolean {
  const classes = pattern.match(/\[|\.|\\[a-zA-Z]/g)?.length ?? 0;
  return /\{\d{2,}|,\d{2,}\}|\{\d[^]*\{\d/.test(pattern) || classes > 12 || pattern.length > 500;
}

function within(paths: readonly string[], bytes: number): string[] {
  const chosen: string[] = [];
  let left = bytes;
  for (const path of paths) if ((left -= Buffer.byteLength(path) + 16) > 0) chosen.push(`./${path}`);
  return chosen;
}

function linesOf(folder: string, end: RgEnd, line: (record: string) => FoundLine): Found {
  if (!end.ok) return end;
  const lines = end.records.map((record) => line(record.replace(/^\.\//, "")));
  return { ok: true, folder, lines, ...(end.cut && { cut: end.cut }) };
}

const nameOnly = (record: string): FoundLine => ({ path: record, text: "" });
const pathsOf = ({ lines }: Extract<Found, { ok: true }>): string[] => lines.flatMap(({ path }) => path ?? []);

function grepLine(record: string): FoundLine {
  const end = record.indexOf("\0");
  return end < 0 ? { text: record } : { path: record.slice(0, end), text: record.slice(end + 1) };
}
