// Definition files as an unlucky editor leaves them: nothing crashes, and a tool list that was given never becomes
// "all tools".
import { beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { definitionOf } from "./draft.ts";
import { quirks } from "./fixtures/quirks.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import { plainFields } from "./plain-fields.ts";
import { needsYaml, readDefinition } from "./read-definition.ts";
import { type YamlReader, loadYaml } from "./yaml.ts";

const FILES = 2_000;

let yaml: YamlReader;
beforeAll(async () => {
  yaml = await loadYaml();
});

test("B4: 2,000 damaged files: none crashes, none is given all tools in place of its list", () => {
  const random = seededRandom(4);
  const outcomes = { agents: 0, refused: 0, skipped: 0, listed: 0 };
  const [opened, lineless]: [string[], string[]] = [[], []];
  for (let n = 0; n < FILES; n++) {
    const text = damaged(random);
    const reading = readDefinition(
      text,
      { kind: "project", priority: 30, file: "a.md" },
      needsYaml(text) ? yaml : undefined,
    );
    if (!("draft" in reading)) {
      outcomes.skipped++;
      if (!reading.problems[0]?.line) lineless.push(text);
      continue;
    }
    const { tools, launchable } = definitionOf(reading.draft);
    outcomes[launchable === true ? "agents" : "refused"]++;
    if (launchable !== true || !givesList(text)) continue;
    outcomes.listed++;
    if (tools === "inherit") opened.push(text);
  }
  expect({ opened, lineless }).toEqual({ opened: [], lineless: [] });
  // The damage must leave enough of each kind, or this shows nothing.
  expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(100);
});

/** Whether a person who looks at the file sees a tool list in its head that does not say "everything". */
function givesList(text: string): boolean {
  const parts = splitFrontmatter(text);
  if (parts.is !== "closed") return false;
  const first = parts.head.split("\n").find((line) => /^(tools|allowedTools):/.test(line));
  const value = first?.slice(first.indexOf(":") + 1).trim() ?? "";
  return /^['"[\s]*[A-Za-z]/.test(value) && /Read|Grep|Bash|Edit|Write|WebFetch/.test(value.replace(/#.*/, ""));
}

const heads = [
  "name: a\ndescription: b\ntools: Read, Grep",
  "name: a\ndescription: Triggers on: 'x', \"y\"\ntools: [Read, Bash(git log:*)]\nmodel: haiku",
  "name: a\ntools:\n  - Read\n  - Grep\ndescription: >\n  long\n  text",
  'name: "a"\nallowedTools: \'["Read"]\'\ndescription: "b: c"',
  "name: a\ndescription: c\nuser: x\nuser: y\ntools: Read Grep\nhooks: {}\ndisallowedTools: Bash",
];
const pieces = [
  "\n",
  ":",
  ": ",
  " #",
  "- ",
  "  ",
  "\t",
  '"',
  "'",
  "[",
  "]",
  "{",
  "}",
  "*",
  "&a ",
  "*a",
  "|",
  ">",
  "!",
  "%",
  "@",
  "`",
  ",",
].concat([
  "\u200b",
  "\u00a0",
  "\r",
  "---",
  "\n---\n",
  "tools: Read\n",
  "description: ",
  "# Description\n",
  "null",
  "\ud800",
  "null\n",
  "<example>",
]);

function damaged(random: ReturnType<typeof seededRandom>): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
  let text =
    random.next() < 0.5 ? `---\n${pick(heads)}\n---\n\n## Description\nDo it.\n` : pick(quirks).text.slice(0, 3_000);
  for (let edits = Math.floor(random.next() * 6); edits > 0; edits--) {
    const at = Math.floor(random.next() * Math.min(text.length, 300));
    const kind = random.next();
    if (kind < 0.5) text = text.slice(0, at) + pick(pieces) + text.slice(at);
    else if (kind < 0.75) text = text.slice(0, at) + text.slice(at + 1 + Math.floor(random.next() * 4));
    else {
      const lines = text.split("\n");
      const line = Math.floor(random.next() * Math.min(lines.length, 10));
      if (kind < 0.9) lines.splice(line, 1);
      else lines.splice(line, 0, lines[Math.floor(random.next() * Math.min(lines.length, 10))] ?? "");
      text = lines.join("\n");
    }
  }
  return text;
}

test("what is read without YAML is read as YAML would read it", () => {
  const random = seededRandom(5);
  let compared = 0;
  const words = [
    "Read",
    "a: b",
    "a:b",
    "x # y",
    "x#y",
    "true",
    "True",
    "null",
    "~",
    "12",
    "0",
    "-1",
    "1.5",
    "yes",
    "nan",
    "é",
    "a, b",
    "[a]",
  ]
    .concat([
      "a  b",
      "a ",
      "'q'",
      "key:",
      "a\tb",
      "- a",
      "Bash(git log:*)",
      "0x1F",
      "1e3",
      "a\u2028b",
      "NaN",
      "Null",
      "!x",
      "a %",
      "a & b",
      "a*",
    ])
    .concat([
      "[a, b]",
      "[ Read,Grep ]",
      "[a, null]",
      "[true]",
      "[]",
      "[a b]",
      '"x: y"',
      "'it: is'",
      '"a\\n"',
      "'it''s'",
      '"#"',
      "['a']",
      '""',
    ]);
  for (let n = 0; n < 3_000; n++) {
    const pick = (): string => words[Math.floor(random.next() * words.length)] ?? "";
    const head = Array.from({ length: 1 + Math.floor(random.next() * 3) }, (_, at) =>
      `k${at}: ${pick()}${random.next() < 0.4 ? ` ${pick()}` : ""}`.trimEnd(),
    ).join("\n");
    const plain = plainFields(head, 0);
    if (!plain) continue;
    compared++;
    const strict = yaml.pairs(head);
    const parts = ({ key, value, plain: bare, line }: (typeof plain)[number]) => [
      key,
      value,
      typeof value === "object" || bare,
      line,
    ];
    expect(plain.map(parts), head).toEqual("pairs" in strict ? strict.pairs.map(parts) : strict);
  }
  expect(compared).toBeGreaterThan(300);
});
