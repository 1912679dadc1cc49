// "What does FILE do": finds the file by its name, reads it, and tells what it says, defines, imports, and who uses it.
import type { Conversation } from "../conversation.ts";
import { fullName, signatureOf } from "../definitions.ts";
import { fileCalls, lineCalls, readCall, wholeCalls } from "../lookups.ts";
import { type ReadLines, compare, foundLines, foundPaths, pathOf, readLines, readTogether } from "../outputs.ts";
import { type Outline, outlineOf } from "../outline.ts";
import { literal } from "../patterns.ts";
import { isTestPath } from "../places.ts";
import { code, linesShown, listed, plural } from "../say.ts";
import type { Skill } from "../skill.ts";

type About = { readonly path: string };

const MOST_LINES = 1_200;
const MOST_DEFINITIONS = 30;
const FOLDER_FILES = 8;

export const explain: Skill<About> = {
  stages: [
    {
      name: "locate",
      calls: ({ tools }, { path }) =>
        tools.has("Glob") || tools.has("Bash") ? patternsFor(path).flatMap((one) => fileCalls(tools, one)) : [],
    },
    {
      name: "read",
      calls: (talk, about) => {
        const { file, within } = located(talk, about);
        if (file !== undefined) return wholeCalls(file, undefined, MOST_LINES);
        return productFirst(within)
          .slice(0, FOLDER_FILES)
          .map((path) => readCall(path, 1, 40));
      },
    },
    {
      name: "rest",
      calls: (talk, about) => {
        const { file } = located(talk, about);
        const more = talk.results("read").some((result) => readLines(result).more);
        return file !== undefined && more ? wholeCalls(file, MOST_LINES, MOST_LINES).slice(1) : [];
      },
    },
    {
      name: "users",
      calls: (talk, about) => {
        const { file } = located(talk, about);
        if (file === undefined || talk.results("read").every((result) => result.failed)) return [];
        return lineCalls(talk.tools, { pattern: usePattern(file), most: 80 });
      },
    },
  ],
  answer: (talk, about) => {
    const { file, others, within } = located(talk, about);
    const read = talk.results("read");
    if (file === undefined)
      return within.length > 0
        ? folderAnswer(talk, about, within)
        : `I found no file named ${about.path} in this folder.`;
    const result = read[0];
    if (!result || result.failed)
      return `I could not read ${file}: ${result?.text.slice(0, 300) ?? "I had no tool for it"}.`;
    const seen = readTogether([...read, ...talk.results("rest")]);
    return [
      described(file, outlineOf(file, seen.lines), seen),
      usedBy(talk, file),
      listed("Other files of that name:", others.slice(0, 5), others.length - 5),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  },
};

const productFirst = (paths: readonly string[]): readonly string[] =>
  paths.toSorted((a, b) => Number(isTestPath(a)) - Number(isTestPath(b)));

const clean = (path: string): string => path.replace(/^\.\//, "").replace(/\/$/, "");
const baseOf = (path: string): string => clean(path).slice(clean(path).lastIndexOf("/") + 1);

function patternsFor(path: string): readonly string[] {
  const base = baseOf(path);
  if (base.includes(".")) return [`**/${base}`];
  // Such as README: often written small in a question.
  const names = [`**/${base}`, `**/${base}.*`, ...(base === base.toUpperCase() ? [] : [`**/${base.toUpperCase()}*`])];
  return path.includes("/") && !path.startsWith("/") ? [...names, `${clean(path)}/**/*`] : names;
}

/** The file that fits the given path best: the shortest, not a test, of those that end like it. */
function located(
  talk: Conversation,
  { path }: About,
): { file: string | undefined; others: readonly string[]; within: readonly string[] } {
  const wanted = clean(path).replace(talk.folder ? `${talk.folder}/` : "\0", "");
  const paths = foundPaths(talk.results("locate"), talk.folder);
  const within = paths.filter((one) => one.startsWith(`${wanted}/`));
  const stemOf = (one: string): string => one.replace(/\.\w+$/, "");
  const ends = (one: string): boolean =>
    one === wanted || one.endsWith(`/${wanted}`) || stemOf(one) === wanted || stemOf(one).endsWith(`/${wanted}`);
  const lower = (one: string): boolean => baseOf(stemOf(one)).toLowerCase() === baseOf(stemOf(wanted)).toLowerCase();
  const fit = paths.filter(ends).length > 0 ? paths.filter(ends) : paths.filter(lower);
  const ranked = fit
    .filter((one) => !within.includes(one))
    .toSorted((a, b) => Number(isTestPath(a)) - Number(isTestPath(b)) || a.length - b.length || compare(a, b));
  if (talk.results("locate").length === 0) return { file: wanted, others: [], within: [] };
  return { file: ranked[0], others: ranked.slice(1), within };
}

function described(file: string, outline: Outline, { lines, shown: ranges, more }: ReadLines): string {
  const { purpose, headings, imports, definitions } = outline;
  const open = definitions.filter((one) => one.exported);
  const shown = [...open, ...definitions.filter((one) => !one.exported)];
  const size = linesShown(ranges, more);
  const parts = `${plural(definitions.length, "definition")}${open.length > 0 ? `, ${open.length} exported` : ""}`;
  return [
    `**${file}**: ${size}, ${parts}.`,
    purpose === "" ? "It has no leading comment that says what it is for." : `It says of itself: ${purpose}`,
    listed("Sections:", headings.slice(0, 20), headings.length - 20),
    listed(
      "It defines (exported first):",
      shown.slice(0, MOST_DEFINITIONS).map((one) => {
        const says = one.comment === "" ? "" : `: ${one.comment.slice(0, 140)}`;
        return `${one.from}: ${one.kind} \`${fullName(one)}\` \`${signatureOf(one).slice(0, 120)}\`${says}`;
      }),
      shown.length - MOST_DEFINITIONS,
    ),
    imports.length > 0 ? `It imports: ${imports.slice(0, 25).join(", ")}${imports.length > 25 ? ", …" : ""}.` : "",
    definitions.length === 0 && headings.length === 0 ? `It begins:\n${code(file, lines, 1, 15)}` : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Lines that bring in something with the file's name, in any language. */
function usePattern(file: string): string {
  const base = baseOf(file);
  const stem = literal(base.replace(/\.\w+$/, ""));
  const folder = file.split("/").at(-2);
  const name = /^(index|mod|__init__|main|lib)$/.test(stem) && folder !== undefined ? literal(folder) : stem;
  return `(import|require|from|include|use|source|export|mod)\\b.*\\b${name}\\b`;
}

function usedBy(talk: Conversation, file: string): string {
  if (talk.results("users").length === 0) return "";
  const users = [...new Set(foundLines(talk.results("users"), talk.folder).map((line) => line.path))].filter(
    (path) => path !== file && !/\.(md|json|lock|txt)$/.test(path),
  );
  const tests = users.filter(isTestPath);
  const product = users.filter((path) => !isTestPath(path));
  if (users.length === 0) return "No other file imports it by name.";
  return [
    listed("Imported, by name, in:", product.slice(0, 12), product.length - 12),
    listed("And in tests:", tests.slice(0, 5), tests.length - 5),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function folderAnswer(talk: Conversation, { path }: About, within: readonly string[]): string {
  const read = new Map(talk.results("read").map((result) => [pathOf(result, talk.folder), result]));
  const shown = productFirst(within)
    .slice(0, 40)
    .map((one) => {
      const result = read.get(one);
      const purpose = result && !result.failed ? outlineOf(one, readLines(result).lines).purpose.slice(0, 160) : "";
      return purpose === "" ? one : `${one}: ${purpose}`;
    });
  return listed(`**${clean(path)}/** holds ${plural(within.length, "file")}:`, shown, within.length - 40);
}
