import { expect, test } from "vitest";
import { looksLikeKey, withoutKeys } from "./looks-like-key.ts";

test("a key is told from a command, and is left out of a text", () => {
  for (const key of [
    "sk-ant-xyzxyzxyz",
    " sk-proj-0123456789 ",
    "AIzaSyA-abcdefgh",
    "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
  ])
    expect(looksLikeKey(key), key).toBe(true);
  for (const command of [
    "pass show anthropic",
    "get-key",
    "./key.sh",
    "/opt/vault/bin/print-key-2",
    "secret-tool",
    "x",
  ])
    expect(looksLikeKey(command), command).toBe(false);
  expect(withoutKeys("/bin/sh: 1: sk-ant-xyzxyzxyz: not found")).toBe("/bin/sh: 1: [masked]: not found");
  expect(withoutKeys("no login at /home/me/.password-store")).toBe("no login at /home/me/.password-store");
});

test("P.X02: a program with a long name of words is no key, also with a number in it", () => {
  const keys = ["3f9a0c1b2d4e5f60718293a4b5c6d7e8", "aB3/dE5+gH7iJ9kL1mN3oP5q="];
  const programs = ["scripts/print-anthropic-key-v2.sh", "get-anthropic-api-key-v2", "aws-vault-print-claude3-key"];
  expect(keys.filter(looksLikeKey)).toEqual(keys);
  expect(programs.filter(looksLikeKey)).toEqual([]);
});
