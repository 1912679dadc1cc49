// Sends with `fetch`, as a bare script would.
import { headers, url } from "./conversation.mjs";

export async function post(body) {
  const answer = await fetch(url, { method: "POST", headers, body });
  return answer.body;
}
