// One message of a conversation for people: what was said, and each call and result, bounded.
import type { Message } from "../../core/messages.ts";
import { oneLine, plainText } from "./plain-text.ts";
import { count } from "../../std/count.ts";

const SHOWN_CHARS = 2_000;

export function messageText(message: Message): string {
  switch (message.role) {
    case "user":
      return `> ${cut(message.content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n"))}`;
    case "assistant":
      return message.content
        .map((part) => {
          if (part.type === "text") return cut(part.text);
          if (part.type === "reasoning") return `(thinks) ${cut(part.text)}`;
          return `* ${oneLine(part.tool, 100)} ${oneLine(part.type === "call" ? JSON.stringify(part.input) : part.raw, 200)}`;
        })
        .join("\n");
    case "tool":
      return message.results
        .map(
          (result) =>
            `${result.failed ? "✗" : "✓"} ${oneLine(result.tool, 100)}\n${cut(result.content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n"))}`,
        )
        .join("\n");
  }
}

const cut = (value: string): string =>
  plainText(
    value.length <= SHOWN_CHARS
      ? value
      : `${value.slice(0, SHOWN_CHARS)}\n[… ${count(value.length - SHOWN_CHARS, "more character")}: --json has all]`,
  );
