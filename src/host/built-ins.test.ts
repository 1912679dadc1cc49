import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { call, callsAll, says } from "../testing/wire-server/script.ts";
import { docsFolder } from "./docs-folder.ts";
import { type Lab, handsOut, lab, requestsOf, systemOf } from "./host-test-kit.ts";

const told = ({ server }: Lab, task: string): string => JSON.stringify(requestsOf(server, task).at(-1)?.body);
const docs = docsFolder() ?? "";

test("B12: the shipped documentation is found beside the code, wherever that lies", () => {
  expect(docs).toBe(join(dirname(dirname(import.meta.dirname)), "docs"));
  expect(docsFolder("/")).toBeUndefined();
});

test("B12: the guide reads the shipped documentation, outside of the workspace, and nothing else there", async () => {
  const look = [
    callsAll(
      call("Grep", { pattern: "disallowedTools", path: docs }),
      call("Read", { file_path: join(docs, "agents.md"), limit: 3 }),
      call("Read", { file_path: join(dirname(docs), "package.json") }),
    ),
    says("answered"),
  ];
  await using l = await lab({
    "how do agents work": look,
    "not the guide": look,
    lead: handsOut(["how do agents work", "claude-code-guide"], ["not the guide", "Explore"]),
  });
  await l.run("lead");
  expect(systemOf(requestsOf(l.server, "how do agents work")[0])).toContain(`Its documentation is in ${docs}`);
  expect(told(l, "how do agents work")).toContain("An agent is a Markdown file");
  expect(told(l, "how do agents work")).toContain("agents.md");
  expect(told(l, "how do agents work").match(/is outside the workspace/g)).toHaveLength(1);
  expect(told(l, "not the guide").match(/is outside the workspace/g)).toHaveLength(3);
});

test("B12: statusline-setup writes statusLine into the person's configuration, when that is allowed; others may not", async () => {
  await using l = await lab(
    ({ home }) => {
      const config = `${home}/.config/sous/config.json`;
      const set = [
        callsAll(
          call("Read", { file_path: `${home}/.bashrc` }),
          call("Write", { file_path: config, content: '{"statusLine": {"command": "date"}}\n' }),
          call("Write", { file_path: `${home}/.config/sous/other.json`, content: "{}" }),
        ),
        says("set"),
      ];
      return {
        "set it up": set,
        "not yours": set,
        lead: handsOut(["set it up", "statusline-setup"]),
        other: handsOut(["not yours", "general-purpose"]),
      };
    },
    { "home/.bashrc": "PS1='hello> '\n" },
  );
  const config = `${l.home}/.config/sous/config.json`;
  await l.run("lead");
  expect(systemOf(requestsOf(l.server, "set it up")[0])).toContain(`in the configuration ${config}:`);
  expect([existsSync(config), told(l, "set it up").includes("nobody is there to ask")]).toEqual([false, true]);
  await l.run("other", { mode: "yolo" });
  expect(existsSync(config)).toBe(false);
  await l.run("lead", { mode: "yolo" });
  expect(existsSync(config)).toBe(false);
  // What Sous obeys takes a yes to exactly that, in yolo too.
  const exactly = {
    allow: [{ tool: "Write", spec: `/${realpathSync(l.home)}/.config/sous/config.json` }],
    ask: [],
    deny: [],
  };
  await l.run("lead", { mode: "yolo", rules: exactly });
  expect(JSON.parse(readFileSync(config, "utf8"))).toEqual({ statusLine: { command: "date" } });
  expect(existsSync(`${l.home}/.config/sous/other.json`)).toBe(false);
  expect(told(l, "set it up")).toContain("hello> ");
  // And the configuration counts: the next run starts with it.
  expect((await l.run("lead", { mode: "yolo" })).result.status).toBe("succeeded");
});

test("B12: a project's agent with the name of such a built-in is given nothing outside of the workspace", async () => {
  await using l = await lab(
    {
      "a task": [callsAll(call("Read", { file_path: join(docs, "agents.md") })), says("ok")],
      lead: handsOut(["a task", "guide"]),
    },
    { "project/.sous/agents/guide.md": "---\nname: guide\ndescription: Mine.\n---\nMine.\n" },
  );
  await l.run("lead");
  expect(told(l, "a task")).toContain("is outside the workspace");
});
