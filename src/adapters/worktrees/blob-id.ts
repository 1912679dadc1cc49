// The name that git gives to bytes, in the format that a commit of the repository has.
import { createHash } from "node:crypto";

export const blobId = (commit: string, bytes: Uint8Array): string =>
  createHash(commit.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
