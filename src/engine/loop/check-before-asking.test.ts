import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { engine } from "../../../test/engine-harness.ts";
import { openItems } from "../../core/inbox.ts";
import { type Message, textOf } from "../../core/messages.ts";
import type { Decision, Person } from "../../ports/person.ts";
import { scripted } from "../../testing/scripted-model.ts";
import { calls, says } from "../../testing/wire-server/script.ts";
import { answerItem } from "../runs/answer-item.ts";
import { type Tool, defineTool } from "../tools/define-tool.ts";
import { edit } from "../tools/edit.ts";
import { read } from "../tools/read.ts";
import { webFetch } from "../tools/web-fetch.ts";
import { write } from "../tools/write.ts";

const readIt = calls("Read", { file_path: "a.txt" });
const change = (old_string: string, new_string: string, more = {}) =>
  calls("Edit", { file_path: "a.txt", old_string, new_string, ...more });

/** A person who says yes, and what happens while they think. */
function yes(meanwhile: () => void = () => {}): { person: Person; asked: string[] } {
  const asked: string[] = [];
  const decide = async ({ tool }: { tool: string }): Promise<Decision> => {
    asked.push(tool);
    meanwhile();
    return { allow: true };
  };
  return { person: { decide, act: async () => undefined }, asked };
}

const results = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) => (message.role === "tool" ? message.results.map(({ content }) => textOf(content)) : []));

async function play(steps: readonly ReturnType<typeof calls>[], meanwhile?: (cwd: string) => void, more: Tool[] = []) {
  const model = scripted([...steps, says("done")]);
  let cwd = "";
  const { person, asked } = yes(() => meanwhile?.(cwd));
  const e = engine({ model, tools: [read, write, edit, webFetch, ...more], person });
  ({ cwd } = e);
  await e.ask("go");
  return { asked, told: results(e.state().messages).at(-1), content: readFileSync(join(cwd, "a.txt"), "utf8"), e };
}

describe("P.B12: nobody is asked about a call that would fail anyway", () => {
  test.each([
    ["a file that was not read", [change("alpha", "x")], /has not been read in this session/],
    ["a text that is not there", [readIt, change("gamma", "x")], /old_string is not in a.txt/],
    ["a text that is there twice", [readIt, change("a\n", "x")], /2 times in a.txt/],
    ["a change of nothing", [readIt, change("alpha", "alpha")], /nothing to change/],
    [
      "a file that is not there",
      [calls("Edit", { file_path: "b", old_string: "a", new_string: "b" })],
      /does not exist/,
    ],
    ["a file that is a folder", [calls("Write", { file_path: ".", content: "" })], /folder|directory/],
    ["a whole file that was not read", [calls("Write", { file_path: "a.txt", content: "" })], /Read it first/],
    ["an address with a password", [calls("WebFetch", { url: "https://a:b@x.example/" })], /user name or password/],
    ["input that does not fit", [calls("Write", { file_path: "x" })], /Not run/],
    ["a place outside", [calls("Write", { file_path: "/etc/x", content: "" })], /outside the workspace/],
  ] as const)("%s", async (_, steps, why) => {
    const { asked, told, content } = await play(steps);
    expect([asked, content]).toEqual([[], "alpha\nbeta\n"]);
    expect(told).toMatch(why);
  });

  test("what stands is asked about once, and done", async () => {
    const { asked, content } = await play([readIt, change("alpha", "x")]);
    expect([asked, content]).toEqual([["Edit"], "x\nbeta\n"]);
  });

  test.each([
    ["Edit", change("alpha", "x")],
    ["Write", calls("Write", { file_path: "a.txt", content: "x" })],
  ])("%s: a file that is changed between the question and the yes is stale: the call is not made", async (_, step) => {
    const { asked, told, content, e } = await play([readIt, step], (cwd) =>
      writeFileSync(join(cwd, "a.txt"), "alpha!"),
    );
    expect([asked.length, content]).toEqual([1, "alpha!"]);
    expect(told).toMatch(/was changed since it was last read/);
    expect(e.types().filter((type) => type === "tool.started")).toHaveLength(1);
  });

  test("a file that appears between the question and the yes is not written over", async () => {
    const made = calls("Write", { file_path: "new.txt", content: "mine" });
    const { asked, told, e } = await play([made], (cwd) => writeFileSync(join(cwd, "new.txt"), "theirs"));
    expect([asked.length, readFileSync(join(e.cwd, "new.txt"), "utf8")]).toEqual([1, "theirs"]);
    expect(told).toMatch(/has not been read/);
  });

  test.each([false, true])(
    "X12: a yes that comes after the process has gone is for the file as it was read (changed meanwhile: %s)",
    async (isChanged) => {
      const model = scripted([readIt, change("alpha", "x"), says("done")]);
      const e = engine({ model, tools: [read, edit], approvals: "inbox" });
      expect((await e.ask("go")).status).toBe("parked");
      const [item] = openItems(e.writer.state.items);
      await answerItem(e.writer, item!.id, { allow: true }, "a test");
      if (isChanged) writeFileSync(join(e.cwd, "a.txt"), "alpha!");
      const resumed = await e.start();
      await resumed.result;
      expect(readFileSync(join(e.cwd, "a.txt"), "utf8")).toBe(isChanged ? "alpha!" : "x\nbeta\n");
    },
  );

  test("a tool's own check comes before the question and again after the yes; one that throws is told", async () => {
    const problems = ["not today", undefined, "too late by now", undefined, undefined];
    let ran = 0;
    const deploy = defineTool({
      name: "Deploy",
      description: "Deploys.",
      input: Type.Object({}),
      reach: () => [{ may: "act" }],
      check: async () => (problems.length > 0 ? problems.shift() : Promise.reject(new Error("broken"))),
      run: async () => ({ ok: true, said: [{ type: "text", text: `ran ${++ran}` }] }),
    });
    const again = calls("Deploy");
    const { asked, e } = await play([again, again, again, again], undefined, [deploy]);
    expect([asked.length, ran]).toEqual([2, 1]);
    expect(results(e.state().messages)).toEqual(["not today", "too late by now", "ran 1", "Deploy failed: broken"]);
  });
});
