// Model servers on this machine. They are asked only here: a run never looks for them by itself.
import { isObject } from "../../core/json.ts";
import type { Finding } from "./finding.ts";

export type LocalServer = { readonly name: string; readonly base: string };

export const localServers: readonly LocalServer[] = [
  { name: "ollama", base: "http://127.0.0.1:11434/v1" },
  { name: "lmstudio", base: "http://127.0.0.1:1234/v1" },
  { name: "llamacpp", base: "http://127.0.0.1:8080/v1" },
];

const PATIENCE_MS = 300;
const MOST_BYTES = 256 * 1024;

export async function lookAtServers(servers: readonly LocalServer[]): Promise<Finding[]> {
  const found = await Promise.all(servers.map(async (server) => ({ server, models: await modelsOf(server) })));
  return found.flatMap(({ server, models }) => (models ? [finding(server, models)] : []));
}

function finding({ name, base }: LocalServer, models: readonly string[]): Finding {
  const first = models[0];
  const provider = JSON.stringify({ [name]: { api: "openai-chat", baseUrl: base } });
  return {
    check: "server",
    is: "note",
    says: `${name} answers at ${base}${first ? ` with ${models.slice(0, 3).join(", ")}` : " without a model"}`,
    ...(first && { todo: `to use it: "providers": ${provider} in the configuration, then --model ${name}/${first}` }),
  };
}

/** undefined when nobody answers in time, or something else does. */
async function modelsOf({ base }: LocalServer): Promise<string[] | undefined> {
  try {
    const answer = await fetch(`${base}/models`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "error" });
    if (!answer.ok || Number(answer.headers.get("content-length") ?? 0) > MOST_BYTES) return undefined;
    const body: unknown = await answer.json();
    const list = isObject(body) && Array.isArray(body["data"]) ? body["data"] : undefined;
    return list?.flatMap((one: unknown) =>
      isObject(one) && typeof one["id"] === "string" ? [one["id"].slice(0, 80)] : [],
    );
  } catch {
    return undefined;
  }
}
