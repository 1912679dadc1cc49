// Questions about Sous itself, answered from its shipped documentation: the section that fits best, with its page.
import type { Conversation } from "../conversation.ts";
import { type RankedSection, rankSections, sectionsIn } from "../doc-sections.ts";
import { countCalls, readCall } from "../lookups.ts";
import { compare, foundCounts, pathOf, readLines } from "../outputs.ts";
import { anyOf } from "../patterns.ts";
import { listed, place, quotedWords } from "../say.ts";
import type { Skill } from "../skill.ts";
import type { Concept } from "../words.ts";

export type GuideQuestion = { readonly docs: string; readonly concepts: readonly Concept[] };

const PAGES = 8;
const PAGE_LINES = 300;
const QUOTED_LINES = 24;
/** Less than this of the question in one section is no answer. */
const ENOUGH = 0.6;
/** For those who build Sous. */
const NOT_FOR_USERS = /\/decisions\/|\/(?:benchmarks|threat-model)\.md$/;

export const guide: Skill<GuideQuestion> = {
  stages: [
    {
      name: "search",
      calls: ({ tools }, { docs, concepts }) =>
        tools.has("Grep")
          ? concepts.flatMap((concept) =>
              countCalls(tools, { pattern: anyOf([concept]) || "^", path: docs, glob: "*.md", anyCase: true }),
            )
          : [],
    },
    { name: "read", calls: (talk) => pagesOf(talk).map((path) => readCall(path, 1, PAGE_LINES)) },
  ],
  answer: (talk, question) => {
    const { concepts } = question;
    if (concepts.length === 0)
      return "Ask me about a command, a flag, a setting, agents, permissions or sessions of Sous.";
    const [best, ...rest] = rankSections(concepts, sectionsRead(talk));
    if (!best) return `Sous's documentation does not speak of ${quotedWords(concepts.map((one) => one.word))}.`;
    const others = rest.slice(0, 3).map((one) => `${pageOf(question, one)}, "${one.heading}"`);
    const said =
      best.covered < ENOUGH
        ? `I am not sure: no section has all of ${quotedWords(concepts.map((one) => one.word))}. Closest is`
        : "From";
    return [`${said} ${pageOf(question, best)}, "${best.heading}":`, quoted(best), listed("See also:", others)]
      .filter((part) => part !== "")
      .join("\n\n");
  },
};

/** The pages that have most of the question's words. */
function pagesOf(talk: Conversation): readonly string[] {
  const counts = talk.results("search").map((result) => foundCounts(result, talk.folder));
  const paths = [...new Set(counts.flatMap((one) => [...one.keys()]))].filter((path) => !NOT_FOR_USERS.test(path));
  const score = (path: string): number =>
    counts.reduce((sum, one) => sum + (one.has(path) ? 2 + Math.log2(one.get(path)!) : 0), 0);
  return paths.toSorted((a, b) => score(b) - score(a) || compare(a, b)).slice(0, PAGES);
}

const sectionsRead = (talk: Conversation) =>
  talk.results("read").flatMap((result) => {
    if (result.failed) return [];
    const { from, lines } = readLines(result);
    return sectionsIn(pathOf(result, talk.folder), lines, from);
  });

const pageOf = ({ docs }: GuideQuestion, { path, from }: RankedSection): string =>
  place(`docs/${path.startsWith(`${docs}/`) ? path.slice(docs.length + 1) : path.replace(/^.*\//, "")}`, from);

/** A long section is cut, and a code block that is cut with it is closed. */
function quoted({ lines }: RankedSection): string {
  const body = lines.join("\n").trim().split("\n");
  const shown = body.slice(0, QUOTED_LINES);
  const isOpen = shown.filter((line) => line.startsWith("```")).length % 2 === 1;
  return [...shown, ...(isOpen ? ["```"] : []), ...(body.length > QUOTED_LINES ? ["…"] : [])].join("\n");
}
