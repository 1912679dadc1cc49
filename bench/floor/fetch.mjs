// The floor that the bounds are measured against: a bare script with `fetch`.
import { converse } from "./conversation.mjs";
import { post } from "./post-fetch.mjs";

const [folder, prompt] = process.argv.slice(2);
process.stdout.write(`${await converse(post, folder, prompt)}\n`);
