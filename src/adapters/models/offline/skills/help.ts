// What the offline model says when it is asked for what it cannot do: so, plainly, with what it can, and what it found.
import { type Search, rankedFiles, searchStage } from "../search.ts";
import { listed, quotedWords } from "../say.ts";
import type { Skill } from "../skill.ts";

const CAN = `I can, by rules, without changing anything:
- find code: "which function parses the config file?", "where is maxRetries defined?"
- find uses: "who calls openTree?"
- say what a file holds: "what does src/main.ts do?"
- sum up a project: "summarise this repo"
- list marks: "list TODOs"
- check changes mechanically: "review the diff", or git diff | sous run "review this"
- look into git's history: "who changed src/main.ts?", "when was maxRetries added?", "what changed last week?"
- draft a plan from a template: "plan adding a cache to the parser"`;

export const help: Skill<unknown> = { stages: [], answer: () => CAN };

export const unknown: Skill<Search> = {
  stages: [searchStage],
  answer: (talk, search) => {
    const files = rankedFiles(talk, search).slice(0, 6);
    return [
      "I cannot do that: it needs a language model.",
      listed(
        `What I found for ${quotedWords(search.concepts.map((concept) => concept.word))}:`,
        files.map((file) => `${file.path}${bestLine(file.lines)}`),
      ),
      CAN,
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  },
};

function bestLine(lines: readonly { readonly line: number; readonly text: string }[]): string {
  const first = lines[0];
  return first ? `:${first.line} \`${first.text.trim().slice(0, 100)}\`` : "";
}
