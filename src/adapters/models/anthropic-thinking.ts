// Which thinking and effort settings each Claude generation takes: a wrong one is a 400.
import type { JsonObject } from "../../core/json.ts";
import type { Effort } from "../../ports/model.ts";

export type ThinkingFields = { readonly thinking?: JsonObject; readonly output_config?: JsonObject };

/** `version` is 5.5 for `claude-opus-5-5`; undefined when the name tells nothing: then it is taken as current. */
function generation(model: string): { family: string; version: number | undefined } {
  const named = /claude-(opus|sonnet|haiku|fable|mythos)-(\d+)(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (named) return { family: named[1] ?? "", version: Number(`${named[2]}.${named[3] ?? 0}`) };
  const old = /claude-(\d)(?:[-.](\d))?-(opus|sonnet|haiku)/.exec(model);
  if (old) return { family: old[3] ?? "", version: Number(`${old[1]}.${old[2] ?? 0}`) };
  return { family: "", version: undefined };
}

const at = (model: string): number => generation(model).version ?? 5;

/** From 4.7 on a temperature is refused. */
export const takesTemperature = (model: string): boolean => at(model) < 4.7;

/** These check that nothing before a thinking block has changed; a compacted or switched history has. */
export const bindsThinking = (model: string): boolean => {
  const { family, version } = generation(model);
  return version !== undefined && (version >= 5.5 || (version >= 5.1 && (family === "fable" || family === "mythos")));
};

export function maxTokensFor(model: string, effort: Effort | undefined): number {
  const version = at(model);
  if (version < 3.5) return 4096;
  if (version < 3.7) return 8192;
  return version >= 4.6 && (effort === "high" || effort === "max") ? 64_000 : 32_000;
}

export function thinkingFor(model: string, effort: Effort | undefined, maxTokens: number): ThinkingFields {
  const version = at(model);
  if (version < 4.6) return budgeted(version, effort, maxTokens);
  // Generations that think by default are asked to show it; others think only when an effort is set.
  const byDefault = generation(model).version !== undefined && version >= 5;
  if (effort === undefined) return byDefault ? { thinking: adaptive(model) } : {};
  if (effort === "none") return { ...off(model) };
  const level = effort === "minimal" ? "low" : effort;
  return { thinking: adaptive(model), output_config: { effort: level } };
}

function adaptive(model: string): JsonObject {
  const binding = bindsThinking(model) ? { block_binding: { prefix_mismatch_behavior: "drop_block" } } : {};
  return { type: "adaptive", display: "summarized", ...binding };
}

/** Not every model can be told not to think. */
function off(model: string): ThinkingFields {
  const { family, version = 5 } = generation(model);
  if (version >= 5.5 && family === "sonnet") return { thinking: { type: "between_tools" } };
  const always = (version >= 5.5 && family === "opus") || family === "fable" || family === "mythos";
  return always ? { thinking: adaptive(model), output_config: { effort: "low" } } : { thinking: { type: "disabled" } };
}

/** Then earlier thinking must not be sent either: it is refused when anything before it has changed. */
export const isOff = ({ thinking }: ThinkingFields): boolean =>
  thinking?.["type"] === "disabled" || thinking?.["type"] === "between_tools";

const budgets: Record<Effort, number> = {
  none: 0,
  minimal: 1024,
  low: 4096,
  medium: 10_000,
  high: 24_000,
  max: 31_000,
};

function budgeted(version: number, effort: Effort | undefined, maxTokens: number): ThinkingFields {
  if (effort === undefined || effort === "none" || version < 3.7) return {};
  const budget = Math.min(budgets[effort], maxTokens - 1024);
  return budget < 1024 ? {} : { thinking: { type: "enabled", budget_tokens: budget } };
}
