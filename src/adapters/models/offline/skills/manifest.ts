// What the manifests of common ecosystems tell: name, purpose, commands, entry points. Read as text, never run.
import type { Result } from "../conversation.ts";
import { isObject } from "../../../../core/json.ts";
import { readLines } from "../outputs.ts";

export type Manifest = {
  readonly path: string;
  readonly about: string;
  readonly commands: Readonly<Record<string, string>>;
  readonly entries: readonly string[];
  /** The command that starts the program. */
  readonly start?: string;
  /** Packages that it depends on; left out where this is not read. */
  readonly needs?: readonly string[];
};

const KNOWN =
  /^(?:package\.json|pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|CMakeLists\.txt|Makefile|justfile|deno\.jsonc?|mix\.exs|Package\.swift)$/;

export const isManifest = (path: string): boolean => KNOWN.test(path);

export function manifestFrom(result: Result): Manifest {
  const path = String(result.input["file_path"] ?? "").replace(/^.*\//, "");
  const { lines } = readLines(result);
  const text = lines.join("\n");
  if (path === "package.json" || path === "composer.json") return fromJson(path, text);
  const name = /^\s*name\s*=\s*["']([^"'\n]{1,100})["']/m.exec(text)?.[1] ?? /^module\s+(\S{1,200})/m.exec(text)?.[1];
  const description = /^\s*description\s*=\s*["']([^"'\n]{1,300})["']/m.exec(text)?.[1];
  return {
    path,
    about: [name, description].filter((part) => part !== undefined).join(": "),
    commands: { ...usual[path], ...(path === "Makefile" || path === "justfile" ? targets(lines, path) : {}) },
    entries: lines
      .flatMap((line) => /^([\w.-]{1,60})\s*=\s*["']([\w.]{1,100}:[\w.]{1,60})["']/.exec(line)?.[2] ?? [])
      .slice(0, 5),
  };
}

/** The commands that manifests give, the first of each kind. */
export function commandsFrom(results: readonly Result[]): Readonly<Record<string, string>> {
  const all = results.filter((result) => !result.failed).map((result) => manifestFrom(result).commands);
  return Object.assign({}, ...all.toReversed()) as Readonly<Record<string, string>>;
}

function fromJson(path: string, text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { path, about: "", commands: {}, entries: [] };
  }
  const manifest = isObject(value) ? value : {};
  const string = (name: string): string | undefined =>
    typeof manifest[name] === "string" ? (manifest[name] as string) : undefined;
  const scripts = isObject(manifest["scripts"]) ? manifest["scripts"] : {};
  const run = path === "package.json" ? "npm run" : "composer run";
  const commands = Object.keys(scripts).map((name) => [
    name,
    name === "test" || name === "start" ? `npm ${name}` : `${run} ${name}`,
  ]);
  const bin = manifest["bin"];
  const bins = isObject(bin) ? Object.values(bin).filter((one) => typeof one === "string") : [string("bin")];
  const start = scripts["start"];
  const needs = ["dependencies", "devDependencies", "require", "require-dev"].flatMap((kind) =>
    isObject(manifest[kind])
      ? Object.entries(manifest[kind]).map(
          ([name, version]) => `${name} ${String(version)}${kind.includes("ev") ? " (for development)" : ""}`,
        )
      : [],
  );
  return {
    path,
    needs,
    ...(typeof start === "string" && { start }),
    about: [string("name"), string("description")].filter((part) => part !== undefined).join(": "),
    commands: Object.fromEntries(commands) as Record<string, string>,
    entries: [...new Set([...bins, string("main"), string("module")])].filter((one) => one !== undefined),
  };
}

function targets(lines: readonly string[], path: string): Record<string, string> {
  const names = lines.flatMap((line) => /^([A-Za-z][\w-]{0,40})\s*(?:[\w= ]{0,60})?:(?!=)/.exec(line)?.[1] ?? []);
  return Object.fromEntries(
    names.slice(0, 20).map((name) => [name, `${path === "Makefile" ? "make" : "just"} ${name}`]),
  );
}

const usual: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Cargo.toml": { build: "cargo build", test: "cargo test" },
  "go.mod": { build: "go build ./...", test: "go test ./..." },
  "pyproject.toml": { test: "pytest" },
  "setup.py": { test: "pytest" },
  "pom.xml": { build: "mvn package", test: "mvn test" },
  "build.gradle": { build: "./gradlew build", test: "./gradlew test" },
  "build.gradle.kts": { build: "./gradlew build", test: "./gradlew test" },
  Gemfile: { test: "bundle exec rake test" },
  "mix.exs": { test: "mix test" },
  "Package.swift": { build: "swift build", test: "swift test" },
};
