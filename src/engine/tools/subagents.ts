// subagents: what a lead can do with its children besides starting them. One tool, because each costs tokens.
import { Type } from "typebox";
import { childReport } from "../../core/child-report.ts";
import { text } from "../../core/messages.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { ChildView } from "../../ports/spawner.ts";
import { defineTool } from "./define-tool.ts";

const LONGEST_WAIT_MS = 600_000;

export const subagents = defineTool({
  name: "subagents",
  description: "Your children: list them, read one's output (block waits for its end), send it a message, stop it.",
  input: Type.Object(
    {
      action: Type.Union([Type.Literal("list"), Type.Literal("output"), Type.Literal("send"), Type.Literal("stop")]),
      id: Type.Optional(Type.String({ description: "Its id, path or name" })),
      message: Type.Optional(Type.String()),
      block: Type.Optional(Type.Boolean()),
      timeout: Type.Optional(Type.Integer({ minimum: 1, maximum: LONGEST_WAIT_MS, description: "ms" })),
    },
    { additionalProperties: false },
  ),
  parallel: true,
  timeoutMs: LONGEST_WAIT_MS + 10_000,
  reach: () => [],
  run: async ({ spawner, signal }, input): Promise<ToolOutcome> => {
    if (!spawner) return failed("this agent has no children");
    if (input.action === "list") return said(spawner.children().map(line).join("\n") || "no children yet");
    if (input.id === undefined) return failed(`${input.action} needs an id`);
    if (input.action === "output") {
      const child = await spawner.output(input.id, input.block ?? false, input.timeout ?? 60_000, signal);
      if (!child) return failed(`there is no child ${input.id}`);
      return said(child.result ? childReport(child.result) : `${line(child)}\n${child.lastText}`);
    }
    if (input.action === "send") {
      const sent = await spawner.send(input.id, input.message ?? "");
      if (!sent.ok) return failed(sent.problem);
      return said(sent.resumed ? "it goes on; its report will come by itself" : "sent");
    }
    const stopped = await spawner.stop(input.id);
    return stopped.ok ? said("stopped") : failed(stopped.problem);
  },
});

const line = (child: ChildView): string =>
  `${child.path} ${child.agent}${child.name ? ` "${child.name}"` : ""} ${child.status}, ${child.turns} turns, ${child.toolCalls} tool calls (${child.session})`;
const said = (words: string): ToolOutcome => ({ ok: true, said: [text(words)] });
const failed = (words: string): ToolOutcome => ({ ok: false, why: "failed", said: [text(words)] });
