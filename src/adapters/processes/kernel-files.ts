// Files by which root gives orders to the kernel: which program it starts when another crashes, which modules it loads,
// when it restarts. They are guarded by their owner alone, not by the powers that a command has lost. They are read-only
// for root's commands. Others cannot write there, and a covered /proc would keep them from mounting one in a namespace of
// their own, as containers without root do.
import { readFileSync } from "node:fs";

const IN_PROC = ["sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "mtrr", "driver"];

const isRoot = (): boolean => process.getuid?.() === 0;

export const kernelFiles = (): readonly string[] => (isRoot() ? IN_PROC.map((name) => `/proc/${name}`) : []);

type KernelMount = {
  readonly path: string;
  /** As it is mounted, but for whether it can be written: in a user namespace these cannot be left out. */
  readonly flags: readonly string[];
};

/** /sys and what is mounted in it, the outermost first. */
export function kernelMounts(): readonly KernelMount[] {
  const mounts = isRoot() ? readOrNothing("/proc/self/mountinfo").split("\n") : [];
  return mounts.flatMap((line) => {
    const [, , , , path = "", options = ""] = line.split(" ");
    const flags = options.split(",").filter((flag) => flag !== "rw" && flag !== "ro");
    return path === "/sys" || path.startsWith("/sys/") ? [{ path, flags }] : [];
  });
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
