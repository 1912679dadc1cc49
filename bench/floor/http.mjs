// The same bare script over `node:http`.
import { converse } from "./conversation.mjs";
import { agent, post } from "./post-http.mjs";

const [folder, prompt] = process.argv.slice(2);
process.stdout.write(`${await converse(post, folder, prompt)}\n`);
agent.destroy();
