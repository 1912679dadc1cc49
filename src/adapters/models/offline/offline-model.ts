// The built-in model that needs no key: rules, no language model. It is stateless: every move follows from the
// conversation alone, so the same request always gets the same reply, also after a resume.
import { FINAL } from "../../../core/bash-protocol/sentinel.ts";
import type { CallId } from "../../../core/ids.ts";
import { type ReplyPart, text } from "../../../core/messages.ts";
import { noUsage } from "../../../core/usage.ts";
import type { Model, ModelRequest, Reply } from "../../../ports/model.ts";
import { callIdOf, conversationOf } from "./conversation.ts";
import { isCompaction, shortened } from "./shortened.ts";
import { moveFor } from "./move.ts";

export const offlineFacts = { price: { input: 0, output: 0 }, window: 1_000_000 } as const;

/** Characters in one streamed piece, about. */
const PIECE = 48;

export function createOfflineModel(): Model {
  return {
    id: "offline/rules",
    provider: "offline",
    async *stream(request, signal) {
      signal.throwIfAborted();
      yield { type: "connected" };
      const reply = replyTo(request);
      for (const part of reply.content) {
        if (part.type !== "text") continue;
        for (const piece of pieces(part.text)) {
          signal.throwIfAborted();
          yield { type: "text", text: piece };
        }
      }
      yield { type: "reply", reply };
    },
  };
}

function replyTo(request: ModelRequest): Reply {
  if (isCompaction(request)) return replied([text(shortened(request))], "stop");
  if (request.system.includes(FINAL)) return replied([text(NO_CALLS)], "refused");
  const move = moveFor(conversationOf(request));
  if ("answer" in move) return replied([text(move.answer)], move.declined ? "refused" : "stop");
  const calls = move.calls.map(({ tool, input }, n): ReplyPart => {
    const call = callIdOf(request.messages, move.stage, n) as CallId;
    return { type: "call", call, tool, input };
  });
  return replied([text(move.say), ...calls], "calls");
}

/** In the bash protocol a model writes its commands into its text, which these rules do not. */
const NO_CALLS =
  "I am Sous's built-in offline model, and I work by tool calls, which the bash protocol has not: leave --protocol bash out, or name a model with --model.";

const replied = (content: readonly ReplyPart[], finish: Reply["finish"]): Reply => ({
  content,
  finish,
  usage: noUsage,
  model: "rules",
});

/** Cut after spaces, so that words stay whole. */
function* pieces(value: string): Generator<string> {
  let from = 0;
  while (from < value.length) {
    const space = value.indexOf(" ", from + PIECE);
    const far = space < 0 || space > from + 4 * PIECE;
    const to = far ? wholeCharacter(value, from + 4 * PIECE) : space + 1;
    yield value.slice(from, to);
    from = to;
  }
}

const wholeCharacter = (value: string, at: number): number =>
  /^[\uDC00-\uDFFF]/.test(value.slice(at, at + 1)) ? at + 1 : at;
