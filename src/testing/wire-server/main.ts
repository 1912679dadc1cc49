// The wire server as a process of its own: node src/testing/wire-server/main.ts --script file.json [--port 0]
// Prints {"url":…} on one line; ends when its stdin ends or on SIGTERM; prints the request count on SIGUSR2.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parseScript } from "./script.ts";
import { startWireServer, type WireServerOptions } from "./start-wire-server.ts";

const { values } = parseArgs({
  options: {
    script: { type: "string" },
    port: { type: "string", default: "0" },
    "chunk-size": { type: "string", default: "12" },
    newline: { type: "string", default: "lf" },
    lenient: { type: "boolean", default: false },
    "no-record": { type: "boolean", default: false },
  },
});
if (!values.script) {
  const flags = "[--port N] [--chunk-size N] [--newline crlf] [--lenient] [--no-record]";
  process.stderr.write(`usage: main.ts --script FILE ${flags}\n`);
  process.exit(2);
}

const options: WireServerOptions = {
  port: Number(values.port),
  chunkSize: Number(values["chunk-size"]),
  newline: values.newline === "crlf" ? "crlf" : "lf",
  strict: !values.lenient,
  record: !values["no-record"],
  control: true,
};
const server = await startWireServer(parseScript(readFileSync(values.script, "utf8")), options);
const print = (line: object): unknown => process.stdout.write(`${JSON.stringify(line)}\n`);
print({ url: server.url });

const end = (): void => void server.close().then(() => process.exit(0));
process.on("SIGTERM", end);
process.on("SIGINT", end);
process.on("SIGUSR2", () => print({ requests: server.count }));
process.stdin.on("end", end).resume();
