// A lead with two children of one agent at the same time. Prints each child's start, tools and end, told apart by path.
// A scripted server stands for the provider: leave `env` out, and the person's own keys and models are used.
import { createHost } from "sous";
import { call, calls, callsAll, says, startWireServer } from "sous/testing";

const provider = await startWireServer({
  conversations: {
    "Compare the two": [
      callsAll(
        call("spawn_subagent", { agent: "Explore", prompt: "Count the examples" }),
        call("spawn_subagent", { agent: "Explore", prompt: "Find the licence" }),
      ),
      says("Six examples, MIT licence."),
    ],
    "Count the examples": [calls("Glob", { pattern: "examples/*.ts" }), says("There are six.")],
    "Find the licence": [calls("Read", { file_path: "LICENSE", limit: 1 }), says("It is MIT.")],
  },
});

await using host = createHost({ env: { ...process.env, ...provider.env } });
const run = host.run({ prompt: "Compare the two", cwd: `${import.meta.dirname}/..` });
for await (const event of run.events) {
  if (event.type === "sub_agent_start") console.log(event.path, "starts:", event.input["prompt"]);
  if (event.type === "sub_agent_progress" && event.event.type === "tool.started")
    console.log(event.path, "calls", event.event.tool);
  if (event.type === "sub_agent_end") console.log(event.path, event.result.status, "-", event.result.output);
}
console.log((await run).output);
await provider.close();
