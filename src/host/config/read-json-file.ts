// Reads one JSON file of settings: bounded, regular files only, and errors that never quote what stands in it.
import { readBoundedSync } from "../../adapters/files/read-bounded.ts";

export type JsonFile =
  | { readonly is: "read"; readonly value: unknown }
  | { readonly is: "missing" }
  | { readonly is: "bad"; readonly why: string };

const MOST_BYTES = 1024 * 1024;

export function readJsonFile(path: string, options: { readonly follow: boolean; readonly most?: number }): JsonFile {
  const found = readBoundedSync(path, { most: options.most ?? MOST_BYTES, ...(!options.follow && { noLink: true }) });
  if (!found.ok) return found.code === "missing" ? { is: "missing" } : { is: "bad", why: found.reason };
  return parseJsonText(found.bytes.toString("utf8"));
}

export function parseJsonText(text: string): JsonFile {
  try {
    return { is: "read", value: JSON.parse(text.replace(/^\ufeff/, "")) };
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0] ?? "";
    return { is: "bad", why: `is not JSON ${place}`.trimEnd() };
  }
}
