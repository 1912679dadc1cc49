// What a background command has said and how it stands, as the outcome of asking for it.
import { text } from "../../core/messages.ts";
import type { ToolOutcome } from "../../core/tool-outcome.ts";
import type { ToolWorld } from "./define-tool.ts";
import { describeExit } from "./describe-exit.ts";

export function shellNews(world: ToolWorld, id: string): ToolOutcome {
  const news = world.shells.news(id);
  if (!news) {
    const { ids } = world.shells;
    const known = ids.length > 0 ? ` There is ${ids.join(", ")}.` : " None was started in this run.";
    return { ok: false, why: "failed", said: [text(`There is no background command ${id}.${known}`)] };
  }
  const { at, command, output } = news;
  const state = at.is === "running" ? "still running" : at.is === "broken" ? at.why : describeExit(at.exit);
  const said = [text(`${output}${output === "" || output.endsWith("\n") ? "" : "\n"}[${state}]`)];
  if (!news.endIsNew) return { ok: true, said };
  const exitCode = at.is === "ended" ? at.exit.code : null;
  return { ok: true, said, facts: { command: { text: command, exitCode, shell: id } } };
}
