// Ends a model call that takes too long: to connect, to say its first word, between two signs of life, or in all.
import { ModelFault } from "../../core/model-fault.ts";
import type { Clock } from "../../ports/clock.ts";

export type CallLimits = {
  readonly connectMs: number;
  readonly firstTokenMs: number;
  readonly silenceMs: number;
  readonly totalMs: number;
};
export const defaultCallLimits: CallLimits = {
  connectMs: 30_000,
  firstTokenMs: 300_000,
  silenceMs: 120_000,
  totalMs: 1_800_000,
};

export type Watchdog = { connected(): void; alive(): void; token(): void; stop(): void };

type Deadline = { readonly at: number; readonly what: string; readonly limitMs: number };

export function watch(clock: Clock, limits: CallLimits, abort: (reason: ModelFault) => void): Watchdog {
  const began = clock.ticks();
  const stopped = new AbortController();
  let lastLife = began;
  let phase: "connecting" | "first" | "streaming" = "connecting";

  const nextDeadline = (): Deadline => {
    const total = { at: began + limits.totalMs, what: "finished no reply", limitMs: limits.totalMs };
    const here =
      phase === "connecting"
        ? { at: began + limits.connectMs, what: "did not answer", limitMs: limits.connectMs }
        : { at: lastLife + limits.silenceMs, what: "went silent", limitMs: limits.silenceMs };
    const first = { at: began + limits.firstTokenMs, what: "sent no first word", limitMs: limits.firstTokenMs };
    return [total, here, ...(phase === "streaming" ? [] : [first])].reduce((a, b) => (b.at < a.at ? b : a));
  };

  const guard = async (): Promise<void> => {
    for (;;) {
      const due = nextDeadline();
      const left = due.at - clock.ticks();
      if (left <= 0) return abort(tooSlow(due));
      // Never past the silence limit: it may begin to hold while we sleep.
      await clock.sleep(Math.min(left, limits.silenceMs), stopped.signal);
    }
  };
  guard().catch(() => {});

  return {
    connected: () => {
      lastLife = clock.ticks();
      if (phase === "connecting") phase = "first";
    },
    alive: () => void (lastLife = clock.ticks()),
    token: () => {
      lastLife = clock.ticks();
      phase = "streaming";
    },
    stop: () => stopped.abort(null),
  };
}

const tooSlow = (due: Deadline): ModelFault =>
  new ModelFault({
    code: "timeout",
    message: `the model ${due.what} within ${Math.round(due.limitMs / 100) / 10} s`,
    remedy: "try again, or raise limits.model in the configuration",
  });
