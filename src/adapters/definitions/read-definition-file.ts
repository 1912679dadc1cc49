// Reads one definition file, whole or not at all.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fileProblem } from "../workspaces/file-problem.ts";

export const MOST_BYTES = 256 * 1024;

export async function readDefinitionFile(path: string): Promise<{ text: string } | { problem: string }> {
  try {
    // Without waiting for a writer, should it have become a pipe meanwhile.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile()) return { problem: "it is not a file" };
    if (found.size > MOST_BYTES)
      return { problem: `it is too large: ${found.size} bytes, at most ${MOST_BYTES} are read` };
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) break;
    }
    if (length > MOST_BYTES) return { problem: `it is too large: at most ${MOST_BYTES} bytes are read` };
    return { text: bytes.toString("utf8", 0, length) };
  } catch (error) {
    return { problem: `it ${fileProblem(error)}` };
  }
}
