import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import { type Message, text, textOf } from "../../../core/messages.ts";
import { noUsage } from "../../../core/usage.ts";
import { tempDir } from "../../../testing/memory/temp-dir.ts";
import { createOfflineModel, offlineFacts } from "./offline-model.ts";
import { type Doubles, play, toolDoubles } from "./tool-doubles-test-kit.ts";

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\n[![badge](x)](y)\n\nSells pots and pans over HTTP.\n\n## Use\n",
  "package.json": JSON.stringify({
    name: "shop",
    description: "A small shop",
    bin: { shop: "bin/shop.js" },
    scripts: { pretest: "x", test: "vitest", start: "node ." },
  }),
  "src/basket.ts": `// The basket of one visitor.
import { price } from "./price.ts";

export class Basket {
  /** Puts an item in. */
  addItem(item: string, count: number): void {
    this.items.set(item, count);
  }

  total(): number {
    return price(this.items);
  }
}
`,
  "src/price.ts":
    "// What things cost.\nexport function price(items: Map<string, number>): number {\n  return items.size; // TODO: real prices\n}\n",
  "src/price.test.ts": 'import { price } from "./price.ts";\ntest("price", () => price(new Map()));\n',
  "tools/report.py": 'def render_report(rows):\n    """Prints the monthly report of sales."""\n    return rows\n',
};

const root = await tempDir();
afterAll(() => root[Symbol.asyncDispose]());
for (const [path, content] of Object.entries(FILES)) write(path, content);
const tools = toolDoubles(root.path);
const model = createOfflineModel();
const ask = (prompt: string, with_: Doubles = tools, before: readonly Message[] = []) =>
  play(model, prompt, with_, before, root.path);

