// "Where is X", "which function does Y": exact names are looked up first; else the definition whose words fit best is named,
// with how sure that is.
import type { Conversation } from "../conversation.ts";
import { type Definition, fullName } from "../definitions.ts";
import {
  type Named,
  type NamedSearch,
  definitionAround,
  definitionAt,
  exactOf,
  namedIn,
  namesStage,
  readNamed,
} from "../named.ts";
import { pathOf, readLines } from "../outputs.ts";
import { type RankedDefinition } from "../rank.ts";
import {
  countsOf,
  focusStage,
  hasSearched,
  rankedDefinitions,
  rankedFiles,
  readStage,
  searchStage,
} from "../search.ts";
import type { Sighting } from "../sightings.ts";
import { code, listed, place, plural, quotedWords } from "../say.ts";
import type { Skill, Stage } from "../skill.ts";

const OTHERS = 4;
const CODE_LINES = 14;
/** Below these a definition is shown, and said to be a guess. */
const LIKELY = { covered: 0.6, named: 0.3 };

export const find: Skill<NamedSearch> = {
  stages: [
    namesStage,
    onlyWithoutName(searchStage),
    onlyWithoutName(focusStage),
    {
      name: "read",
      calls: (talk, search) => (isNamed(talk, search) ? readNamed(talk, search) : readStage(8).calls(talk, search)),
    },
  ],
  answer: (talk, search) => {
    const named = namedIn(talk, search);
    if (named && named.fit.length > 0) return joined([...namedAnswer(talk, search, named), howFound(talk, search)]);
    return joined([...byWords(talk, search), howFound(talk, search)]);
  },
};

/** The search by words is for questions that name nothing, or only what is not there. */
function onlyWithoutName(stage: Stage<NamedSearch>): Stage<NamedSearch> {
  return { name: stage.name, calls: (talk, search) => (isNamed(talk, search) ? [] : stage.calls(talk, search)) };
}

const isNamed = (talk: Conversation, search: NamedSearch): boolean => (namedIn(talk, search)?.fit.length ?? 0) > 0;

function namedAnswer(talk: Conversation, search: NamedSearch, named: Named): readonly string[] {
  const [first] = named.fit;
  if (!first) return [];
  const shown = named.fit.slice(0, OTHERS + 1);
  const more = named.fit.length - shown.length;
  const defined = definitionAt(talk, first);
  const rest = shown.slice(1).map((one) => `${placeOf(talk, one)} \`${one.text.trim().slice(0, 120)}\``);
  const others = listed(more > 0 ? `${more + rest.length} more places:` : "Also:", rest, more);
  return [
    `${sureness(named)}${statement(talk, search, named, first)}${others === "" ? "" : `\n${others}`}`,
    defined
      ? joined([comment(defined), code(first.path, defined.lines, defined.from, CODE_LINES)], "\n")
      : around(talk, first),
  ];
}

/** Certain only where all lines with the name were seen, and they are few. */
function sureness({ concept, fit, complete }: Named): string {
  if (fit[0]?.roles.has("used")) return `I am not sure. I found no definition of \`${concept.word}\`: `;
  return complete && fit.length <= OTHERS + 1 ? "" : "Most likely: ";
}

function statement(talk: Conversation, search: NamedSearch, { concept, fit }: Named, first: Sighting): string {
  const name = /\s/.test(concept.word) ? `"${concept.word}"` : `\`${concept.word}\``;
  const defined = definitionAt(talk, first);
  const at = placeOf(talk, first);
  if (defined && first.roles.has("defined")) {
    const times = fit.length > 1 ? `, one of ${fit.length} definitions of that name` : "";
    return `\`${fullName(defined)}\` (${defined.kind}) is defined in ${at}${times}.`;
  }
  const holder = definitionAround(talk, first);
  const inside = holder ? `, in \`${fullName(holder)}\`` : "";
  if (search.aspect === "thrown" && first.roles.has("thrown")) return `${name} is raised in ${at}${inside}.`;
  if (search.aspect === "default" && first.roles.has("defaulted")) return `${name} gets a default in ${at}${inside}.`;
  if (first.roles.has("assigned")) return `${name} is set in ${at}${inside}.`;
  return `${name} ${first.roles.has("used") ? "is used" : "stands"} in ${at}${inside}.`;
}

function placeOf(talk: Conversation, one: Sighting): string {
  const defined = one.roles.has("defined") ? definitionAt(talk, one) : undefined;
  return defined?.closed ? place(one.path, defined.from, defined.to) : place(one.path, one.line);
}

