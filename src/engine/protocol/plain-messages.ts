// The conversation for a model that knows no tools: plain text, user and assistant in turn. What was sent once keeps
// its identity, as adapters keep wire forms by it.
import { actionIn, asBlock } from "../../core/bash-protocol/action.ts";
import {
  type AssistantMessage,
  type CallPart,
  type Message,
  type ReplyPart,
  type Said,
  type UserMessage,
  text,
  textOf,
} from "../../core/messages.ts";

export function createPlainMessages(): (messages: readonly Message[]) => Message[] {
  const replies = new WeakMap<Message, AssistantMessage>();
  const users = new WeakMap<Message, { from: readonly Message[]; message: UserMessage }>();

  const replyOf = (message: AssistantMessage): AssistantMessage => {
    const known = replies.get(message) ?? plainReply(message);
    replies.set(message, known);
    return known;
  };
  const userOf = (from: readonly Message[]): UserMessage => {
    const [first] = from;
    const known = first && users.get(first);
    if (known && known.from.length === from.length && known.from.every((one, n) => one === from[n]))
      return known.message;
    const message = plainUser(from);
    if (first) users.set(first, { from, message });
    return message;
  };

  return (messages) => {
    const plain: Message[] = [];
    let said: Message[] = [];
    const flush = (): void => {
      if (said.length > 0) plain.push(userOf(said));
      said = [];
    };
    for (const message of messages) {
      if (message.role !== "assistant") said.push(message);
      else {
        flush();
        plain.push(replyOf(message));
      }
    }
    flush();
    return plain;
  };
}

function plainUser(from: readonly Message[]): UserMessage {
  const parts = from.flatMap((message): readonly (readonly Said[])[] => {
    if (message.role === "tool") return message.results.map(({ content }) => content);
    return message.role === "user" ? [message.content] : [];
  });
  const words = parts.map(textOf).filter((said) => said !== "");
  const images = parts.flat().filter((part) => part.type === "image");
  return { role: "user", content: [text(words.join("\n\n") || "(nothing)"), ...images] };
}

/** Calls that a person made, or that were made with tools, are shown as the model would have written them. */
function plainReply({ content }: AssistantMessage): AssistantMessage {
  const said = textOf(content);
  const own = actionIn(said);
  const isShown = ({ input }: CallPart): boolean => own.is === "command" && input["command"] === own.command;
  const calls = content.flatMap((part) => (part.type === "call" && !isShown(part) ? [callText(part)] : []));
  const whole = [said, ...calls].filter((part) => part.trim() !== "").join("\n\n");
  const thoughts = content.filter(
    (part): part is Extract<ReplyPart, { type: "reasoning" }> => part.type === "reasoning",
  );
  return { role: "assistant", content: [...thoughts, text(whole || "(an empty reply)")] };
}

function callText({ tool, input }: CallPart): string {
  const command = input["command"];
  return tool === "Bash" && typeof command === "string"
    ? asBlock(command)
    : `[called ${tool}: ${JSON.stringify(input)}]`;
}
