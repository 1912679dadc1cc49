// Reads one JSON file of settings: bounded, regular files only, and errors that never quote what stands in it.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

export type JsonFile =
  | { readonly is: "read"; readonly value: unknown }
  | { readonly is: "missing" }
  | { readonly is: "bad"; readonly why: string };

const MOST_BYTES = 1024 * 1024;

export function readJsonFile(path: string, options: { readonly follow: boolean }): JsonFile {
  let words: string | undefined;
  try {
    words = readText(path, options.follow);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { is: "missing" };
    if (code === "ELOOP") return { is: "bad", why: "is a symbolic link, which is not followed here" };
    if (code === "EACCES" || code === "EPERM") return { is: "bad", why: "cannot be read: permission denied" };
    return { is: "bad", why: `cannot be read (${code ?? (error as Error).message})` };
  }
  if (words === undefined) return { is: "bad", why: "is not a file, or larger than 1 MB" };
  try {
    return { is: "read", value: JSON.parse(words.replace(/^\ufeff/, "")) };
  } catch (error) {
    const place = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0] ?? "";
    return { is: "bad", why: `is not JSON ${place}`.trimEnd() };
  }
}

function readText(path: string, follow: boolean): string | undefined {
  // Not waiting for the other end of a pipe.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW));
  try {
    if (!fstatSync(fd).isFile()) return undefined;
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    let length = 0;
    for (let n = 1; n > 0 && length < bytes.length; length += n)
      n = readSync(fd, bytes, length, bytes.length - length, null);
    return length > MOST_BYTES ? undefined : bytes.toString("utf8", 0, length);
  } finally {
    closeSync(fd);
  }
}
