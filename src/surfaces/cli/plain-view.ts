// Events as lines of a plain terminal: what is said as it is said, one line per call and result.
import type { StreamEvent } from "../../core/events.ts";
import { type CallId, ROOT } from "../../core/ids.ts";
import { answerText } from "../../core/inbox.ts";
import { textOf } from "../../core/messages.ts";
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

export function createPlainView(write: (text: string) => void, paint: Paint): (event: StreamEvent) => void {
  const tools = new Map<CallId, string>();
  let midLine = false;
  const line = (text: string): void => {
    write(`${midLine ? "\n" : ""}${text}\n`);
    midLine = false;
  };
  return (event) => {
    switch (event.type) {
      case "text.delta":
        // Several children speak at once: what one says is shown whole, when it has said it.
        if (event.path !== ROOT) return;
        write(plainText(event.text));
        midLine = !event.text.endsWith("\n");
        return;
      case "assistant.replied":
        if (event.path !== ROOT) {
          const said = plainText(textOf(event.content)).trim();
          if (said !== "") line(`${event.path}: ${said}`);
        } else if (midLine) {
          write("\n");
          midLine = false;
        }
        for (const part of event.content)
          if (part.type === "call" || part.type === "bad-call") tools.set(part.call, part.tool);
        return;
      case "tool.started":
        line(paint.dim(`* ${event.path} ${event.tool} ${oneLine(JSON.stringify(event.input), 90)}`));
        return;
      case "tool.ended": {
        const ok = event.outcome.ok ? paint.green("✓") : paint.red("✗");
        const who = event.path === ROOT ? "" : `${event.path} `;
        line(`${ok} ${who}${tools.get(event.call) ?? ""} ${paint.dim(`${(event.durationMs / 1000).toFixed(1)} s`)}`);
        const said = plainText(textOf(event.outcome.said)).trimEnd().split("\n");
        for (const one of said.slice(0, RESULT_LINES)) line(paint.dim(`  ${one.slice(0, 200)}`));
        if (said.length > RESULT_LINES) line(paint.dim(`  … ${count(said.length - RESULT_LINES, "more line")}`));
        return;
      }
      case "model.failed":
        line(
          paint.red(
            `! ${oneLine(event.fault.message, 200)}${event.retryInMs === undefined ? "" : `; trying again in ${(event.retryInMs / 1000).toFixed(1)} s`}`,
          ),
        );
        return;
      case "note.added":
        line(paint.dim(`note: ${event.path === ROOT ? "" : `${event.path}: `}${oneLine(event.text, 300)}`));
        return;
      case "item.answered":
        // What was answered at this terminal needs no words.
        if (event.by.includes(`process ${process.pid})`)) return;
        line(
          paint.dim(`${event.path}: answered ${oneLine(answerText(event.answer), 80)}, by ${oneLine(event.by, 80)}`),
        );
        return;
      case "context.compacted":
        line(paint.dim("the older part of the conversation was summarised to make room"));
        return;
      case "mode.changed":
        line(paint.dim(`mode: ${event.mode} (for the whole tree)`));
        return;
      case "agent.waiting":
        if (event.for === "disk" || event.for === "cooldown")
          line(paint.dim(`waiting for the ${event.for}: ${oneLine(event.detail ?? "", 200)}`));
        return;
    }
  };
}
