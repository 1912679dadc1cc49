// The floor that the bounds are measured against: a bare script with `fetch`.
import { converse, headers, url } from "./conversation.mjs";

await converse(async (body) => {
  const answer = await fetch(url, { method: "POST", headers, body });
  return answer.body;
});
