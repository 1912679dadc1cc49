// Lists of domains that a sandbox may reach: `api.example.com`, `*.example.com`, each with a port or without. Pure.

/** What commands of a sandbox may reach: everything, nothing, or only these. */
export type Network = boolean | readonly string[];

/** Why an entry cannot be used, or undefined. */
export function domainProblem(entry: unknown): string | undefined {
  if (typeof entry !== "string") return `${JSON.stringify(entry)} is no domain`;
  const { host, port } = parts(entry);
  if (port !== undefined && !(port >= 1 && port <= 65_535)) return `"${entry}" has no port between 1 and 65535`;
  if (host.startsWith("*.") && !host.slice(2).includes(".")) return `"${entry}" is too wide`;
  if (NAME.test(host)) return undefined;
  return `"${entry}" is no domain such as api.example.com, *.example.com or api.example.com:443`;
}

/** What both allow. */
export function bothAllow(one: Network, other: Network): Network {
  if (typeof one === "boolean") return one && other;
  if (typeof other === "boolean") return other && one;
  const shared = [...one.filter((entry) => isCovered(entry, other)), ...other.filter((entry) => isCovered(entry, one))];
  return shared.length > 0 && [...new Set(shared)];
}

const NAME = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;

const isCovered = (entry: string, by: readonly string[]): boolean => by.some((wider) => covers(wider, entry));

function covers(wider: string, entry: string): boolean {
  const [outer, inner] = [parts(wider), parts(entry)];
  if (outer.port !== undefined && outer.port !== inner.port) return false;
  return outer.host === inner.host || (outer.host.startsWith("*.") && inner.host.endsWith(outer.host.slice(1)));
}

function parts(entry: string): { readonly host: string; readonly port?: number } {
  const [, host = entry, port] = /^(.*):(\d+)$/.exec(entry) ?? [];
  return { host: host.toLowerCase(), ...(port !== undefined && { port: Number(port) }) };
}
