// The system's errors in words that follow a path.
const words: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "is below something that is not a folder",
  EACCES: "may not be touched (permission denied)",
  EPERM: "may not be touched (permission denied)",
  EROFS: "is on a read-only file system",
  ELOOP: "is a loop of links",
  ENAMETOOLONG: "has too long a name",
  ENXIO: "is not a regular file",
  EMOVED: "was moved meanwhile",
  EISDIR: "is a folder, not a file",
  ENOSPC: "cannot be written: no space is left on the disk; nothing was changed",
  EDQUOT: "cannot be written: the disk quota is used up; nothing was changed",
  EFBIG: "cannot be written: it would be larger than files may be here; nothing was changed",
};

export function fileProblem(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ERR_INVALID_ARG_VALUE") return "is not a possible path";
  return words[code ?? ""] ?? `cannot be used: ${message}`;
}
