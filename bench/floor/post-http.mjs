// Sends with `node:http` over kept-alive connections.
import { Agent, request } from "node:http";
import { headers, url } from "./conversation.mjs";

export const agent = new Agent({ keepAlive: true });

export const post = (body) =>
  new Promise((resolve, reject) => {
    const length = { "content-length": Buffer.byteLength(body) };
    request(url, { method: "POST", agent, headers: { ...headers, ...length } })
      .on("response", resolve)
      .on("error", reject)
      .end(body);
  });
