// The body of an answer with its content-encoding taken off. We ask for none; some proxies encode anyway.
import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";

export async function decoded(answer: IncomingMessage): Promise<Readable> {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase();
  if (!encoding || encoding === "identity") return answer;
  // Until the decoder is attached nothing may be lost, and an early cut must not be an uncaught error.
  const early: Error[] = [];
  const note = (error: Error) => early.push(error);
  answer.on("error", note);
  const zlib = await import("node:zlib");
  const make: Record<string, (() => Transform) | undefined> = {
    gzip: zlib.createGunzip,
    "x-gzip": zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
    zstd: zlib.createZstdDecompress,
  };
  const decoder = make[encoding]?.();
  answer.off("error", note);
  if (!decoder) return answer;
  answer.on("error", (error) => decoder.destroy(error));
  if (early[0]) decoder.destroy(early[0]);
  // Without this a cut between two encoded blocks would leave the reader waiting for ever.
  answer.on("close", () => answer.complete || decoder.destroy(new Error("closed before its end")));
  return answer.pipe(decoder);
}
