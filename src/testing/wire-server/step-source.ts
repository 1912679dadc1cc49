// Decides which step of a script answers a request, and keeps account of what was not used.
import type { Script } from "./script.ts";
import type { Step } from "./step.ts";
import { unmet } from "./unmet.ts";
import type { WireRequest } from "./wire-request.ts";

export interface StepSource {
  /** The step, or in a sentence why there is none. A step whose expectation fails stays where it is. */
  next(request: WireRequest): Step | string;
  /** What no request has asked for. */
  leftOver(): string[];
}

export function stepSource(script: Script): StepSource {
  if (Array.isArray(script)) return queue(script as readonly Step[], "the script");
  if ("conversations" in script) return conversations(script.conversations, script.otherwise ?? []);
  if ("always" in script) return standing(() => script.always);
  if ("byTurn" in script) return standing((request) => script.byTurn[request.turn - 1]);
  if ("route" in script) return standing(script.route);
  throw new Error("A script is a list, or has one of: conversations, byTurn, always, route.");
}

function queue(steps: readonly Step[], name: string): StepSource {
  let used = 0;
  return {
    next: (request) => {
      const step = steps[used];
      if (!step) return `${name} has no step left after ${used}`;
      const problem = unmet(step.expect, request);
      if (problem) return `step ${used + 1} of ${name} expects another request: ${problem}`;
      used += 1;
      return step;
    },
    leftOver: () => steps.slice(used).map((step, n) => `step ${used + n + 1} of ${name}: ${short(step)}`),
  };
}

function conversations(lists: Readonly<Record<string, readonly Step[]>>, otherwise: readonly Step[]): StepSource {
  const rest = queue(otherwise, "the rest");
  const queues = Object.entries(lists)
    .sort(([a], [b]) => b.length - a.length)
    .map(([marker, steps]) => ({ marker, steps: queue(steps, `conversation "${marker}"`) }));
  return {
    next: (request) => {
      const first = request.history.find((turn) => turn.by === "user")?.text ?? "";
      return (queues.find(({ marker }) => first.includes(marker))?.steps ?? rest).next(request);
    },
    leftOver: () => [...queues.flatMap(({ steps }) => steps.leftOver()), ...rest.leftOver()],
  };
}

function standing(route: (request: WireRequest) => Step | undefined): StepSource {
  return {
    next: (request) => {
      const step = route(request);
      if (!step) return `no step for turn ${request.turn}`;
      const problem = unmet(step.expect, request);
      return problem ? `its step expects another request: ${problem}` : step;
    },
    leftOver: () => [],
  };
}

const short = (step: Step): string => JSON.stringify(step).slice(0, 160);