describe("it answers from the files", () => {
  const cases: readonly { prompt: string; says: readonly (string | RegExp)[]; calls: readonly string[] }[] = [
    {
      prompt: "which function adds an item to the basket?",
      says: ["`Basket.addItem`", "src/basket.ts:6-8", "addItem(item: string, count: number): void"],
      calls: ["Grep", "Read"],
    },
    {
      prompt: "which function prints the report of sales?",
      says: ["`render_report`", "tools/report.py:1"],
      calls: ["Grep", "Read"],
    },
    { prompt: "where is addItem defined?", says: ["`Basket.addItem`", "src/basket.ts:6"], calls: ["Grep", "Read"] },
    { prompt: "who calls price?", says: ["src/price.ts:2", "src/basket.ts:11", "src/price.test.ts"], calls: ["Grep"] },
    {
      prompt: "what does basket.ts do?",
      says: ["**src/basket.ts**", "The basket of one visitor.", "`Basket.addItem`", "./price.ts"],
      calls: ["Glob", "Read", "Grep"],
    },
    {
      prompt: "what does src/price.ts do?",
      says: ["What things cost.", "Imported, by name, in:\n- src/basket.ts", "src/price.test.ts"],
      calls: ["Glob", "Read", "Grep"],
    },
    {
      prompt: "what does the folder src/ hold?",
      says: ["src/basket.ts: The basket of one visitor.", "src/price.ts: What things cost."],
      calls: ["Glob", "Read"],
    },
    {
      prompt: "what is in the readme?",
      says: ["**README.md**", "Sells pots and pans over HTTP."],
      calls: ["Glob", "Read", "Grep"],
    },
    {
      prompt: "summarise this repo",
      says: [
        "**Shop**",
        "shop: A small shop",
        "Sells pots and pans over HTTP.",
        "ts 3",
        "bin/shop.js",
        "test: `npm test`",
        "src/price.test.ts",
        /^(?!.*pretest)/s,
      ],
      calls: ["LS", "Grep", "Read"],
    },
    { prompt: "list TODOs", says: ["1 mark in 1 file", "src/price.ts (1)", "3: return items.size;"], calls: ["Grep"] },
    {
      prompt: "plan adding a discount to the price",
      says: [
        "**Plan: adding a discount to the price**",
        "template",
        "src/price.ts",
        "src/price.test.ts",
        "npm test",
        "Risks:",
      ],
      calls: ["Grep", "LS", "Read"],
    },
    {
      prompt: "rewrite the basket in Haskell please",
      says: ["I cannot do that", "src/basket.ts", "I can, by rules"],
      calls: ["Grep"],
    },
    { prompt: "where is the quantum flux capacitor?", says: ['Nothing in this folder has "quantum"'], calls: ["Grep"] },
    { prompt: "what does nothing.ts do?", says: ["I found no file named nothing.ts"], calls: ["Glob"] },
    { prompt: "help", says: ["I can, by rules"], calls: [] },
  ];
  for (const { prompt, says, calls } of cases)
    test(prompt, async () => {
      const played = await ask(prompt);
      for (const words of says)
        expect(played.answer).toMatch(
          typeof words === "string" ? new RegExp(words.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")) : words,
        );
      const used = played.calls.map((call) => call.tool);
      expect([...new Set(used)].sort()).toEqual([...calls].sort());
    });
});

test("on this repository it names the function that writes an event to the journal", async () => {
  const here = join(import.meta.dirname, "../../../..");
  const played = await play(model, "which function writes an event to the journal?", toolDoubles(here), [], here);
  const [, first = ""] = played.answer.split("\n\n");
  expect(first).toMatch(
    /^Most likely `TreeJournal\.(append|#write)` \(method\) in src\/adapters\/log\/tree-journal\.ts:\d+-\d+/,
  );
  expect(played.answer).toContain("`TreeJournal.append`");
  expect(played.calls.filter((call) => call.tool === "Grep").length).toBeGreaterThanOrEqual(4);
  expect(played.calls.filter((call) => call.tool === "Read").map((call) => call.input["file_path"])).toContain(
    "src/adapters/log/tree-journal.ts",
  );
});

test("the same input gives the same output, call for call and piece for piece", async () => {
  for (const prompt of ["which function adds an item to the basket?", "summarise this repo", "plan adding a discount"])
    expect(await ask(prompt)).toEqual(await ask(prompt));
});

test("the order in which tools list what they found changes nothing", async () => {
  const turned = Object.fromEntries(
    Object.entries(tools).map(([name, double]) => [
      name,
      name === "Read" ? double : async (input: JsonObject) => (await double(input)).split("\n").toReversed().join("\n"),
    ]),
  );
  for (const prompt of [
    "which function adds an item to the basket?",
    "summarise this repo",
    "list TODOs",
    "who calls price?",
  ])
    expect((await ask(prompt, turned)).answer).toBe((await ask(prompt)).answer);
});

test("it says what it is in the first answer of a session, and only there", async () => {
  const first = await ask("list TODOs");
  expect(first.answer.split("\n")[0]).toMatch(
    /^I am Sous's built-in offline model: rules, no language model\..*ANTHROPIC_API_KEY/,
  );
  const second = await ask("list TODOs", tools, first.messages);
  expect(second.answer).not.toContain("offline model");
  expect(second.answer).toContain("src/price.ts (1)");
});

test("it is free, streams in pieces that make up its text, and ends with one reply", async () => {
  const { parts, replies } = await ask("which function adds an item to the basket?");
  expect(
    parts
      .filter((part) => part.type === "text")
      .map((part) => part.text)
      .join(""),
  ).toBe(replies.map((reply) => textOf(reply.content)).join(""));
  expect(parts.filter((part) => part.type === "text").length).toBeGreaterThan(replies.length + 3);
  expect(replies.map((reply) => reply.finish)).toEqual(["calls", "calls", "calls", "stop"]);
  expect(replies.every((reply) => reply.model === "rules" && reply.usage === noUsage)).toBe(true);
  expect({ id: model.id, provider: model.provider, price: offlineFacts.price }).toEqual({
    id: "offline/rules",
    provider: "offline",
    price: { input: 0, output: 0 },
  });
});

test("it calls only tools that it was given, and without any says so", async () => {
  const only = { Read: tools["Read"]! };
  for (const prompt of [
    "where is addItem?",
    "summarise this repo",
    "list TODOs",
    "who calls price?",
    "plan a discount",
    "review the diff",
    "what does src/price.ts do?",
  ]) {
    const { calls, answer } = await ask(prompt, only);
    expect(
      calls.every((call) => call.tool === "Read"),
      prompt,
    ).toBe(true);
    expect(answer.length, prompt).toBeGreaterThan(150);
  }
  expect((await ask("list TODOs", {})).answer).toContain("I had no tool to search with.");
  expect((await ask("what does src/price.ts do?", only)).answer).toContain("What things cost.");
});

test("where only a shell can search, it searches by the shell", async () => {
  const bash = (input: { readonly [key: string]: unknown }): string =>
    `${execFileSync("bash", ["-c", String(input["command"])], { cwd: root.path, encoding: "utf8" })}[exit code 0]`;
  const shell = { Bash: bash, Read: tools["Read"]! };
  expect((await ask("which function adds an item to the basket?", shell)).answer).toContain("`Basket.addItem`");
  expect((await ask("list TODOs", shell)).answer).toContain("src/price.ts (1)");
  expect((await ask("what does basket.ts do?", shell)).answer).toContain("The basket of one visitor.");
  expect((await ask("summarise this repo", shell)).answer).toContain("ts 3");
});

test("a refused search is not told as nothing found", async () => {
  const refusing = (): string => {
    throw new Error("Not run: Grep was refused: a rule denies it.");
  };
  for (const prompt of ["where is addItem?", "list TODOs", "who calls price?"]) {
    const { answer } = await ask(prompt, { Grep: refusing });
    expect(answer, prompt).toContain("I could not search this folder.");
    expect(answer, prompt).toContain("a rule denies it");
  }
});

test("told to end, it answers with what it has, without calls; told to go on, it goes on where it was", async () => {
  const whole = await ask("which function adds an item to the basket?");
  const cut = whole.messages.slice(0, 3);
  const end: Message = {
    role: "user",
    content: [text("You must end now: the limit of 1 turn is reached. Hand in what you have.")],
  };
  const handIn = await replyTo([...cut, end]);
  expect(handIn.calls).toEqual([]);
  expect(handIn.said).toContain("I was told to end");
  expect(handIn.said).toContain("src/basket.ts");
  const on: Message = { role: "user", content: [text("Go on where you were interrupted.")] };
  const goneOn = await replyTo([...cut, end, { role: "assistant", content: [text(handIn.said)] }, on]);
  expect(goneOn.calls).toContain("Grep");
});

test("ids of calls are new in the whole conversation and fit for every wire", async () => {
  const first = await ask("list TODOs");
  const second = await ask("list TODOs", tools, first.messages);
  const ids = [...first.calls, ...second.calls].map((call) => call.call);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[a-zA-Z0-9_-]{1,64}$/.test(id))).toBe(true);
});

