// Functions that step in. Prints each call with the agent that makes it; one is refused, and a child's end is told.
import { createHost } from "sous";
import { calls, says, startWireServer } from "sous/testing";

const provider = await startWireServer({
  conversations: {
    "tidy up": [calls("spawn_subagent", { agent: "Bash", prompt: "remove the build" }), says("The build stays.")],
    "remove the build": [calls("Bash", { command: "rm -r build" }), says("I may not remove it.")],
  },
});
await using host = createHost({
  env: { ...process.env, ...provider.env },
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        run({ agent_path, tool_input }) {
          const command = String(tool_input["command"]);
          console.log(`${agent_path} is about to run ${command}`);
          if (command.startsWith("rm ")) return { decision: "block", reason: "nothing is removed here" };
        },
      },
    ],
    SubagentStop: [{ run: ({ agent_type, status }) => console.log(`${agent_type} ended: ${status}`) }],
  },
});
console.log((await host.run({ prompt: "tidy up", mode: "yolo" })).output);
await provider.close();
