// What each Gemini generation takes: a wrong setting is a 400.
import type { JsonObject } from "../../core/json.ts";
import type { Effort } from "../../ports/model.ts";

/** 3.8 for `gemini-3.8-flash`; undefined for models of another name. */
export function geminiVersion(model: string): number | undefined {
  const version = /gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1];
  return version === undefined ? undefined : Number(version);
}

/** From 3.6 on sampling is no longer the caller's. */
export const takesTemperature = (model: string): boolean => (geminiVersion(model) ?? 0) < 3.6;

/** Generation 3 takes images inside a function's response; and wants each step's first call signed. */
export const isThird = (model: string): boolean => (geminiVersion(model) ?? 0) >= 3;

export function thinkingConfig(model: string, effort: Effort | undefined): JsonObject | undefined {
  const version = geminiVersion(model);
  if (version === undefined || version < 2.5) return undefined;
  if (effort === undefined) return { includeThoughts: true };
  return version >= 3 ? { includeThoughts: true, thinkingLevel: level(model, version, effort) } : budget(model, effort);
}

function level(model: string, version: number, effort: Effort): string {
  if (effort === "max") return "high";
  if (effort !== "none" && effort !== "minimal") return effort;
  const minimal = model.includes("lite") || (model.includes("flash") && version < 3.7);
  return minimal ? "minimal" : "low";
}

const budgets: Record<Effort, number> = { none: 0, minimal: 512, low: 2048, medium: 8192, high: 24_576, max: 24_576 };

function budget(model: string, effort: Effort): JsonObject {
  // The pro model of 2.5 cannot stop thinking.
  const tokens = model.includes("pro") ? Math.max(128, budgets[effort]) : budgets[effort];
  return { includeThoughts: tokens > 0, thinkingBudget: tokens };
}
