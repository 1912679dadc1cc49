// subagents: what an agent can do with its children besides starting them. One tool, because each costs tokens.
import { Type } from "typebox";
import { childReport } from "../../core/child-report.ts";
import type { Item } from "../../core/inbox.ts";
import { text } from "../../core/messages.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { ChildView, Spawner, Steered } from "../../ports/spawner.ts";
import { defineTool } from "./define-tool.ts";
import { count } from "../../std/count.ts";

const LONGEST_WAIT_MS = 600_000;
const WAIT_MS = 60_000;
const MOST_ITEMS = 50;
const ACTIONS = ["list", "inbox", "output", "wait", "send", "interrupt", "stop", "fork"] as const;
type Action = (typeof ACTIONS)[number];

/** These only look. */
const LOOKS: ReadonlySet<Action> = new Set<Action>(["list", "inbox", "output", "wait"]);

export const subagents = defineTool({
  name: "subagents",
  description:
    "Your children: list them; inbox: what below you waits for an answer or is news; output of one (block: at its end); wait for all in id, or any; send a message (one that has ended goes on with it); interrupt one, which then waits for a message; stop it; fork it with its history for another message.",
  input: Type.Object(
    {
      action: Type.Enum(ACTIONS),
      id: Type.Optional(Type.String({ description: "Id, path or name; for wait several with commas, or none: all" })),
      message: Type.Optional(Type.String()),
      block: Type.Optional(Type.Boolean()),
      any: Type.Optional(Type.Boolean()),
      turns: Type.Optional(Type.Integer({ minimum: 1, description: "Fork only its last" })),
      timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: LONGEST_WAIT_MS, description: "ms" })),
    },
    { additionalProperties: false },
  ),
  waitsFor: "child",
  parallel: true,
  timeoutMs: LONGEST_WAIT_MS + 10_000,
  kindOf: ({ action }) => ({ repeatable: LOOKS.has(action), lasting: false }),
  reach: () => [],
  run: async ({ spawner, signal }, input): Promise<ToolOutcome> => {
    if (!spawner) return failed("this agent has no children");
    const { action, id, message = "", timeout = WAIT_MS } = input;
    if (action === "list") return said(lines(spawner.children()) || "no children yet");
    if (action === "inbox") return said(spawner.items().slice(-MOST_ITEMS).map(itemLine).join("\n") || "nothing waits");
    if (action === "wait") {
      const ids = (id ?? "").split(",").flatMap((one) => one.trim() || []);
      const waited = await spawner.wait(ids, input.any ? "any" : "all", timeout, signal);
      return waited.ok ? said(lines(waited.children) || "nobody is at work") : failed(waited.problem);
    }
    if (id === undefined) return failed(`${action} needs an id`);
    switch (action) {
      case "output":
        return output(spawner, id, input.block ?? false, timeout, signal);
      case "send":
        return tell(await spawner.send(id, message), ({ resumed }) =>
          resumed ? "it goes on; its report will come by itself" : "sent",
        );
      case "interrupt":
        return tell(await spawner.interrupt(id), () => "interrupted: it waits for a message");
      case "stop":
        return tell(await spawner.stop(id), () => "stopped");
      case "fork":
        if (message === "") return failed("a fork needs a message: what it is to do");
        return tell(
          await spawner.fork(id, { prompt: message, ...(input.turns !== undefined && { turns: input.turns }) }),
          ({ path, session }) => `[child ${path} (${session}) runs in the background; its report will come by itself]`,
        );
    }
  },
});

async function output(
  spawner: Spawner,
  id: string,
  block: boolean,
  timeout: number,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const child = await spawner.output(id, block, timeout, signal);
  if (!child) return failed(`there is no child ${id}`);
  return said(child.result ? childReport(child.result) : `${line(child)}\n${child.soFar}`);
}

const tell = <More>(done: Steered<More>, words: (more: More) => string): ToolOutcome =>
  done.ok ? said(words(done)) : failed(done.problem);
const lines = (children: readonly ChildView[]): string => children.map(line).join("\n");
const line = (child: ChildView): string =>
  `${child.path} ${child.agent}${child.name ? ` "${child.name}"` : ""} ${child.status}, ${count(child.turns, "turn")}, ${count(child.toolCalls, "tool call")} (${child.session})`;
const itemLine = ({ path, agent, kind, to, text: about }: Item): string =>
  `${path} ${agent}: ${kind}${kind === "approval" || to === "person" ? " for a person" : ""}: ${about}`;
const said = (words: string): ToolOutcome => ({ ok: true, said: [text(words)] });
const failed = (words: string): ToolOutcome => ({ ok: false, why: "failed", said: [text(words)] });
