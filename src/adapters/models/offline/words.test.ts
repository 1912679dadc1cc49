import { expect, test } from "vitest";
import { patternOf, pairsOf } from "./patterns.ts";
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
  expect(conceptsOf('where is "no space left" told by TreeLog.append').slice(0, 3)).toEqual([
    { word: "no space left", stems: ["no space left"], exact: true },
    { word: "TreeLog", stems: ["TreeLog"], exact: true },
    { word: "append", stems: ["append"], exact: true },
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

test("a pair is two different concepts on a line, in either order", () => {
  const pattern = new RegExp(pairsOf(conceptsOf("write event")));
  expect(pattern.test("writes the event")).toBe(true);
  expect(pattern.test("events are written")).toBe(true);
  expect(pattern.test("event, event")).toBe(false);
});

test("the longest pattern stays within what search tools take", () => {
  expect(pairsOf(conceptsOf("write create read emit delete start")).length).toBeLessThan(10_000);
});
