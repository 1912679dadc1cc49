// The input of an agent that takes one, as the task it is given.
import type { JsonObject } from "../json.ts";

export const taskOfInput = (input: JsonObject): string =>
  Object.entries(input)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
