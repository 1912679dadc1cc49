// "Summarise this repo": what its README and manifests say, what it is made of, how it is built and tested.
import type { Conversation } from "../conversation.ts";
import { familyOf } from "../languages.ts";
import { everyFileCalls, readCall, topCalls } from "../lookups.ts";
import { compare, foundCounts, foundNames, pathOf, readLines, wasCut } from "../outputs.ts";
import { firstParagraph } from "../outline.ts";
import { isTestPath } from "../places.ts";
import { listed, plural } from "../say.ts";
import type { Skill } from "../skill.ts";
import { isManifest, manifestFrom } from "./manifest.ts";

/** The names of all files, then the README and the manifests. */
export const lookStages: Skill<unknown>["stages"] = [
  {
    name: "look",
    calls: ({ tools }) => [...topCalls(tools), ...everyFileCalls(tools)],
  },
  {
    name: "read",
    calls: (talk) => {
      const names = [
        ...new Set([...foundNames(talk.results("look")[0]), ...filesOf(talk).filter((path) => !path.includes("/"))]),
      ];
      const readme =
        names.find((path) => /^readme(\.\w+)?$/i.test(path)) ?? (names.length === 0 ? "README.md" : undefined);
      return [
        ...(readme ? [readCall(readme, 1, 120)] : []),
        ...names
          .filter(isManifest)
          .slice(0, 5)
          .map((path) => readCall(path, 1, 300)),
      ];
    },
  },
];

export const summary: Skill<unknown> = {
  stages: lookStages,
  answer: (talk) => {
    const files = filesOf(talk);
    const read = talk.results("read").filter((result) => !result.failed);
    const readme = read.find((result) => /readme/i.test(pathOf(result, talk.folder)));
    const names = read.map((result) => pathOf(result, talk.folder)).join(", ");
    const partial = isPartial(talk) ? " (the list was cut: counts are lower bounds)" : "";
    const manifests = read.filter((result) => result !== readme).map(manifestFrom);
    const lines = readme ? readLines(readme).lines : [];
    const title = lines.find((line) => line.startsWith("# "))?.slice(2);
    const about = manifests.map((manifest) => manifest.about).filter((one) => one !== "");
    const commands = manifests
      .flatMap((manifest) => Object.entries(manifest.commands))
      .filter(([name]) => !/^(?:pre|post)[a-z]/.test(name));
    return [
      `**${title ?? about[0] ?? "This folder"}**${about.length > 0 ? `\n${about.join("; ").replace(/\.$/, "")}.` : ""}`,
      readme
        ? `The README says: ${firstParagraph(lines).slice(0, 900) || "nothing in prose at its beginning."}`
        : "There is no README.",
      sizes(talk, files),
      listed(
        "Entry points:",
        entriesOf(
          files,
          manifests.flatMap((manifest) => manifest.entries),
        ),
      ),
      listed(
        "Commands:",
        commands.slice(0, 14).map(([name, command]) => `${name}: \`${command}\``),
        commands.length - 14,
      ),
      tested(files),
      `How: read ${names || "nothing"}; ${plural(files.length, "file")} listed${partial}.`,
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  },
};

const linesOf = (talk: Conversation): ReadonlyMap<string, number> => foundCounts(talk.results("look")[1], talk.folder);
export const filesOf = (talk: Conversation): readonly string[] => [...linesOf(talk).keys()].sort(compare);
export const isPartial = (talk: Conversation): boolean => wasCut(talk.results("look").slice(1));

function sizes(talk: Conversation, files: readonly string[]): string {
  if (files.length === 0) return talk.results("look").length === 0 ? "I had no tool to list files with." : "";
  const top = counted(files.map((path) => (path.includes("/") ? `${path.split("/")[0]}/` : "(top)")));
  const inner = counted(
    files.filter((path) => path.split("/").length > 2).map((path) => `${path.split("/").slice(0, 2).join("/")}/`),
  );
  const kinds = counted(files.flatMap((path) => /\.([A-Za-z][\w]{0,7})$/.exec(path)?.[1]?.toLowerCase() ?? []));
  const show = (list: readonly (readonly [string, number])[], most: number): string =>
    list
      .slice(0, most)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  return [
    `It has ${plural(files.length, "file")}. By ending: ${show(kinds, 8)}.`,
    `Folders: ${show(top, 12)}.`,
    inner.length > 0 ? `Largest parts: ${show(inner, 8)}.` : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

export function counted(names: readonly string[]): readonly (readonly [string, number])[] {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, all]) => [name, all.length] as const)
    .sort(([a, x], [b, y]) => y - x || compare(a, b));
}

/** What the manifests name, then files that are called like entry points and lie near the top. */
export function entriesOf(files: readonly string[], named: readonly string[]): readonly string[] {
  const usual = files
    .filter(
      (path) =>
        /(^|\/)(main|index|app|cli|server|__main__|manage|lib|mod)\.\w+$|(^|\/)bin\/[^/]+$/.test(path) &&
        (familyOf(path) !== undefined || /(^|\/)bin\/[^/.]+$/.test(path)) &&
        !isTestPath(path),
    )
    .toSorted((a, b) => a.split("/").length - b.split("/").length || compare(a, b));
  return [...new Set([...named, ...usual.slice(0, 5)])].slice(0, 8);
}

function tested(files: readonly string[]): string {
  const tests = files.filter((path) => isTestPath(path) && familyOf(path) !== undefined);
  if (files.length === 0) return "";
  if (tests.length === 0) return "Tests: I saw no test files.";
  return `Tests: ${plural(tests.length, "file")}, such as ${tests.slice(0, 3).join(", ")}.`;
}
