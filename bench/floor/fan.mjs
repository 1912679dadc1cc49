// A lead and children that work at the same time: every spawn call is a conversation of its own. Arguments: the folder,
// the prompt, which way to send, and how long the first request of the lead and of a child is to be.
import { converse, firstLength } from "./conversation.mjs";

const [folder, prompt, way, leadBytes, childBytes] = process.argv.slice(2);
const { post, agent } = await import(`./post-${way}.mjs`);
/** So much more text in the system prompt makes the first body as long as it is to be. */
const padding = (words, bytes) => "x".repeat(Math.max(0, Number(bytes) - firstLength(words)));
const child = ({ input }) => converse(post, folder, input.prompt, undefined, padding(input.prompt, childBytes));

process.stdout.write(`${await converse(post, folder, prompt, child, padding(prompt, leadBytes))}\n`);
agent?.destroy();
