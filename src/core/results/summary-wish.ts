// When a child hands its result in a second time, shorter, and how short: what a definition or a call says of it. Pure.
import { REPORT_CHARS } from "../child-report.ts";

/** `true`: what its parent would be told in part only; `always`: what is longer than a summary; a number: than that. */
export type SummaryWish = boolean | "always" | number;

/** In characters. */
export type SummaryRule = { readonly over: number; readonly within: number };

const SUMMARY_CHARS = 4_000;
export const LEAST_SUMMARY = 200;

export function summaryRule(wish: SummaryWish | undefined): SummaryRule | undefined {
  if (wish === undefined || wish === false) return undefined;
  if (wish === true) return { over: REPORT_CHARS, within: SUMMARY_CHARS };
  const within = wish === "always" ? SUMMARY_CHARS : Math.min(REPORT_CHARS, Math.max(LEAST_SUMMARY, wish));
  return { over: within, within };
}
