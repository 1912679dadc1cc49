// One line at the foot of a terminal that says what a run is doing and is written over as it goes on. Gone before
// anything else is said there, and at the end.
import { isatty } from "node:tty";
import type { StreamEvent, WaitingFor } from "../../core/events.ts";
import { type AgentPath, type CallId, ROOT } from "../../core/ids.ts";
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

/** What one agent does now. */
type AtWork = { readonly turn: number; readonly waiting: WaitingFor; readonly tools: ReadonlyMap<CallId, string> };
type View = {
  /** Who is at work; who did something last stands last. */
  readonly agents: Map<AgentPath, AtWork>;
  readonly names: Map<AgentPath, string>;
  tokens: number;
  costUsd: number | null;
};

const newView = (): View => ({ agents: new Map(), names: new Map(), tokens: 0, costUsd: 0 });
const BEGINS: AtWork = { turn: 0, waiting: "model", tools: new Map() };

function notice(view: View, event: StreamEvent): void {
  const { path } = event;
  const does = (change: Partial<AtWork>): void => {
    const before = view.agents.get(path) ?? BEGINS;
    view.agents.delete(path);
    view.agents.set(path, { ...before, ...change });
  };
  const tools = new Map(view.agents.get(path)?.tools);
  switch (event.type) {
    case "child.started":
      view.names.set(event.childPath, event.name === undefined ? event.agent : `${event.agent} "${event.name}"`);
      return;
    case "turn.started":
      return does({ turn: event.turn, waiting: "model" });
    case "agent.waiting":
      return does({ waiting: event.for });
    case "assistant.replied":
      view.tokens += totalTokens(event.usage);
      view.costUsd = view.costUsd === null || event.costUsd === null ? null : view.costUsd + event.costUsd;
      return;
    case "tool.started": {
      const { command, file_path: file, pattern } = event.input;
      const what = [command, file, pattern].find((one) => typeof one === "string");
      tools.set(event.call, `${event.tool}${typeof what === "string" ? ` ${what.slice(0, 60)}` : ""}`);
      return does({ tools });
    }
    case "tool.ended":
      tools.delete(event.call);
      return does({ tools, waiting: "model" });
    case "run.ended":
    case "run.paused":
    case "run.parked":
      view.agents.delete(path);
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

/** The agent that did something last, of those that wait for no child; a child is named. */
function describe({ agents, names, tokens, costUsd }: View, elapsedMs: number): string {
  const paths = [...agents.keys()];
  const active = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}::`)));
  const path = active.at(-1) ?? ROOT;
  const { turn, waiting, tools } = agents.get(path) ?? BEGINS;
  const [tool] = tools.values();
  const more = active.reduce((sum, one) => sum + (agents.get(one)?.tools.size ?? 0), 0) - 1;
  const doing = tool === undefined ? `waiting for ${WORDS[waiting]}` : `${tool}${more > 0 ? ` and ${more} more` : ""}`;
  return [
    path === ROOT ? doing : `${path} ${names.get(path) ?? ""}: ${doing}`,
    ...(turn > 0 ? [`turn ${turn}`] : []),
    duration(elapsedMs),
    ...(tokens > 0 ? [`${short(tokens)} tokens`, costUsd === null ? "$ ?" : `$${costUsd.toFixed(4)}`] : []),
  ].join(" · ");
}

const duration = (ms: number): string => {
  const s = Math.floor(ms / 1000);
  return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
};
const short = (count: number): string => (count < 1000 ? String(count) : `${(count / 1000).toFixed(1)}k`);