/** The lines beside the one that is named, as they were read. */
function around(talk: Conversation, { path, line }: Sighting): string {
  for (const result of talk.results("read")) {
    if (result.failed || pathOf(result, talk.folder) !== path) continue;
    const { from, lines, shown } = readLines(result);
    if (!shown.some((range) => range.from <= line && line <= range.to)) continue;
    const begin = Math.max(from, line - 3);
    return code(path, lines.slice(begin - from, line - from + 3), begin, CODE_LINES);
  }
  return "";
}

function byWords(talk: Conversation, search: NamedSearch): readonly string[] {
  if (!hasSearched(talk))
    return talk.tools.has("Grep") || talk.tools.has("Bash") ? ["I could not search this folder."] : [];
  const ranked = rankedDefinitions(talk, search);
  const missing = exactOf(search.concepts).filter((_, at) => talk.results("names")[at] !== undefined);
  const nowhere =
    missing.length > 0 && !namedIn(talk, search)
      ? `${quotedWords(missing.map((one) => one.word))} ${missing.length > 1 ? "stand" : "stands"} nowhere in this folder.`
      : "";
  const [best] = ranked;
  if (!best || best.why.length * 2 < search.concepts.length) return nothingDefined(talk, search, nowhere);
  const next = ranked.slice(1, 1 + OTHERS).filter((one) => one.score > best.score * 0.25);
  const isLikely = nowhere === "" && best.covered >= LIKELY.covered && best.named >= LIKELY.named;
  if (!isLikely)
    return [
      joined(
        [
          `I am not sure.${nowhere === "" ? "" : ` ${nowhere}`} The closest that I found:`,
          ...[best, ...next].map(entry),
        ],
        "\n",
      ),
    ];
  const { definition, why } = best;
  return [
    joined(
      [
        `Most likely \`${fullName(definition)}\` (${definition.kind}) in ${placeIn(definition)}: it has ${quotedWords(why)}.`,
        comment(definition),
        code(definition.path, definition.lines, definition.from, CODE_LINES),
      ],
      "\n",
    ),
    joined(["It could also be:", ...next.map(entry)].slice(next.length > 0 ? 0 : 1), "\n"),
  ];
}

const entry = ({ definition }: RankedDefinition): string =>
  `- \`${fullName(definition)}\`, ${placeIn(definition)} \`${(definition.lines[0] ?? "").trim().slice(0, 120)}\``;

const placeIn = ({ path, from, to, closed }: Definition): string => place(path, from, closed ? to : from);

const comment = (definition: Definition): string =>
  definition.comment === "" ? "" : `Its comment says: ${definition.comment.slice(0, 400)}`;

function nothingDefined(talk: Conversation, search: NamedSearch, nowhere: string): readonly string[] {
  const files = rankedFiles(talk, search);
  if (files.length === 0)
    return [`Nothing in this folder has ${quotedWords(search.concepts.map((concept) => concept.word))}.`];
  return [
    joined(
      [
        `I am not sure.${nowhere === "" ? "" : ` ${nowhere}`} No definition fits. These files come closest:`,
        listed(
          "",
          files.slice(0, 6).map((file) => `${file.path} (has ${quotedWords(file.has)})${bestLine(file.lines)}`),
          files.length - 6,
        ).trimStart(),
      ],
      "\n",
    ),
  ];
}

function bestLine(lines: readonly { readonly path: string; readonly line: number; readonly text: string }[]): string {
  const [first] = lines;
  return first ? `: ${place(first.path, first.line)} \`${first.text.trim().slice(0, 100)}\`` : "";
}

function howFound(talk: Conversation, { concepts }: NamedSearch): string {
  if (talk.results("search").length + talk.results("names").length === 0) return "I had no tool to search with.";
  if (!hasSearched(talk)) return "";
  const words = concepts.map(({ word, stems }) =>
    stems.length > 1 ? `${word} and ${plural(stems.length - 1, "near word")}` : word,
  );
  const files = new Set(countsOf(talk, concepts).flatMap((one) => [...one.keys()])).size;
  const counted = talk.results("search").length > 0 ? ` (in ${plural(files, "file")})` : "";
  return `How: searched for ${words.join("; ")}${counted}; ${readParts(talk)}.`;
}

function readParts(talk: Conversation): string {
  const parts = talk.results("read").flatMap((result) => {
    if (result.failed) return [];
    const { shown } = readLines(result);
    return shown.map(({ from, to }) => `${pathOf(result, talk.folder)} ${from}-${to}`);
  });
  return parts.length === 0 ? "read no file" : `read lines of ${parts.join(", ")}`;
}

const joined = (parts: readonly string[], by = "\n\n"): string => parts.filter((part) => part !== "").join(by);
