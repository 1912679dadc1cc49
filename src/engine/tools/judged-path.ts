// The file or folder that a call may touch. It was resolved once, for the judgement: to resolve it again would leave a
// moment in which a link could be laid to another place.
import { text } from "../../core/messages.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { ToolWorld } from "./define-tool.ts";

/** Only for tools whose reach begins with a path. */
export function judgedPath({ reach }: Pick<ToolWorld, "reach">): string {
  const [first] = reach;
  if (first?.may !== "read" && first?.may !== "write") throw new Error("the call was judged without a path");
  return first.path;
}

/** For what is searched by its name, not through an open file: what was found counts only if the name still leads there. */
export async function movedMeanwhile(
  { workspace }: Pick<ToolWorld, "workspace">,
  path: string,
): Promise<ToolOutcome | undefined> {
  if ((await workspace.resolve(path)) === path) return undefined;
  return { ok: false, why: "failed", said: [text(`${path} was moved meanwhile: try again`)] };
}
