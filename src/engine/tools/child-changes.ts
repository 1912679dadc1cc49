// child_changes: what a child left in its own copy: look at it, bring it here, keep it as a branch, or throw it away.
import { Type } from "typebox";
import { text } from "../../core/messages.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { Reach } from "../../core/permissions.ts";
import type { Steered } from "../../ports/spawner.ts";
import { type ToolWorld, defineTool } from "./define-tool.ts";

const ACTIONS = ["show", "apply", "keep", "discard"] as const;

export const childChanges = defineTool({
  name: "child_changes",
  description:
    "What a child changed in its own copy: show it and its conflicts; apply it here, all or some files; keep it as a git branch; discard it.",
  input: Type.Object(
    {
      action: Type.Enum(ACTIONS),
      id: Type.String({ description: "The child" }),
      files: Type.Optional(Type.Array(Type.String())),
    },
    { additionalProperties: false },
  ),
  kindOf: ({ action }) => ({ repeatable: action === "show", lasting: false }),
  reach: async ({ copies }, { action, id, files = [] }): Promise<Reach[]> => {
    if (action === "show" || !copies) return [];
    if (action !== "apply") return [{ may: "act" }];
    const shown = await copies.show(id, files);
    return shown.ok ? shown.writes.map((path) => ({ may: "write", path })) : [];
  },
  check: async ({ copies }, { id, files = [] }) => {
    const shown = await copies?.show(id, files);
    return shown && !shown.ok ? `Nothing was done: ${shown.problem}.` : undefined;
  },
  run: async ({ copies, reach }, { action, id, files = [] }): Promise<ToolOutcome> => {
    if (!copies) return tell({ ok: false, problem: "this agent has no children" });
    switch (action) {
      case "show":
        return tell(await copies.show(id, files));
      case "apply": {
        const done = await copies.apply(id, files, pathsIn(reach));
        return done.ok ? { ok: true, said: [text(done.said)], facts: { files: done.files } } : tell(done);
      }
      case "keep":
        return tell(await copies.keep(id));
      case "discard":
        return tell(await copies.discard(id));
    }
  },
});

const pathsIn = (reach: ToolWorld["reach"]): string[] =>
  reach.flatMap((one) => (one.may === "write" ? [one.path] : []));

const tell = (done: Steered<{ readonly said: string }>): ToolOutcome =>
  done.ok
    ? { ok: true, said: [text(done.said)] }
    : { ok: false, why: "failed", said: [text(`Nothing was done: ${done.problem}.`)] };
