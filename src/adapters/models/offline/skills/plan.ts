// "Plan X": a template filled with what the search found. Says that it is one: nobody has thought about the change.
import type { Conversation } from "../conversation.ts";
import { fullName } from "../definitions.ts";
import { readCall, topCalls } from "../lookups.ts";
import { foundNames } from "../outputs.ts";
import { type RankedFile } from "../rank.ts";
import { isTestPath } from "../places.ts";
import { type Search, rankedDefinitions, rankedFiles, readStage, searchStage } from "../search.ts";
import { listed, place, quotedWords } from "../say.ts";
import { familyOf } from "../languages.ts";
import type { Skill, Stage } from "../skill.ts";
import { commandsFrom, isManifest } from "./manifest.ts";

type Goal = Search & { readonly goal: string };

const TOUCHED = 4;
const TEMPLATE = "This is a template filled with what I found by searching; nobody has thought the change through.";

const surveyStage: Stage<Goal> = {
  name: "search",
  calls: (talk, goal) => [...searchStage.calls(talk, goal), ...topCalls(talk.tools)],
};

const manifestStage: Stage<Goal> = {
  name: "manifest",
  calls: (talk) =>
    topFiles(talk)
      .filter(isManifest)
      .slice(0, 2)
      .map((path) => readCall(path, 1, 200)),
};

export const plan: Skill<Goal> = {
  stages: [surveyStage, readStage(TOUCHED), manifestStage],
  answer: (talk, goal) => {
    const ranked = rankedFiles(talk, goal);
    const files = ranked.filter((file) => !isTestPath(file.path)).slice(0, TOUCHED);
    const tests = testsFor(files, ranked).slice(0, 4);
    const definitions = rankedDefinitions(talk, goal).slice(0, 5);
    const command = commandsFrom(talk.results("manifest")).test;
    const words = quotedWords(goal.concepts.map((concept) => concept.word));
    const check = command ?? "the project's tests";
    return [
      `**Plan: ${goal.goal.slice(0, 300)}**\n${TEMPLATE}`,
      words === ""
        ? "Context: the goal has no word to search for."
        : `Context: I searched for ${words}; files that speak of it: ${ranked.length}.`,
      listed(
        "What is there now:",
        definitions.map(
          ({ definition }) =>
            `\`${fullName(definition)}\` (${definition.kind}), ${place(definition.path, definition.from, definition.to)}`,
        ),
      ),
      numbered("Steps:", steps(files, tests, definitions[0] && fullName(definitions[0].definition), check)),
      listed(
        "Files likely to be touched:",
        files.map((file) => `${file.path} (has ${quotedWords(file.has)})`),
      ),
      listed(
        "Tests that already speak of it:",
        tests.map((file) => file.path),
      ) || "Tests: I found none that speak of it.",
      listed("Risks:", risks(files, tests, ranked)),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  },
};

function steps(
  files: readonly RankedFile[],
  tests: readonly RankedFile[],
  nearest: string | undefined,
  check: string,
): readonly string[] {
  const [first] = files;
  // A test stands beside code, not beside a manifest or a document.
  const code = files.find(({ path }) => familyOf(path) !== undefined && !isManifest(path));
  return [
    first
      ? `Read ${files
          .slice(0, 3)
          .map((file) => file.path)
          .join(", ")} and write down what happens today.`
      : "Find out where in the project this belongs: I found no file that speaks of it.",
    tests[0]
      ? `Write a failing test in ${tests[0].path} that shows what is wanted.`
      : `Write a failing test${code ? ` beside ${code.path}` : ""} that shows what is wanted.`,
    nearest ? `Make the change, beginning at \`${nearest}\`.` : "Make the smallest change that turns the test green.",
    `Follow every use of what changed${first ? `: ask "who calls ${nearest ?? "it"}?"` : ""}.`,
    `Run ${check}.`,
    "Update the documentation and the changelog where the change is visible.",
  ];
}

function risks(
  files: readonly RankedFile[],
  tests: readonly RankedFile[],
  ranked: readonly RankedFile[],
): readonly string[] {
  return [
    ...(ranked.length > 15 ? [`${ranked.length} files speak of it: the change may reach far.`] : []),
    ...(tests.length === 0 ? ["No test speaks of it: nothing guards today's behaviour."] : []),
    ...(files.length === 0 ? ["The words of the goal are not in the code: it may be called otherwise there."] : []),
    "A search by words misses what is spelled otherwise.",
  ];
}

/** The listing is the last call of the search stage. */
const topFiles = (talk: Conversation): readonly string[] => foundNames(talk.results("search").at(-1));

/** Tests that are named for a file that would be touched come first. */
function testsFor(files: readonly RankedFile[], ranked: readonly RankedFile[]): readonly RankedFile[] {
  const names = files.map((file) => stemOf(file.path));
  const beside = (file: RankedFile): boolean => names.some((name) => stemOf(file.path).includes(name));
  return ranked.filter((file) => isTestPath(file.path)).toSorted((a, b) => Number(beside(b)) - Number(beside(a)));
}

const stemOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");

const numbered = (title: string, items: readonly string[]): string =>
  [title, ...items.map((item, at) => `${at + 1}. ${item}`)].join("\n");
