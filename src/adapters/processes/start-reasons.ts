// Why a process could not be started, in words that name what is to be changed.

export const startReasons: Readonly<Record<string, string>> = {
  E2BIG: "it is too long (128 KiB is the most for one command); write it to a file and run that.",
  EAGAIN: "the limit of processes is reached (ulimit -u, or the container's).",
  ENOMEM: "there is no memory left for another process.",
  EMFILE: "the limit of open files is reached (ulimit -n).",
  ENFILE: "the system's limit of open files is reached.",
  EACCES: "its working folder may not be entered.",
};

const SAID: Readonly<Record<string, string>> = {
  "Resource temporarily unavailable": "EAGAIN",
  "Cannot allocate memory": "ENOMEM",
  "Too many open files in system": "ENFILE",
  "Too many open files": "EMFILE",
};

/** The limit that a program met which was to start another, by what it said; it would work with more room. */
export function limitIn(said: string): string | undefined {
  const met = Object.keys(SAID).find((words) => said.includes(words));
  return met === undefined ? undefined : startReasons[SAID[met] ?? ""];
}
