// Run by the load test as a process of its own: reads a tree and tells how long it took and how much memory it needed.
// argv: state folder, tree.
import type { SessionId } from "../../core/ids.ts";
import { nodeFiles } from "./node-files.ts";
import { readTree } from "./read-tree.ts";

const [stateDir = "", tree = ""] = process.argv.slice(2);
const idle = process.memoryUsage.rss();
const started = performance.now();
const read = await readTree(nodeFiles, { stateDir, tree: tree as SessionId });
const ms = performance.now() - started;
const peak = process.resourceUsage().maxRSS * 1024;
const events = read.is === "read" ? read.events.length : 0;
process.stdout.write(JSON.stringify({ events, ms, grown: Math.max(peak, process.memoryUsage.rss()) - idle }));
