// The files and folders that rules deny to be read by their very path: what the system can hide as it stands. Pure.
import { type Places, type Rule, fullPattern } from "./rules.ts";

/** Patterns that fit several names are left to judgement. */
export const deniedPaths = (deny: readonly Rule[], places: Places): readonly string[] =>
  deny.flatMap(({ tool, spec }) => {
    if (tool !== "Read" || spec === undefined) return [];
    const path = fullPattern(spec, places).replace(/\/\*\*$/, "");
    return /[*?[\]{}]/.test(path) ? [] : [path];
  });
