// What the rules see of a file: its path in the repository, its text, and what it imports.
import { posix } from "node:path";
import { isBuiltin } from "node:module";

export type Files = Readonly<Record<string, string>>;

/** Code of the product, as against its tests. */
export function isProduct(path: string): boolean {
  return /^src\/.*\.tsx?$/.test(path) && !isTest(path);
}

/** Tests, and what only tests can use because it calls the test runner. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$|-test-kit\.ts$|\/fixtures\/|^src\/testing\/conformance\//.test(path);
}

const STATEMENT = /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:[\w$*\s{},]+?\s+from\s+)?["']([^"']+)["']/g;
const EXPRESSION = /\bimport\(\s*["'`]([^"'`]+)["'`]/g;

/** Repository paths, `node:…` for Node's own modules, `npm:…` for packages. */
export function importsOf(path: string, text: string): readonly string[] {
  return [STATEMENT, EXPRESSION]
    .flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ""))
    .map((target) => resolved(path, target));
}

function resolved(path: string, target: string): string {
  if (target.startsWith(".")) return posix.join(posix.dirname(path), target);
  if (isBuiltin(target)) return target.startsWith("node:") ? target : `node:${target}`;
  return `npm:${target}`;
}

/** The text without comments and without what stands in plain quotes. */
export function codeOf(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith("/") ? "" : '""',
  );
}
