// "Show me around": hands three parts of the work to children at the same time and puts their reports together.
import { everyFileCalls } from "../lookups.ts";
import { compare, foundCounts } from "../outputs.ts";
import type { Conversation } from "../conversation.ts";
import type { Skill } from "../skill.ts";

const SOURCE = /\.(?:ts|tsx|js|mjs|py|go|rs|java|c|cc|cpp|rb|sh)$/;
const ENTRY = /(?:^|\/)(?:main|index|app|cli|server|lib|mod)\.[a-z]+$/;
const TEST = /(?:^|\/)(?:tests?|fixtures|__tests__)\/|[._-]test\.|_test\.|\.spec\./;
const REPORT_LINES = 12;

export const around: Skill<unknown> = {
  stages: [
    { name: "files", calls: ({ tools }) => everyFileCalls(tools) },
    {
      name: "children",
      calls: (talk) => [
        { tool: "CodeSearch", input: { query: "where does the program start?" } },
        ...reviewOf(entryOf(talk)),
        { tool: "Planner", input: { task: `add tests for ${entryOf(talk) ?? "the main part"}` } },
      ],
    },
  ],
  answer: (talk) => {
    const reports = talk.results("children");
    if (reports.length === 0) return "I have no children to send: ask me to summarise this repo instead.";
    return [
      `I sent ${reports.length} children at the same time; each worked in a context of its own and reported back.`,
      ...reports.map(
        (report) => `### ${report.tool}${report.failed ? " (did not succeed)" : ""}\n${short(report.text)}`,
      ),
      "The whole of it is kept: `sous sessions show last`, `sous sessions tree last`.",
    ].join("\n\n");
  },
};

const reviewOf = (target: string | undefined) =>
  target === undefined ? [] : [{ tool: "CodeReview", input: { target, focus: "all" } }];

/** The file that looks most like where a program begins, or else the first source file. */
function entryOf(talk: Conversation): string | undefined {
  const counts = foundCounts(talk.results("files")[0], talk.folder);
  const sources = [...counts.keys()].filter((path) => SOURCE.test(path) && !TEST.test(path));
  const ranked = sources.toSorted(
    (a, b) => Number(ENTRY.test(b)) - Number(ENTRY.test(a)) || depth(a) - depth(b) || compare(a, b),
  );
  return ranked[0];
}

const depth = (path: string): number => path.split("/").length;

function short(report: string): string {
  const lines = report.split("\n");
  const shown = lines.slice(0, REPORT_LINES);
  // A code block that is cut must not swallow what follows.
  const open = shown.filter((line) => line.startsWith("```")).length % 2 === 1;
  return [...shown, ...(open ? ["```"] : []), ...(lines.length > REPORT_LINES ? ["…"] : [])].join("\n");
}
