// One request to a host's socket and its answer.
import { lstatSync } from "node:fs";
import { connect } from "node:net";
import { isObject } from "../../core/json.ts";
import type { JsonObject } from "../../core/json.ts";

export type Reply = { readonly ok: boolean; readonly [field: string]: unknown };

/** `unreachable`: nobody listens there. `lost`: it was there, and went away before it answered. */
export type Asked = { readonly is: "answered"; readonly reply: Reply } | { readonly is: "unreachable" | "lost" };

export function askSocket(path: string, request: JsonObject, signal?: AbortSignal): Promise<Asked> {
  // A socket that another user made is not our host's.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isSocket() || found.uid !== (process.getuid?.() ?? found.uid))
    return Promise.resolve({ is: "unreachable" });
  return new Promise((resolve, reject) => {
    let connected = false;
    const chunks: Buffer[] = [];
    const socket = connect(path);
    const give = (): void => {
      socket.destroy();
      reject(signal?.reason);
    };
    const settle = (asked: Asked): void => {
      signal?.removeEventListener("abort", give);
      socket.destroy();
      resolve(asked);
    };
    if (signal?.aborted) return give();
    signal?.addEventListener("abort", give, { once: true });
    socket.on("connect", () => {
      connected = true;
      socket.write(`${JSON.stringify(request)}\n`);
    });
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (!chunk.includes(10)) return;
      const reply = readReply(Buffer.concat(chunks).toString("utf8"));
      settle(reply ? { is: "answered", reply } : { is: "lost" });
    });
    socket.on("error", () => settle({ is: connected ? "lost" : "unreachable" }));
    socket.on("close", () => settle({ is: connected ? "lost" : "unreachable" }));
  });
}

function readReply(text: string): Reply | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(0, text.indexOf("\n")));
    return isObject(value) && typeof value["ok"] === "boolean" ? (value as Reply) : undefined;
  } catch {
    return undefined;
  }
}
