// Which reasoning efforts each OpenAI model takes: a wrong one is a 400.
import type { Effort } from "../../ports/model.ts";

/** `unknown` for models of other makers behind the same wire. */
type Kind =
  { readonly is: "plain" } | { readonly is: "reasoning"; readonly version: number } | { readonly is: "unknown" };

function kindOf(model: string): Kind {
  const gpt = /(?:^|\/)gpt-(\d+)(?:\.(\d+))?(?![\d.])/.exec(model);
  if (gpt) {
    const version = Number(`${gpt[1]}.${gpt[2] ?? 0}`);
    return version >= 5 ? { is: "reasoning", version } : { is: "plain" };
  }
  if (/(?:^|\/)o[134](?:-|$)/.test(model)) return { is: "reasoning", version: 4 };
  return /(?:^|\/)(gpt-4o|gpt-3|chatgpt-4o)/.test(model) ? { is: "plain" } : { is: "unknown" };
}

export const isPlain = (model: string): boolean => kindOf(model).is === "plain";
/** Reasoning models refuse a temperature. */
export const takesTemperature = (model: string): boolean => kindOf(model).is !== "reasoning";

export function effortFor(model: string, effort: Effort | undefined): string | undefined {
  const kind = kindOf(model);
  if (effort === undefined || kind.is === "plain") return undefined;
  if (kind.is === "unknown") return effort === "max" ? "high" : effort;
  const { version } = kind;
  if (effort === "max") return version >= 5.6 ? "max" : version >= 5.2 ? "xhigh" : "high";
  if (effort === "minimal") return version === 5 ? "minimal" : "low";
  if (effort !== "none") return effort;
  if (version < 5 || /gpt-6\.1-sol|astra/.test(model)) return "low";
  return version === 5 ? "minimal" : "none";
}
