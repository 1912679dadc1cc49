// YAML 1.2, loaded only when some definition needs it.
import type { Document, Pair, Scalar, YAMLMap } from "yaml";
import type { Given } from "./given.ts";

export type YamlReader = {
  /** The pairs of a map in their order, with duplicates; or why it is no map, with the line (from 0). */
  pairs(text: string): { readonly pairs: readonly Given[] } | { readonly problem: string; readonly line: number };
};

export async function loadYaml(): Promise<YamlReader> {
  const { LineCounter, isMap, isScalar, parseDocument } = await import("yaml");
  return {
    pairs(text) {
      const lines = new LineCounter();
      try {
        const document = parseDocument(text, { uniqueKeys: false, lineCounter: lines, logLevel: "error" });
        const [error] = document.errors;
        if (error) return { problem: firstLine(error.message), line: (error.linePos?.[0].line ?? 1) - 1 };
        const { contents } = document;
        if (contents === null || (isScalar(contents) && contents.value === null)) return { pairs: [] };
        if (!isMap(contents)) return { problem: "it is not a list of `key: value` lines", line: 0 };
        const map = contents as YAMLMap;
        return { pairs: map.items.map((pair) => given(pair, document, text, (at) => lines.linePos(at).line - 1)) };
      } catch (error) {
        // Too deep, too many aliases, or an alias of nothing.
        return { problem: error instanceof Error ? firstLine(error.message) : "it cannot be read", line: 0 };
      }
    },
  };
}

type Placed = { readonly range?: readonly [number, number, number] | null; toJS?(document: Document): unknown };

function given(pair: Pair, document: Document, text: string, lineOf: (at: number) => number): Given {
  const key = pair.key as (Scalar & Placed) | null;
  const value = pair.value as (Placed & { source?: string; type?: string }) | null;
  const [from, to] = value?.range ?? [0, 0];
  return {
    key: key && "value" in key ? (key.source ?? String(key.value)) : String(pair.key),
    value: value?.toJS?.(document) ?? null,
    raw: value?.source ?? text.slice(from, to),
    plain: value?.type === "PLAIN",
    line: lineOf(key?.range?.[0] ?? 0),
  };
}

const firstLine = (message: string): string => (message.split("\n")[0] ?? message).replace(/ at line \d+.*$/, "");
