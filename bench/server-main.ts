// The scripted model in a process of its own. It looks at no body: which request came decides the answer, and the time
// of each is kept. Told over its channel what to expect, it says what came.
import { calls, says } from "../src/testing/wire-server/script.ts";
import { startWireServer } from "../src/testing/wire-server/start-wire-server.ts";
import { monotonicMs } from "./monotonic.ts";
import type { FromServer, ToServer } from "./model-server.ts";
import { fileNames } from "./workspace.ts";

const arrivals: { at: number; bytes: number }[] = [];
let turns = 0;

// With the model named, the server need not read the request for it.
const named = { model: "bench" };
const reads = fileNames.map((file_path) =>
  calls("Read", { file_path }, { ...named, says: "I read the next file to see what it says." }),
);
const done = says("I have read all the files: each of them tells of its own number.", named);

const server = await startWireServer(
  {
    route: ({ size }) => {
      const turn = arrivals.push({ at: monotonicMs(), bytes: size });
      return turn < turns ? reads[turn % reads.length] : turn === turns ? done : undefined;
    },
  },
  { strict: false, record: false },
);

const tell = (message: FromServer): void => void process.send?.(message);
process.on("message", (message: ToServer) => {
  if (message.type === "report") return tell({ type: "arrivals", arrivals });
  turns = message.turns;
  arrivals.length = 0;
  tell({ type: "ready", env: server.env });
});
process.on("disconnect", () => process.exit());
tell({ type: "ready", env: server.env });
