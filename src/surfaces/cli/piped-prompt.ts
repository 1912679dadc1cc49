// `sous` without words and without a terminal: what is piped in is a prompt; where nothing is, the tour.
import { pipedAlone } from "./prompt.ts";
import { runWith } from "./run.ts";

export async function pipedPrompt(version: string): Promise<number> {
  const prompt = await pipedAlone();
  return prompt === "" ? (await import("./tour.ts")).tour([], version) : runWith({}, [], version, { prompt });
}
