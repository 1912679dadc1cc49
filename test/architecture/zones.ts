// Who may import whom: the zones of src, and the rows inside the engine.
import { importsOf, isProduct, isTest, type Files } from "./files.ts";

const mayImport: Readonly<Record<string, readonly string[]>> = {
  std: [],
  core: ["std"],
  ports: ["core", "std"],
  engine: ["core", "ports", "std"],
  adapters: ["core", "ports", "std"],
  host: ["std", "core", "ports", "engine", "adapters"],
  surfaces: ["host", "core", "std"],
  library: ["std", "core", "ports", "engine", "host"],
  cluster: ["host", "ports", "core", "std"],
  testing: ["core", "ports", "std", "host"],
};
// What `sous` gives to those who embed it: everything but the adapters and the surfaces.
const entry = ["std", "core", "ports", "engine", "host", "library"];

const rows: readonly (readonly string[])[] = [
  [
    "tools",
    "agents",
    "guard",
    "sessions",
    "workspaces",
    "memory",
    "telemetry",
    "models",
    "mailbox",
    "protocol",
    "hooks",
  ],
  ["loop"],
  ["runs"],
  ["orchestrate", "watch"],
];

export function followsZones(files: Files): readonly string[] {
  return crossings(files, zoneOf).flatMap(({ path, from, to, target }) => {
    const allowed = from === "index.ts" ? entry : mayImport[from];
    if (!allowed) return [`${path} is in no known zone`];
    if (allowed.includes(to) || (isTest(path) && to === "testing")) return [];
    return [`${path} imports ${target}`];
  });
}

export function followsRows(files: Files): readonly string[] {
  const product = Object.fromEntries(Object.entries(files).filter(([path]) => isProduct(path)));
  return crossings(product, memberOf).flatMap(({ path, from, to, target }) => {
    if (rowOf(from) < 0) return [`${path} is in no known row`];
    return rowOf(to) >= 0 && rowOf(to) < rowOf(from) ? [] : [`${path} imports ${target}`];
  });
}

/** Every import that leaves its part of the tree for another one. */
function crossings(files: Files, partOf: (path: string) => string | undefined) {
  return Object.entries(files).flatMap(([path, text]) =>
    importsOf(path, text).flatMap((target) => {
      const [from, to] = [partOf(path), partOf(target)];
      return from === undefined || to === undefined || from === to ? [] : [{ path, from, to, target }];
    }),
  );
}

function zoneOf(path: string): string | undefined {
  return /^src\/([^/]+)/.exec(path)?.[1];
}

function memberOf(path: string): string | undefined {
  return /^src\/engine\/([^/]+)/.exec(path)?.[1];
}

function rowOf(member: string): number {
  return rows.findIndex((row) => row.includes(member));
}
