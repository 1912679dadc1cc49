// A file tool that works on one file and no other, also when a path came to mean something else since it was judged.
import type { Tool, ToolWorld } from "./define-tool.ts";

export function onlyFile(tool: Tool, path: string): Tool {
  const confined = (world: ToolWorld): ToolWorld => ({
    ...world,
    workspace: {
      ...world.workspace,
      async resolve(wanted) {
        const real = await world.workspace.resolve(wanted);
        if (real !== path) throw new Error(`${wanted} is not the agent's memory`);
        return real;
      },
    },
  });
  return { ...tool, run: (world, input) => tool.run(confined(world), input) };
}
