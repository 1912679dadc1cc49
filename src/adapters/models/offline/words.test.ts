import { expect, test } from "vitest";
import { anyOf, definitionPattern, patternOf } from "./patterns.ts";
import { conceptsOf, isName, presence, stem, stemsOf, tokensOf } from "./words.ts";

test("forms of one word have one stem", () => {
  for (const forms of [
    "write writes writer writing wrote written",
    "log logs logged logging logger",
    "parse parses parser parsing",
    "query queries",
    "cache caches cached",
  ])
    expect(new Set(forms.split(" ").map(stem)).size, forms).toBe(1);
});

test("words that only look alike have different stems", () => {
  expect(stem("file")).not.toBe(stem("filter"));
  expect(stem("event")).not.toBe(stem("prevent"));
});

test("names of code are split into their words", () => {
  expect(tokensOf("readHTTPHead max_size kebab-case")).toEqual([
    "read",
    "http",
    "head",
    "max",
    "size",
    "kebab",
    "case",
  ]);
});

test("names and quoted phrases are taken exactly, and come first", () => {
  expect(conceptsOf('where is "no space left" told by TreeLog.append').slice(0, 2)).toEqual([
    { word: "no space left", stems: ["no space left"], exact: true },
    { word: "TreeLog.append", stems: ["TreeLog.append"], exact: true },
  ]);
  expect(["readLine", "max_size", "run()", "MAX", "a.b"].map(isName)).toEqual([true, true, true, true, true]);
  expect(["journal", "Where", "it"].map(isName)).toEqual([false, false, false]);
});

test("a near word counts, but less than the word itself", () => {
  const [concept] = conceptsOf("writes");
  const value = (text: string): number => presence(concept!, stemsOf(text), text);
  expect(value("writeLine")).toBe(1);
  expect(value("appendLine")).toBeGreaterThan(0);
  expect(value("appendLine")).toBeLessThan(1);
  expect(value("closeLine")).toBe(0);
});

test("a concept's pattern finds its forms inside names and no other words", () => {
  const [concept] = conceptsOf("event");
  const pattern = new RegExp(patternOf(concept!));
  for (const text of ["an event", "events", "onEvent(", "EVENT_ID", "event_log", "DurableEvent"])
    expect(pattern.test(text), text).toBe(true);
  for (const text of ["prevent", "eventually", "prevented"]) expect(pattern.test(text), text).toBe(false);
});

test("a line that defines something so named is told from one that speaks of it", () => {
  const pattern = new RegExp(definitionPattern(conceptsOf("write event")), "i");
  for (const text of [
    "export function writeLine(a) {",
    "  #appendEvent (a) {",
    "const onEvent = () => {",
    "def write_all(x):",
  ])
    expect(pattern.test(text), text).toBe(true);
  for (const text of ["// events are written", "log(a, b)"]) expect(pattern.test(text), text).toBe(false);
});

test("the longest pattern stays within what search tools take", () => {
  const concepts = conceptsOf("write create read emit delete start");
  expect(definitionPattern(concepts).length).toBeLessThan(2_000);
  expect(anyOf(concepts).length).toBeLessThan(1_000);
});

test("two words that make one name are looked for together, and a word where a name stands is one", () => {
  expect(conceptsOf("what happens when it times out").flatMap((one) => one.stems)).toContain("timeout");
  expect(conceptsOf("what does freeze do?")).toEqual([{ word: "freeze", stems: ["freeze"], exact: true }]);
  expect(conceptsOf("what is the default of depth?")).toContainEqual({ word: "depth", stems: ["depth"], exact: true });
});
