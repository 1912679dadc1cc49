// One line at the foot of a terminal that says what a run is doing and is written over as it goes on. Gone before
// anything else is said there, and at the end.
import { isatty } from "node:tty";
import type { StreamEvent, WaitingFor } from "../../core/events.ts";
import type { CallId } from "../../core/ids.ts";
import { totalTokens } from "../../core/usage.ts";
import { inForeground } from "./in-foreground.ts";
import type { Output } from "./output.ts";
import { oneLine } from "./plain-text.ts";

export type ProgressLine = {
  event(event: StreamEvent): void;
  /** A line of its own: the progress makes room for it. */
  say(line: string): void;
  end(): void;
};

export type Terminal = {
  readonly columns: () => number;
  readonly colours: boolean;
  readonly now: () => number;
  /** Asked at every frame: a person may send a job to the background, and fetch it back. */
  readonly shows?: () => boolean;
  write(text: string): void;
};

/** On standard error, when that is a terminal and it is wanted; else only lines are said. */
export function progressOn(errors: Output, wanted: boolean): ProgressLine {
  if (!wanted || !isatty(2) || process.env["TERM"] === "dumb")
    return { event() {}, say: (line) => errors.line(line), end() {} };
  return createProgressLine({
    columns: () => process.stderr.columns || 80,
    colours: !process.env["NO_COLOR"],
    now: () => performance.now(),
    shows: inForeground,
    write: (text) => errors.write(text),
  });
}

const FRAME_MS = 100;
const SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const CLEAR = "\r\u001b[K";

export function createProgressLine({ columns, colours, now, shows, write }: Terminal): ProgressLine {
  const began = now();
  const view = newView();
  let frame = 0;
  let shown = false;
  const draw = (): void => {
    if (shows?.() === false) return void (shown = false);
    const spin = SPINNER[frame++ % SPINNER.length] ?? "";
    const line = oneLine(`${spin} ${describe(view, now() - began)}`, Math.max(10, columns() - 1));
    write(`${CLEAR}${colours ? `\u001b[2m${line}\u001b[0m` : line}`);
    shown = true;
  };
  const clear = (): void => {
    if (shown) write(CLEAR);
    shown = false;
  };
  // Drawn by this alone: however many events come, ten times a second at most.
  const timer = setInterval(draw, FRAME_MS).unref();
  return {
    event: (event) => notice(view, event),
    say(line) {
      clear();
      write(`${line}\n`);
    },
    end() {
      clearInterval(timer);
      clear();
    },
  };
}

type View = {
  waiting: WaitingFor;
  detail: string;
  turn: number;
  readonly tools: Map<CallId, string>;
  tokens: number;
  costUsd: number | null;
};

const newView = (): View => ({ waiting: "model", detail: "", turn: 0, tools: new Map(), tokens: 0, costUsd: 0 });

function notice(view: View, event: StreamEvent): void {
  switch (event.type) {
    case "turn.started":
      Object.assign(view, { waiting: "model", detail: "", turn: Math.max(view.turn, event.turn) });
      return;
    case "agent.waiting":
      Object.assign(view, { waiting: event.for, detail: event.detail ?? "" });
      return;
    case "assistant.replied":
      view.tokens += totalTokens(event.usage);
      view.costUsd = view.costUsd === null || event.costUsd === null ? null : view.costUsd + event.costUsd;
      return;
    case "tool.started": {
      const { command, file_path: file, pattern } = event.input;
      const what = [command, file, pattern].find((one) => typeof one === "string");
      view.tools.set(event.call, `${event.tool}${typeof what === "string" ? ` ${what.slice(0, 60)}` : ""}`);
      return;
    }
    case "tool.ended":
      view.tools.delete(event.call);
      Object.assign(view, { waiting: "model", detail: "" });
      return;
  }
}

const WORDS: Readonly<Record<WaitingFor, string>> = {
  model: "the model",
  cooldown: "the provider's rate limit",
  retry: "the next try",
  tool: "a tool",
  approval: "an approval",
  person: "a person",
  parent: "its parent",
  slot: "a free place",
  child: "a child",
  budget: "the budget",
  disk: "the disk",
};

function describe(view: View, elapsedMs: number): string {
  const [tool] = view.tools.values();
  const more = view.tools.size > 1 ? ` and ${view.tools.size - 1} more` : "";
  const doing = tool === undefined ? `waiting for ${WORDS[view.waiting]}` : `${tool}${more}`;
  const money = view.costUsd === null ? "$ ?" : `$${view.costUsd.toFixed(4)}`;
  return [
    doing,
    ...(view.turn > 0 ? [`turn ${view.turn}`] : []),
    duration(elapsedMs),
    ...(view.tokens > 0 ? [`${short(view.tokens)} tokens`, money] : []),
  ].join(" · ");
}

const duration = (ms: number): string => {
  const s = Math.floor(ms / 1000);
  return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
};
const short = (count: number): string => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`);
