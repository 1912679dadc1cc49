import { describe, expect, test } from "vitest";
import { MOST_ADDED_CHARS, renderTemplate, unknownVariables, usesVariable } from "./template.ts";

const values = { cwd: "/project", date: "2026-01-01", git_branch: "main" };
const metadata = { author: "Ada", tags: ["a", "b"], nested: { deep: 7 }, CAPS: "yes", none: null };
const render = (text: string): string => {
  const rendered = renderTemplate(text, { values, metadata });
  return "text" in rendered ? rendered.text : rendered.problem;
};

test("A9: variables become their values, with or without spaces, wherever they stand in a line", () => {
  expect(render("In {{cwd}} on {{ git_branch }}, {{date}}{{date}}.")).toBe(
    "In /project on main, 2026-01-012026-01-01.",
  );
});

test("A7, A9: unknown keys of the head are there as metadata and by their own names", () => {
  expect(render("{{metadata.author}} {{author}} {{metadata.nested.deep}} {{tags}} {{CAPS}} <{{none}}>")).toBe(
    'Ada Ada 7 ["a","b"] yes <>',
  );
  expect(render("{{metadata}}")).toBe(JSON.stringify(metadata));
});

test.each([
  ["{{nope}}", "{{nope}}"],
  ["{{ metadata.nope }}", "{{metadata.nope}}"],
  ["{{metadata.author.length}}", "{{metadata.author.length}}"],
  ["{{constructor}}", "{{constructor}}"],
  ["{{metadata.__proto__}}", "{{metadata.__proto__}}"],
])("A9: %s is an error that names it", (text, name) => {
  expect(render(text)).toContain(`unknown variable ${name}`);
});

test("A9: a slip of the keys is told the nearest variable", () => {
  expect(render("{{git_brunch}}")).toContain("did you mean {{git_branch}}?");
});

describe("A9: what only looks like a variable stays as it is", () => {
  test.each([
    ["inline code", "Write `{{nope}}` and `a {{ cwd }}`."],
    ["a fence", "See\n```yaml\n{{ nope }}\n```\nend"],
    ["a fence in a fence", "````md\n```\n{{nope}}\n```\n{{nope}}\n````"],
    ["tildes", "~~~\n{{nope}}\n```\n{{nope}}\n~~~"],
    ["an indented fence", "- item\n  ```\n  {{nope}}\n  ```"],
    ["GitHub's expressions", "run: ${{ secrets.TOKEN }} and ${{nope}}"],
    ["raw Handlebars", "{{{nope}}} {{#each items}} {{/each}} {{> part}}"],
    ["Jinja's filters, calls and tags", '{{ x | upper }} {{ f(x) }} {{ x["y"] }} {% if nope %}'],
    ["other people's dotted names", "Hello {{ user.name }}, {{ .Values.image }}, {{ $json.id }}"],
    ["blanks to be filled in", "# {{PROJECT_NAME}} by {{AUTHOR_1}}"],
    ["an empty pair", "{{}} {{ }} {{"],
  ])("%s", (_, text) => {
    expect(render(text)).toBe(text);
  });

  test("what is escaped, without its backslash", () => {
    expect(render("\\{{nope}} and \\{{cwd}}")).toBe("{{nope}} and {{cwd}}");
  });
});

test("A9: a value is never looked at again", () => {
  const rendered = renderTemplate("{{a}} {{b}}", { values: { a: "{{b}} $& `", b: "\\{{a}}" }, metadata: {} });
  expect(rendered).toEqual({ text: "{{b}} $& ` \\{{a}}" });
});

test("a value that costs something is made once, and only where it is used", () => {
  let made = 0;
  const costly = { values: { list: () => `list ${++made}` }, metadata: {} };
  expect(renderTemplate("nothing here", costly)).toEqual({ text: "nothing here" });
  expect(made).toBe(0);
  expect(renderTemplate("{{list}} {{list}}", costly)).toEqual({ text: "list 1 list 1" });
});

test("A9: unknown variables are found with their lines", () => {
  const text = "first\n```\n{{a}}\n```\n{{b}} {{cwd}}\n\n{{c}}";
  expect(
    unknownVariables(text, Object.keys(values), metadata).map(({ line, message }) => [line, message.slice(0, 42)]),
  ).toEqual([
    [5, "its prompt has the unknown variable {{b}};"],
    [7, "its prompt has the unknown variable {{c}};"],
  ]);
  expect([usesVariable("{{list}}", "list"), usesVariable("`{{list}}`", "list")]).toEqual([true, false]);
});

test("a small file cannot make a huge prompt, and no text takes long to read", () => {
  const big = { values: { big: "x".repeat(10_000) }, metadata: {} };
  expect(renderTemplate("{{big}}".repeat(1_000), big)).toEqual({
    problem: expect.stringContaining(`${MOST_ADDED_CHARS}`),
  });
  const began = performance.now();
  for (const text of [
    "{{".repeat(200_000),
    `{{${" ".repeat(400_000)}`,
    "`".repeat(300_001),
    "{{a ".repeat(100_000),
    "{{a.".repeat(100_000),
  ])
    render(`${text}{{`);
  expect(performance.now() - began).toBeLessThan(2_000);
});
