// A tool and an agent of one's own. Prints what the tool was asked, and what the agent made of its answer.
// A scripted model stands for a real one: leave `model` out for that.
import { createHost, defineAgent, defineTool } from "sous";
import { calls, says, scripted } from "sous/testing";

const stock = defineTool({
  name: "Stock",
  description: "How many of an article are in stock.",
  input: { type: "object", properties: { article: { type: "string" } }, required: ["article"] },
  readOnly: true,
  run({ article }, { path }) {
    console.log(`${path} asks for ${article}`);
    return `${article}: 3 left`;
  },
});

const keeper = defineAgent({
  name: "store-keeper",
  description: "Answers questions about the stock.",
  prompt: "You keep the store. Look before you answer.",
  tools: [stock],
  maxTurns: 5,
});

const model = scripted([calls("Stock", { article: "whisks" }), says("Three whisks are left.")]);
await using host = createHost({ model });
const { success, output } = await host.run({ agent: keeper, prompt: "How many whisks do we have?" });
console.log(success, output);
