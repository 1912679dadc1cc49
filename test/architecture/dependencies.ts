// The dependencies of package.json against what files really import.
import { importsOf, isProduct, type Files } from "./files.ts";

type Manifest = { readonly dependencies?: Record<string, string>; readonly devDependencies?: Record<string, string> };

// Development programs that are called by another name, or only by the compiler.
const calledAs: Readonly<Record<string, string>> = { typescript: "tsc", "@types/node": '"types": ["node"]' };

export function unused(files: Files): readonly string[] {
  const { dependencies = {}, devDependencies = {} } = manifestOf(files);
  const imported = new Set(packagesOf(files, isProduct));
  const tools = Object.entries(files).filter(([path]) => /^(scripts|test|bench)\/|^[^/]+\.(ts|json)$/.test(path));
  const isCalled = (name: string): boolean =>
    tools.some(([path, text]) => (path === "package.json" ? scriptsOf(text) : text).includes(calledAs[name] ?? name));
  return [
    ...Object.keys(dependencies).filter((name) => !imported.has(name)),
    ...Object.keys(devDependencies).filter((name) => !imported.has(name) && !isCalled(name)),
  ].map((name) => `${name} is imported by no file`);
}

export function declared(files: Files): readonly string[] {
  const { dependencies = {}, devDependencies = {} } = manifestOf(files);
  const product = packagesOf(files, isProduct).filter((name) => !(name in dependencies));
  const others = packagesOf(files, (path) => /^(src|test|bench)\/.*\.ts$/.test(path) && !path.includes("/fixtures/"));
  const everything = { ...dependencies, ...devDependencies, sous: "" };
  return [...product, ...others.filter((name) => !(name in everything))].map(
    (name) => `${name} is not in package.json`,
  );
}

function packagesOf(files: Files, from: (path: string) => boolean): readonly string[] {
  const names = Object.entries(files)
    .filter(([path]) => from(path))
    .flatMap(([path, text]) => importsOf(path, text))
    .flatMap((target) => /^npm:((?:@[^/]+\/)?[^/]+)/.exec(target)?.[1] ?? []);
  return [...new Set(names)];
}

function manifestOf(files: Files): Manifest {
  return JSON.parse(files["package.json"] ?? "{}") as Manifest;
}

function scriptsOf(manifest: string): string {
  return JSON.stringify((JSON.parse(manifest) as { scripts?: unknown }).scripts ?? {});
}
