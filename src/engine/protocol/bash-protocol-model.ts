// A model without tool calls, made to look like one with: it is sent plain text, and the one fenced block of its reply
// becomes a call of Bash. A reply with no or several blocks becomes a call that cannot be run.
import { actionIn } from "../../core/bash-protocol/action.ts";
import type { CallId } from "../../core/ids.ts";
import { type ReplyPart, textOf } from "../../core/messages.ts";
import type { Random } from "../../ports/clock.ts";
import type { Model, Reply } from "../../ports/model.ts";
import { createPlainMessages } from "./plain-messages.ts";

export function bashProtocolModel(model: Model, random: Random): Model {
  const plain = createPlainMessages();
  return {
    id: model.id,
    provider: model.provider,
    async *stream(request, signal) {
      // A request without tools, such as for a summary, asks for words only.
      const asksToAct = request.tools.length > 0;
      const sent = { ...request, tools: [], messages: plain(request.messages) };
      for await (const part of model.stream(sent, signal))
        yield part.type === "reply" && asksToAct ? { type: "reply", reply: acting(part.reply, random) } : part;
    },
  };
}

function acting(reply: Reply, random: Random): Reply {
  if (reply.finish === "refused") return reply;
  const content = reply.content.filter((part) => part.type === "text" || part.type === "reasoning");
  return { ...reply, content: [...content, callIn(textOf(content), `bash-${random.uuid()}` as CallId)] };
}

function callIn(said: string, call: CallId): ReplyPart {
  const action = actionIn(said);
  if (action.is === "command") return { type: "call", call, tool: "Bash", input: { command: action.command } };
  const told = `Not run: ${action.why}. Give EXACTLY ONE action in every reply: one block that begins with \`\`\`bash and ends with \`\`\`.`;
  return { type: "bad-call", call, tool: "Bash", raw: said, problem: action.why, told };
}
