// Hooks as functions of the program that embeds Sous: typed, with the same decisions, and as harmless when they break.
import { existsSync } from "node:fs";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type AgentEvent, type FunctionHooks, HostError, type HookInput, runAgent } from "../src/index.ts";
import { call, callsAll, calls, says } from "../src/testing/index.ts";
import { libraryWorld } from "./library-kit.ts";

const bash = (command: string) => calls("Bash", { command });

describe("B15: functions", () => {
  test("refuse a call, change another, and are told what became of it", async () => {
    const heard: string[] = [];
    const hooks: FunctionHooks = {
      PreToolUse: [
        {
          matcher: "Bash",
          run: ({ tool_input }) => {
            if (tool_input["command"] === "touch one") return { decision: "block", reason: "not one" };
            return { hookSpecificOutput: { updatedInput: { command: "touch three" } } };
          },
        },
      ],
      PostToolUse: [
        {
          run: ({ tool_name, tool_input, agent_path }) =>
            void heard.push(`${agent_path} ${tool_name} ${JSON.stringify(tool_input)}`),
        },
      ],
    };
    const { host, cwd, dir } = await libraryWorld([bash("touch one"), bash("touch two"), says("ok")], { hooks });
    const result = await runAgent(host, { prompt: "go", cwd, mode: "yolo", innerMessages: true });
    expect(["one", "two", "three"].map((name) => existsSync(dir.join(name)))).toEqual([false, false, true]);
    expect(JSON.stringify(result.innerMessages)).toContain("a hook refused Bash: not one");
    expect(heard).toEqual(['ROOT Bash {"command":"touch three"}']);
    expectTypeOf<HookInput<"SubagentStop">["status"]>().toEqualTypeOf<string>();
  });

  test("that throw, never settle or answer nonsense are told, and the run goes on", async () => {
    const hooks: FunctionHooks = {
      PreToolUse: [
        {
          run: function throws() {
            throw new Error("broken inside");
          },
        },
        {
          timeout: 0.6,
          run: function hangs() {
            return new Promise(() => {});
          },
        },
        {
          run: function odd() {
            return "yes" as never;
          },
        },
      ],
    };
    const notes: string[] = [];
    const onEvent = (event: AgentEvent): void => {
      if (event.type === "note.added") notes.push(event.text);
    };
    const { host, cwd, dir } = await libraryWorld([bash("touch done"), says("ok")]);
    const result = await runAgent(host, { prompt: "go", cwd, mode: "yolo", hooks, onEvent });
    expect(result).toMatchObject({ success: true, output: "ok" });
    expect(existsSync(dir.join("done"))).toBe(true);
    expect(notes.sort()).toEqual([
      "hook PreToolUse (hangs): it took longer than 0.6 s and was ended",
      "hook PreToolUse (odd): its answer is not a JSON object",
      "hook PreToolUse (throws): it failed: broken inside",
    ]);
  });

  test("answer what a person would be asked, and it is on record; a run can be ended by one", async () => {
    const hooks: FunctionHooks = {
      PermissionRequest: [
        {
          run: ({ tool_input }) => ({
            hookSpecificOutput: {
              decision:
                tool_input["command"] === "touch yes" ? { behavior: "allow" } : { behavior: "deny", message: "never" },
            },
          }),
        },
      ],
      PostToolUseFailure: [{ run: () => ({ continue: false, stopReason: "enough" }) }],
    };
    const { host, cwd, dir } = await libraryWorld([
      callsAll(call("Bash", { command: "touch yes" }), call("Bash", { command: "touch no" })),
      callsAll(call("Read", { file_path: "nothing-here" })),
      says("never said"),
    ]);
    const notes: string[] = [];
    const onEvent = (event: AgentEvent): void => {
      if (event.type === "note.added") notes.push(event.text);
    };
    const result = await runAgent(host, { prompt: "go", cwd, hooks, onEvent });
    expect(["yes", "no"].map((name) => existsSync(dir.join(name)))).toEqual([true, false]);
    expect(notes).toEqual([expect.stringContaining("a hook on PermissionRequest allowed Bash")]);
    expect(result).toMatchObject({
      status: "cancelled",
      by: "hook",
      error: { message: "a hook on PostToolUseFailure ended the run: enough" },
    });
  });

  test("of no event, or with a matcher that is none, are a usage error before anything is made", async () => {
    const { host, cwd, dir } = await libraryWorld([says("ok")]);
    const odd = { PreToolUze: [{ run: () => {} }] } as unknown as FunctionHooks;
    await expect(runAgent(host, { prompt: "go", cwd, hooks: odd })).rejects.toThrow(/did you mean PreToolUse\?/);
    const bad: FunctionHooks = { Stop: [{ matcher: "(", run: () => {} }] };
    await expect(runAgent(host, { prompt: "go", cwd, hooks: bad })).rejects.toThrow(HostError);
    expect(existsSync(dir.join("state/trees"))).toBe(false);
  });
});
