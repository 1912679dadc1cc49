// Turns a scripted reply into the frames of a wire. Frames are made once for a step and used again for later requests.
import { planReply } from "./planned-reply.ts";
import type { ReplyStep } from "./step.ts";
import type { WireRequest } from "./wire-request.ts";
import type { Frame, Wire } from "./wires/wire.ts";

export type FrameMaker = (step: ReplyStep, wire: Wire, request: WireRequest) => readonly Frame[];

export function frameMaker(options: { chunkSize: number; newline: "lf" | "crlf" }): FrameMaker {
  const kept = new WeakMap<ReplyStep["reply"], Map<string, readonly Frame[]>>();
  return (step, wire, request) => {
    const model = step.reply.model ?? request.model;
    const wants =
      wire.name === "openai-chat" || wire.name === "openai-responses" ? wire.wants(request.body) : wire.wants({});
    const key = `${wire.name} ${wants.usage} ${wants.proof} ${model}`;
    let byKey = kept.get(step.reply);
    if (!byKey) kept.set(step.reply, (byKey = new Map()));
    let frames = byKey.get(key);
    if (!frames) {
      frames = wire.frames(planReply(step.reply, model, options.chunkSize), wants);
      if (options.newline === "crlf") frames = frames.map((frame) => ({ ...frame, sse: crlf(frame.sse) }));
      byKey.set(key, frames);
    }
    return frames;
  };
}

/** JSON has no bare line ends, so that all of them are SSE's own. */
export const crlf = (sse: string): string => sse.replaceAll("\n", "\r\n");
