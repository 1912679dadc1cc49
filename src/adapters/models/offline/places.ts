// What kind of place a path is: the product's own code first, what was made or fetched by a program last.
import { familyOf } from "./languages.ts";

export const isTestPath = (path: string): boolean =>
  /(^|\/)(tests?|__tests__|specs?|testing|testdata)\/|[._-](test|spec)\.\w+$|[._-]test-kit\.\w+$|(^|\/)test_[^/]+$/i.test(
    path,
  );

/** Tests, and what else only stands beside the product. */
export const isAside = (path: string): boolean =>
  isTestPath(path) || /(^|\/)(fixtures?|mocks?|examples?|samples?|bench|benchmarks?|demos?|scripts?)\//i.test(path);

/** Build output, vendored code, lock files, minified files and maps; and what tells agents how to work. */
export const isMade = (path: string): boolean => FOLDERS.test(path) || FILES.test(path);

const FOLDERS =
  /(^|\/)(dist|build|out|target|coverage|vendor|vendored|third_party|node_modules|bower_components|generated|__pycache__|\.next|\.venv|venv|\.claude|\.sous|\.cursor)\//i;
const FILES =
  /\.min\.|\.bundle\.|[.-]lock(\.\w+)?$|(^|\/)(package-lock|npm-shrinkwrap|composer\.lock|go\.sum)(\.json)?$|\.(map|snap|wasm|svg|pb\.go)$|_pb2\.py$/i;

const isDeclaration = (path: string): boolean => /\.d\.[cm]?ts$|\.pyi$|\.flow$/.test(path);
const isProse = (path: string): boolean => /\.(md|markdown|rst|txt|adoc)$/i.test(path);

/** Smaller is better; the same number means that neither is to be preferred by its path. */
export function standing(path: string): number {
  if (isMade(path)) return 5;
  if (isProse(path)) return 4;
  if (familyOf(path) === undefined) return 3;
  if (isAside(path)) return 2;
  return isDeclaration(path) ? 1 : 0;
}

export function placeWeight(path: string, wanted: string): number {
  if (wanted === "test" && isTestPath(path) && !isMade(path)) return 1.5;
  if (wanted === "file" && standing(path) > 1 && standing(path) < 5) return 0.8;
  if (wanted === "type" && standing(path) === 1) return 1;
  return WEIGHTS[standing(path)] ?? 1;
}

const WEIGHTS = [1, 0.45, 0.3, 0.3, 0.25, 0.05];
