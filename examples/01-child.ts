// One agent in ten lines, on the built-in offline model. Prints how it ended, and where createHost is defined.
import { runAgent } from "sous";

const result = await runAgent({
  agent: "Explore",
  prompt: "where is createHost defined?",
  model: "offline",
  cwd: `${import.meta.dirname}/..`,
});
console.log(`${result.agent} ${result.status} after ${result.toolCallCount} tool calls`);
console.log(result.output);
