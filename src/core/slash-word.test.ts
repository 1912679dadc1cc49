import { expect, test } from "vitest";
import { slashWord, withoutEscape } from "./slash-word.ts";

test("003.38: a slash and a name is a command; a path, a lone slash, a comment and an escape are text", () => {
  for (const text of ["/oracle what now", "/u", " /plan", "/my:command x", "/re-view\nmore"])
    expect(slashWord(text), text).toBe(text.trim().split(/\s/)[0]);
  for (const text of [
    "what",
    "/etc/hosts is wrong",
    "/",
    "/ x",
    "//plan",
    "// a comment",
    "/* c */",
    "/42 is no name",
    "",
  ])
    expect(slashWord(text), text).toBeUndefined();
});

test("only the escape of a name loses its slash", () => {
  expect(withoutEscape("//plan it")).toBe("/plan it");
  for (const text of ["//go:build linux\npackage main\n", "// a comment", "//", "///x", "/etc/hosts", "a //b"])
    expect(withoutEscape(text)).toBe(text);
});
