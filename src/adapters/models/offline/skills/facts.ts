// Questions about a project that its list of files and its manifests answer: where it starts, which files, what it needs.
import type { Conversation, Result } from "../conversation.ts";
import { pathOf } from "../outputs.ts";
import type { Fact } from "../phrases.ts";
import { listed, plural } from "../say.ts";
import type { Skill } from "../skill.ts";
import { manifestFrom } from "./manifest.ts";
import { counted, entriesOf, filesOf, isPartial, lookStages } from "./summary.ts";

const MOST_FILES = 60;
const MOST_NEEDS = 40;

export const facts: Skill<{ readonly fact: Fact }> = {
  stages: lookStages,
  answer: (talk, { fact }) => {
    if (talk.results("look").every((result) => result.failed)) return "I could not list the files of this folder.";
    return { entry, files, dependencies }[fact](talk);
  },
};

function entry(talk: Conversation): string {
  const manifests = manifestsRead(talk).map((result) => ({
    file: pathOf(result, talk.folder),
    ...manifestFrom(result),
  }));
  const named = manifests.flatMap(({ entries }) => entries);
  const places = entriesOf(filesOf(talk), named);
  const starts = manifests.flatMap(({ file, start }) =>
    start === undefined ? [] : [`${file}: start runs \`${start}\``],
  );
  if (places.length + starts.length === 0)
    return "I am not sure. No manifest names an entry point, and no file is called like one (main, index, app, cli, server, bin/…).";
  const from = (path: string): string =>
    named.includes(path)
      ? `named in ${manifests.find(({ entries }) => entries.includes(path))?.file}`
      : "called like an entry point";
  return [
    listed("The program starts here:", [
      ...places.map((path) => `${path.replace(/^\.\//, "")} (${from(path)})`),
      ...starts,
    ]),
    how(talk),
  ].join("\n\n");
}

function files(talk: Conversation): string {
  const all = filesOf(talk);
  const kinds = counted(all.flatMap((path) => /\.([A-Za-z]\w{0,7})$/.exec(path)?.[1]?.toLowerCase() ?? []));
  const ending = kinds.map(([name, count]) => `${name} ${count}`).slice(0, 8);
  return [
    `There ${all.length === 1 ? "is" : "are"} ${plural(all.length, "text file")}${isPartial(talk) ? " or more (the list was cut)" : ""}${ending.length > 0 ? `; by ending: ${ending.join(", ")}` : ""}.`,
    listed("Files:", all.slice(0, MOST_FILES), all.length - MOST_FILES),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function dependencies(talk: Conversation): string {
  const read = manifestsRead(talk);
  if (read.length === 0) return "I found no manifest at the top of this folder that could name dependencies.";
  const lists = read.map((result) => {
    const { needs } = manifestFrom(result);
    const file = pathOf(result, talk.folder);
    if (needs === undefined) return `I cannot read the dependencies in ${file}: look there.`;
    return needs.length === 0
      ? `${file} names no dependencies.`
      : listed(
          `${file} names ${plural(needs.length, "package")}:`,
          needs.slice(0, MOST_NEEDS),
          needs.length - MOST_NEEDS,
        );
  });
  return [...lists, how(talk)].join("\n\n");
}

const manifestsRead = (talk: Conversation): readonly Result[] =>
  talk.results("read").filter((result) => !result.failed && !/readme/i.test(pathOf(result, talk.folder)));

function how(talk: Conversation): string {
  const names = manifestsRead(talk).map((result) => pathOf(result, talk.folder));
  return `How: read ${names.length > 0 ? names.join(", ") : "no manifest"}; ${plural(filesOf(talk).length, "file")} listed.`;
}
