// Pictures and PDFs that models can look at, told by how they begin and not by their name.
import type { ImagePart } from "../../core/messages.ts";

/** What providers take of one picture is 5 MB in base64. */
export const MOST_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4;

export const looksLikeImage = (path: string): boolean => /\.(png|jpe?g|gif|webp|pdf)$/i.test(path);

export function imagePart(bytes: Uint8Array): ImagePart | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  const mediaType = KINDS.find(([, begins]) => begins.test(start))?.[0];
  return mediaType && { type: "image", mediaType, data: Buffer.from(bytes).toString("base64") };
}

const KINDS = [
  ["image/png", /^\x89PNG\r\n/],
  ["image/jpeg", /^\xff\xd8\xff/],
  ["image/gif", /^GIF8[79]a/],
  ["image/webp", /^RIFF....WEBP/s],
  ["application/pdf", /^%PDF-/],
] as const;
