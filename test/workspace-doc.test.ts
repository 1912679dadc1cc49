// The example of docs/workspaces.md, run as it is written.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { project, spawn } from "./workspace-kit.ts";

test("D4: the example of the page on workspaces does what the page says", async () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/workspaces.md"), "utf8");
  const blocks = [...page.slice(page.indexOf("## Try it")).matchAll(/```(?:markdown)?\n([^]*?)```/g)].map(
    ([, text]) => text ?? "",
  );
  const [definition = "", commands = ""] = blocks;
  await using w = await project({
    "let builder add": [callsAll(spawn("add a line", { agent: "builder" })), says("builder did it")],
    "add a line": [calls("Bash", { command: "echo more >> notes.txt" }), says("added")],
  });
  writeFileSync(join(w.top, "notes.txt"), "first\n");
  mkdirSync(join(w.top, ".sous/agents"), { recursive: true });
  writeFileSync(join(w.top, ".sous/agents/builder.md"), definition);
  const said: string[] = [];
  for (const line of commands.trim().split("\n")) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);
    const ran = await w.sous(words, { env: { SOUS_MODEL: "anthropic/x" } });
    expect(ran.code, `${line}\n${ran.stderr}`).toBe(0);
    said.push(ran.stdout);
    expect(w.read("notes.txt"), line).toBe(words[1] === "apply" ? "first\nmore\n" : "first\n");
  }
  expect(said[0]).toContain("builder did it");
  expect(said[1]).toMatch(/ROOT::S1  builder: 1 file \+1 -0 in its own copy/);
  expect(said[2]).toContain("changed  +1 -0  notes.txt  (can be applied)");
  expect(said[3]).toContain("nothing is left in its copy");
});
