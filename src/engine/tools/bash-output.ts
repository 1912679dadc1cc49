// BashOutput: what a background command has said since it was last asked.
import { Type } from "typebox";
import { defineTool } from "./define-tool.ts";
import { shellNews } from "./shell-news.ts";

export const bashOutput = defineTool({
  name: "BashOutput",
  description: "New output and state of a background command.",
  input: Type.Object({ bash_id: Type.String() }, { additionalProperties: false }),
  timeoutMs: 10_000,
  reach: () => [],
  run: async (world, input) => shellNews(world, input.bash_id),
});
