// Events as lines of a plain terminal: what is said as it is said, one line per call and result.
import type { StreamEvent } from "../../core/events.ts";
import { type AgentPath, type CallId, ROOT } from "../../core/ids.ts";
import { textOf } from "../../core/messages.ts";
import { answeredText, type Who, whoText } from "./conversation/question-text.ts";
import { oneLine, plainText } from "./plain-text.ts";
import { count } from "../../std/count.ts";

export type Paint = {
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
};
export const painter = (colours: boolean): Paint => {
  const paint = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { dim: paint(2), red: paint(31), green: paint(32), yellow: paint(33) };
};

const RESULT_LINES = 8;

/** Every line says whose it is: by path, and by name where `whoIs` knows it. */
export function createPlainView(
  write: (text: string) => void,
  paint: Paint,
  whoIs: (path: AgentPath) => Who = (path) => ({ path, agent: "" }),
): (event: StreamEvent) => void {
  const by = (path: AgentPath): string => whoText(whoIs(path)).trimEnd();
  const tools = new Map<CallId, string>();
  let midLine = false;
  /** The lead's words of this turn have begun. */
  let speaking = false;
  const line = (text: string): void => {
    write(`${midLine ? "\n" : ""}${text}\n`);
    midLine = false;
  };
  return (event) => {
    switch (event.type) {
      case "text.delta":
        // Several children speak at once: what one says is shown whole, when it has said it.
        if (event.path !== ROOT || event.text === "") return;
        if (!speaking) write(`${midLine ? "\n" : ""}${by(ROOT)}: `);
        speaking = true;
        write(plainText(event.text));
        midLine = !event.text.endsWith("\n");
        return;
      case "assistant.replied":
        if (event.path === ROOT) speaking = false;
        if (event.path !== ROOT) {
          const said = plainText(textOf(event.content)).trim();
          if (said !== "") line(`${by(event.path)}: ${said}`);
        } else if (midLine) {
          write("\n");
          midLine = false;
        }
        for (const part of event.content)
          if (part.type === "call" || part.type === "bad-call") tools.set(part.call, part.tool);
        return;
      case "tool.started":
        line(paint.dim(`* ${by(event.path)} ${oneLine(event.tool, 80)} ${oneLine(JSON.stringify(event.input), 90)}`));
        return;
      case "tool.ended": {
        const ok = event.outcome.ok ? paint.green("✓") : paint.red("✗");
        line(
          `${ok} ${by(event.path)} ${oneLine(tools.get(event.call) ?? "", 80)} ${paint.dim(`${(event.durationMs / 1000).toFixed(1)} s`)}`,
        );
        const said = plainText(textOf(event.outcome.said)).trimEnd().split("\n");
        for (const one of said.slice(0, RESULT_LINES)) line(paint.dim(`  ${one.slice(0, 200)}`));
        if (said.length > RESULT_LINES) line(paint.dim(`  … ${count(said.length - RESULT_LINES, "more line")}`));
        return;
      }
      case "model.failed":
        line(
          paint.red(
            `! ${by(event.path)}: ${oneLine(event.fault.message, 200)}${event.retryInMs === undefined ? "" : `; trying again in ${(event.retryInMs / 1000).toFixed(1)} s`}`,
          ),
        );
        return;
      case "note.added":
        line(paint.dim(`note: ${by(event.path)}: ${oneLine(event.text, 300)}`));
        return;
      case "item.answered":
        // What was answered at this terminal needs no words.
        if (event.by.includes(`process ${process.pid})`)) return;
        line(paint.dim(answeredText(whoIs(event.path), event)));
        return;
      case "context.compacted":
        line(paint.dim(`${by(event.path)}: the older part of the conversation was summarised to make room`));
        return;
      case "mode.changed":
        line(paint.dim(`mode: ${event.mode} (for the whole tree)`));
        return;
      case "agent.waiting":
        if (event.for === "disk" || event.for === "cooldown")
          line(paint.dim(`${by(event.path)} waits for the ${event.for}: ${oneLine(event.detail ?? "", 200)}`));
        return;
    }
  };
}
