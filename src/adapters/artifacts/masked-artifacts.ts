// Artifacts into which no secret goes. Output comes in pieces that may cut a secret in two: the end of each piece
// that could be the beginning of one waits for the next.
import type { Mask } from "../../core/mask.ts";
import { maskStream } from "../../core/mask-stream.ts";
import type { Artifacts } from "../../ports/artifacts.ts";

export function maskedArtifacts(artifacts: Artifacts, mask: Mask): Artifacts {
  return {
    open(name) {
      const sink = artifacts.open(name);
      const stream = maskStream(mask);
      // One character for each byte: whatever the output is, its other bytes stay as they are.
      const pass = (text: string): void => {
        if (text !== "") sink.write(Buffer.from(text, "latin1"));
      };
      return {
        write: (chunk) =>
          pass(stream.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1"))),
        end() {
          pass(stream.end());
          return sink.end();
        },
      };
    },
  };
}
