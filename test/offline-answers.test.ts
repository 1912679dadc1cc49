// How good the embedded model's answers are: sixty questions about three public packages, with the places that answer them.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { guide as guidePrompt } from "../src/core/agents/built-in-prompts.ts";
import { docsFolder } from "../src/host/docs-folder.ts";
import { toolWorld } from "./tool-world.ts";
import { askIn, bodyOf, claimsIn, confidenceOf, firstParagraph, isAt, packageWorld } from "./offline-kit.ts";
import { projects } from "./offline-questions.ts";

/** A person looks at this many places before giving up. */
const LOOKED_AT = 3;

describe.each(projects)("questions about $name", ({ name, questions }) => {
  test("E8: no wrong place is given as certain, three of four answers help, and all that is quoted is in the files", async () => {
    const world = await packageWorld(name);
    const folder = world.dir.path;
    const misled: string[] = [];
    const helped: string[] = [];
    for (const question of questions) {
      const { answer } = await world.ask(question.ask);
      const isRight = (text: string, most: number): boolean =>
        distinct(claimsIn(text))
          .slice(0, most)
          .some((claim) => isAt(folder, claim, question));
      if (confidenceOf(answer) === "certain" && !isRight(firstParagraph(answer), Infinity)) misled.push(question.ask);
      if (isRight(answer, LOOKED_AT)) helped.push(question.ask);
      expect(misquoted(folder, answer), question.ask).toEqual([]);
    }
    expect(misled).toEqual([]);
    expect(helped.length / questions.length, `only these helped: ${helped.join("; ")}`).toBeGreaterThanOrEqual(0.75);
  });
});

test("E8: the same question gets the same answer, call for call", async () => {
  const world = await packageWorld("immer");
  const ask = () => world.ask("which function applies patches to a draft?");
  expect(await ask()).toEqual(await ask());
});

test("E8: in a repository of 5,000 files an answer takes at most two seconds, and what was made or fetched comes last", async () => {
  const world = await toolWorld();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(world.join(path)), { recursive: true });
    writeFileSync(world.join(path), text);
  };
  for (let n = 0; n < 5_000; n++)
    put(
      `src/part${n % 70}/piece-${n}.ts`,
      Array.from(
        { length: 12 },
        (_, m) => `export function step${n}x${m}(order: Order): number {\n  return price(order, ${n}) * ${m};\n}\n`,
      ).join(""),
    );
  const cart = "export function applyDiscountCode(cart, code) {\n  return cart.total - valueOf(code);\n}\n";
  const decoys = ["build/cart.js", ".claude/cart.js", "vendor/a/cart.js", "dist/cart.min.js", "docs/cart.md"];
  for (const path of decoys) put(path, cart);
  put("yarn.lock", cart.repeat(20));
  put("zz/shop/cart.js", cart);
  for (const [question, first] of [
    ["where is applyDiscountCode defined?", "zz/shop/cart.js:1-3"],
    ["which function applies a discount code to the cart?", "zz/shop/cart.js:1-3"],
    ["which function computes the price of an order?", ""],
  ] as const) {
    const took: number[] = [];
    for (let n = 0; n < 3 && !(took.at(-1)! < 2_000); n++) {
      const began = performance.now();
      const { answer, calls } = await askIn(world, world.dir.path, question);
      took.push(performance.now() - began);
      expect(firstParagraph(answer), question).toContain(first);
      expect(calls.length).toBeLessThan(30);
    }
    expect(Math.min(...took), `${question}: ${took.map(Math.round).join(", ")} ms`).toBeLessThan(2_000);
  }
});

describe("B12: the guide answers from the shipped documentation and names the page", () => {
  const docs = docsFolder() ?? "";
  const cases: readonly (readonly [question: string, page: RegExp, says: string])[] = [
    ["what does --max-turns do?", /^docs\/running\.md/, "one\nturn to hand in"],
    ["which flag limits the cost?", /^docs\/(?:running|models)\.md/, "--budget-usd"],
    ["how do I write an agent file?", /^docs\/agents\.md/, "An agent is a Markdown file"],
    ["how do I use hooks?", /^docs\/hooks\.md/, "A hook is a command of yours"],
    ["where are sessions stored?", /^docs\/running\.md/, "sous sessions"],
    ["how do I allow a command without being asked?", /^docs\/permissions\.md/, "allow"],
    ["what does disallowedTools do?", /^docs\/agents\.md/, "disallowedTools"],
  ];
  test.each(cases)("%s", async (question, page, says) => {
    const world = await toolWorld();
    const { answer } = await askIn(world, world.dir.path, question, guidePrompt(docs));
    const [, at = "", heading] = /(?:From|Closest is) (docs\/\S+\.md:\d+), "(.+)":$/m.exec(bodyOf(answer)) ?? [];
    expect(at, answer).toMatch(page);
    expect(answer).toContain(says);
    const [file = "", line] = at.replace("docs/", "").split(":");
    expect(readFileSync(join(docs, file), "utf8").split("\n")[Number(line) - 1]).toContain(heading);
  });

  test("what is not written there is said not to be", async () => {
    const world = await toolWorld();
    const { answer } = await askIn(world, world.dir.path, "how do I bake sourdough?", guidePrompt(docs));
    expect(bodyOf(answer)).toMatch(/^(?:I am not sure|Sous's documentation does not speak of)/);
  });
});

const distinct = (claims: ReturnType<typeof claimsIn>) =>
  claims.filter((one, at) => claims.findIndex((other) => other.path === one.path && other.from === one.from) === at);

/** Places that are not there, and quoted lines that are not what the file has. */
function misquoted(folder: string, answer: string): readonly string[] {
  const body = bodyOf(answer);
  const linesOf = (path: string): readonly string[] => readFileSync(join(folder, path), "utf8").split("\n");
  const beyond = claimsIn(body).filter(({ path, to }) => to > linesOf(path).length);
  const listed = [...body.matchAll(/([\w./@-]+\.\w+):(\d+)(?:-\d+)? `([^`]+)`$/gm)].filter(
    ([, path = "", line, text = ""]) => !linesOf(path)[Number(line) - 1]?.trim().startsWith(text),
  );
  const [first] = claimsIn(body);
  const block = [...(/```\w*\n([\s\S]*?)```/.exec(body)?.[1] ?? "").matchAll(/^ *(\d+) {2}(.*)$/gm)].filter(
    ([, line, text]) => linesOf(first!.path)[Number(line) - 1]?.slice(0, 160) !== text,
  );
  return [...beyond.map(({ path, to }) => `${path}:${to}`), ...[...listed, ...block].map(([all]) => all)];
}