test("no prompt takes more than six turns of at most eight calls", async () => {
  for (const prompt of [
    "where is price?",
    "summarise this repo",
    "what does src/ do",
    "plan a new basket price report",
    "review the diff",
  ]) {
    const { replies } = await ask(prompt);
    expect(replies.length).toBeLessThanOrEqual(6);
    for (const reply of replies)
      expect(reply.content.filter((part) => part.type === "call").length).toBeLessThanOrEqual(8);
  }
});

test("whatever tools say, it answers, in time", async () => {
  const started = performance.now();
  for (const said of [
    "",
    "a:1:b\n".repeat(40_000),
    `${"(".repeat(100_000)}\n`,
    "a:9:".repeat(30_000),
    "\0\u2028\r\n".repeat(9_999),
    "     1\t/**".repeat(9_000),
    "x.ts:1:class A {\n".repeat(9_000),
    "+++ b/a\n@@ -1,9 +1,9 @@\n+catch (".repeat(5_000),
  ]) {
    const same = () => said;
    const hostile = { Grep: same, Glob: same, LS: same, Read: same, Bash: same };
    for (const prompt of [
      "which function writes an event?",
      "summarise this repo",
      "what does x.ts do?",
      "review the diff",
      "list TODOs",
      "plan an event",
      "who calls A?",
    ])
      expect((await ask(prompt, hostile)).answer.length).toBeLessThan(60_000);
  }
  expect(performance.now() - started).toBeLessThan(15_000);
});

test("an aborted call throws the signal's reason", async () => {
  const reason = new Error("stopped");
  const request = { system: "", messages: [{ role: "user" as const, content: [text("help")] }], tools: [] };
  await expect(model.stream(request, AbortSignal.abort(reason))[Symbol.asyncIterator]().next()).rejects.toBe(reason);
});

test("asked to compact a transcript, it shortens it by rules", async () => {
  const transcript = `USER: find the leak\nCALL Grep {"pattern":"leak"}\nRESULT Grep: a.ts:1:leak\n${"noise\n".repeat(50_000)}AGENT: it is in a.ts`;
  const request = {
    system: "You compact the transcript of a coding agent so that it can go on without the original.",
    messages: [{ role: "user" as const, content: [text(transcript)] }],
    tools: [],
  };
  let said = "";
  for await (const part of model.stream(request, new AbortController().signal))
    if (part.type === "text") said += part.text;
  expect(said).toContain("USER: find the leak");
  expect(said).toContain("AGENT: it is in a.ts");
  expect(said.length).toBeLessThan(13_000);
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(root.path, path)), { recursive: true });
  writeFileSync(join(root.path, path), content);
}

async function replyTo(messages: readonly Message[]): Promise<{ said: string; calls: readonly string[] }> {
  const specs = Object.keys(tools).map((name) => ({ name, description: name, schema: {} }));
  for await (const part of model.stream({ system: "", messages, tools: specs }, new AbortController().signal))
    if (part.type === "reply")
      return {
        said: textOf(part.reply.content),
        calls: part.reply.content.flatMap((one) => (one.type === "call" ? [one.tool] : [])),
      };
  throw new Error("no reply");
}
