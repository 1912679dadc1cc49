// The architecture as rules over file texts. Pure: given files, it names what breaks which invariant.
import { codeOf, importsOf, isProduct, type Files } from "./architecture/files.ts";
import { declared, unused } from "./architecture/dependencies.ts";
import { hasFittingSizes } from "./architecture/sizes.ts";
import { followsRows, followsZones } from "./architecture/zones.ts";

export type Rule = { readonly invariant: string; readonly broken: (files: Files) => readonly string[] };

export function violations(files: Files): readonly string[] {
  return rules.flatMap(({ invariant, broken }) => broken(files).map((what) => `${invariant}: ${what}`));
}

export const rules: readonly Rule[] = [
  { invariant: "zones import one way", broken: followsZones },
  { invariant: "engine rows import earlier rows only, and members of a row never each other", broken: followsRows },
  {
    invariant: "only host imports adapters",
    broken: imports(
      (path) => path.startsWith("src/") && !/^src\/(host|adapters)\//.test(path),
      (target) => target.startsWith("src/adapters/"),
    ),
  },
  {
    invariant: "the web page imports core only",
    broken: imports(
      (path) => path.startsWith("src/surfaces/web/"),
      (target) => target.startsWith("node:") || /^src\/(?!core\/|surfaces\/web\/)/.test(target),
    ),
  },
  {
    invariant: "core imports no Node module",
    broken: imports(
      (path) => path.startsWith("src/core/"),
      (target) => target.startsWith("node:"),
    ),
  },
  {
    invariant: "core knows no process and no Buffer",
    broken: says(/^src\/core\//, /(?<![.\w])(process\.|Buffer\b|globalThis\.process)/),
  },
  {
    invariant: "core and engine take time and randomness from ports",
    broken: says(
      /^src\/(core|engine)\//,
      /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|(?<![.\w])set(Timeout|Interval)\(|\bperformance\.now\b|\brandomUUID\b/,
    ),
  },
  { invariant: "no module has mutable state", broken: says(/^src\//, /^(export )?(let|var) .*/m) },
  {
    invariant: "nothing appends to a log but the tree's one writer",
    broken: says(/^src\/(?!engine\/runs\/|engine\/sessions\/|adapters\/log\/)/, /\b\w*(log|journal)\w*\??\.append\(/i),
  },
  {
    invariant: "programs are started in few places",
    broken: imports(
      (path) =>
        /^src\/(?!testing\/|adapters\/processes\/)/.test(path) &&
        !/\/(run-git|run-ripgrep|key-command|program-findings)\.ts$/.test(path),
      (target) => target === "node:child_process",
    ),
  },
  {
    invariant: "no program that we start for ourselves is found by our own environment",
    broken: says(/^src\/adapters\/(processes|worktrees|search)\//, /(?<![.\w])process\.env\b/),
  },
  {
    // Elsewhere files are our own, the system's, or named by the person, or they are held open by a tool.
    invariant: "files that a project chose are read by the bounded reader only",
    broken: says(
      /^src\/(?!adapters\/(files|log|processes|undo|workspaces|artifacts)\/|adapters\/worktrees\/copy-included|host\/control\/socket-file|surfaces\/cli\/|testing\/)/,
      /(?<![.\w])(readFile|readFileSync|copyFile|copyFileSync|cp|cpSync|createReadStream|openAsBlob|openSync)\(/,
    ),
  },
  { invariant: "files are small", broken: hasFittingSizes },
  { invariant: "every dependency is imported by some file", broken: unused },
  { invariant: "every imported package is a dependency", broken: declared },
  {
    invariant: "no file names a machine's own path or a package registry",
    broken: (files) =>
      Object.entries(files).flatMap(([path, text]) => {
        const found = /(?<![\w.)*-])\/(work|root)\/|\bregistry\.[a-z0-9-]+\.[a-z]+/.exec(text);
        return found ? [`${path} names ${found[0]}`] : [];
      }),
  },
];

// Tests may use what the code they test may not.
function imports(from: (path: string) => boolean, forbidden: (target: string) => boolean): Rule["broken"] {
  return (files) =>
    Object.entries(files)
      .filter(([path]) => from(path) && isProduct(path))
      .flatMap(([path, text]) => importsOf(path, text).map((target) => ({ path, target })))
      .filter(({ target }) => forbidden(target))
      .map(({ path, target }) => `${path} imports ${target}`);
}

function says(where: RegExp, forbidden: RegExp): Rule["broken"] {
  return (files) =>
    Object.entries(files)
      .filter(([path]) => where.test(path) && isProduct(path))
      .flatMap(([path, text]) => {
        const found = forbidden.exec(codeOf(text));
        return found ? [`${path} says ${found[0].trim()}`] : [];
      });
}
