// Signals and broken code as commands: Ctrl-C once hands in, twice stops; everything else stops at once.
import type { LiveRun } from "../../host/conversation.ts";
import { onBroken } from "./on-broken.ts";

export type SignalWatch = { received(): NodeJS.Signals | undefined; release(): void };

/** A parent such as npm passes a Ctrl-C on that the terminal has already sent: both are one press. */
const SAME_PRESS_MS = 80;

export function watchSignals(run: Pick<LiveRun, "send">, say: (line: string) => void): SignalWatch {
  let received: NodeJS.Signals | undefined;
  let handedInAt: number | undefined;
  const stop = (by: string, because: string): void =>
    void run.send({ type: "stop", halt: { status: "cancelled", by, because } });

  const interrupt = (): void => {
    received = "SIGINT";
    const now = performance.now();
    if (handedInAt !== undefined && now - handedInAt < SAME_PRESS_MS) return;
    if (handedInAt !== undefined) return stop("person", "stopped by the person");
    handedInAt = now;
    say("handing in what there is; Ctrl-C again stops at once");
    void run.send({
      type: "hand-in",
      halt: { status: "cancelled", by: "person", because: "the person asked to hand in" },
    });
  };
  const terminate = (signal: NodeJS.Signals): void => {
    received = signal;
    stop("person", `stopped by ${signal}`);
  };
  const mended = onBroken((line) => {
    say(line);
    stop("system", "the program broke");
  });

  process.on("SIGINT", interrupt);
  process.on("SIGTERM", terminate);
  process.on("SIGHUP", terminate);
  return {
    received: () => received,
    release() {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
      process.off("SIGHUP", terminate);
      mended();
    },
  };
}
