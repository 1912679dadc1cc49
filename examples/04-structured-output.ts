// A result as data, checked against a schema and typed by it. Prints the total of a receipt, as a number.
import { createHost } from "sous";
import { says, scripted } from "sous/testing";

// The model's first answer does not fit: it is told so, and tries again.
const model = scripted([says("It was quite expensive."), says('{"shop": "Market", "total": 12.5}')]);
await using host = createHost({ model });
const { structured } = await host.run({
  prompt: "What did we pay? Market, eggs 4.50, flour 8.00",
  outputSchema: {
    type: "object",
    properties: { shop: { type: "string" }, total: { type: "number" } },
    required: ["shop", "total"],
  },
});
console.log(structured?.shop, structured?.total.toFixed(2));
