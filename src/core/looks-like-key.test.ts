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
