// Reads one definition file, whole or not at all.
import { readBounded } from "../files/read-bounded.ts";

export const MOST_BYTES = 256 * 1024;

export async function readDefinitionFile(path: string): Promise<{ text: string } | { problem: string }> {
  const found = await readBounded(path, { most: MOST_BYTES });
  return found.ok ? { text: found.bytes.toString("utf8") } : { problem: `it ${found.reason}` };
}
