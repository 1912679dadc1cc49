// The same bare script over `node:http`, with one kept-alive connection.
import { Agent, request } from "node:http";
import { converse, headers, url } from "./conversation.mjs";

const agent = new Agent({ keepAlive: true });

await converse(
  (body) =>
    new Promise((resolve, reject) => {
      const length = { "content-length": Buffer.byteLength(body) };
      request(url, { method: "POST", agent, headers: { ...headers, ...length } })
        .on("response", resolve)
        .on("error", reject)
        .end(body);
    }),
);
agent.destroy();
