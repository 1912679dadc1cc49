// KillShell: ends a background command and everything it started.
import { Type } from "typebox";
import { defineTool } from "./define-tool.ts";
import { shellNews } from "./shell-news.ts";

export const killShell = defineTool({
  name: "KillShell",
  aliases: ["KillBash"],
  description: "Ends a background command.",
  input: Type.Object({ shell_id: Type.String() }, { additionalProperties: false }),
  timeoutMs: 10_000,
  reach: () => [],
  run: async (world, input) => {
    await world.shells.stop(input.shell_id);
    return shellNews(world, input.shell_id);
  },
});
