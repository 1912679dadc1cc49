// The scripted model's process, seen from the bench.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Asker, Expected } from "./expected.ts";

/** When a request was wholly there and when it was answered, on the machine's monotonic clock; how long its body was. */
export type Arrival = Asker & { readonly at: number; readonly bytes: number; answered: number };
export type ToServer = { readonly type: "expect"; readonly expected: Expected } | { readonly type: "report" };
export type FromServer =
  | { readonly type: "listening"; readonly port: number }
  | { readonly type: "ready" }
  | { readonly type: "arrivals"; readonly arrivals: readonly Arrival[] };

export type ModelServer = {
  /** What a client needs in its environment to find the server. */
  readonly env: Readonly<Record<string, string>>;
  /** What the next contestant will ask. */
  expect(expected: Expected): Promise<void>;
  arrivals(): Promise<readonly Arrival[]>;
  close(): void;
};

export async function startModelServer(): Promise<ModelServer> {
  const child = fork(join(import.meta.dirname, "server-main.ts"));
  const told = async (): Promise<FromServer> => (await once(child, "message"))[0] as FromServer;
  const ask = (message: ToServer): Promise<FromServer> => {
    const answer = told();
    child.send(message);
    return answer;
  };
  const first = await told();
  return {
    env: first.type === "listening" ? environment(`http://127.0.0.1:${first.port}`) : {},
    expect: async (expected) => void (await ask({ type: "expect", expected })),
    arrivals: async () => {
      const answer = await ask({ type: "report" });
      return answer.type === "arrivals" ? answer.arrivals : [];
    },
    close: () => child.disconnect(),
  };
}

const environment = (url: string): Record<string, string> => ({
  ANTHROPIC_API_KEY: "sk-ant-bench",
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: "sk-bench",
  OPENAI_BASE_URL: `${url}/v1`,
  GEMINI_API_KEY: "bench",
  GOOGLE_GEMINI_BASE_URL: url,
});
