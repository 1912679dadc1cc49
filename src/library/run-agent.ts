// `runAgent`: one agent, one prompt, one result.
import type { Json } from "../core/json.ts";
import type { AgentRun } from "./agent-run.ts";
import type { TypeOf } from "./define-tool.ts";
import { type Host, type RunAgentOptions, createHost } from "./create-host.ts";

/**
 * Runs an agent and gives its result, whatever became of it.
 *
 * ```ts
 * const result = await runAgent({ prompt: "what is in src?" });
 * const run = runAgent(host, { agent: "Explore", prompt: "find the parser" });
 * for await (const event of run.events) console.log(event.type);
 * ```
 *
 * Without a host it runs in one of its own, with the person's configuration.
 *
 * @throws HostError (as a rejection) when the run cannot begin: an unknown model, a folder that is not there, …
 */
export function runAgent<const Input extends object = object, const Output extends object = object>(
  options: RunAgentOptions<Input, Output>,
): AgentRun<TypeOf<Output, Json>>;
export function runAgent<const Input extends object = object, const Output extends object = object>(
  host: Host,
  options: RunAgentOptions<Input, Output>,
): AgentRun<TypeOf<Output, Json>>;
export function runAgent(first: Host | RunAgentOptions, second?: RunAgentOptions): AgentRun {
  if (second) return (first as Host).run(second);
  const host = createHost();
  const run = host.run(first as RunAgentOptions);
  const close = (): Promise<void> => host.close();
  run.then(close, close);
  return run;
}
