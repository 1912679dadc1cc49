// Artifacts into which no known secret goes. Output comes in pieces that may cut a secret in two: the end of each piece
// that could be the beginning of one waits for the next.
import type { Mask } from "../../core/mask.ts";
import type { Artifacts } from "../../ports/artifacts.ts";

export function maskedArtifacts(artifacts: Artifacts, mask: Mask): Artifacts {
  return {
    open(name) {
      const sink = artifacts.open(name);
      let rest = "";
      // One character for each byte: whatever the output is, its other bytes stay as they are.
      const pass = (text: string): void => {
        if (text !== "") sink.write(Buffer.from(text, "latin1"));
      };
      return {
        write(chunk) {
          const text = mask.text(
            rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1"),
          );
          const held = mask.held(text);
          pass(text.slice(0, text.length - held));
          rest = text.slice(text.length - held);
        },
        end() {
          pass(rest);
          return sink.end();
        },
      };
    },
  };
}
