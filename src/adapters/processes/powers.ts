// What root keeps of its powers in an agent's command: what installing and building take, and nothing that undoes a mount,
// reads another's memory or reaches a disk around its files.

/** Names without their CAP_. */
const NEVER = [
  "SYS_ADMIN",
  "SYS_PTRACE",
  "SYS_MODULE",
  "SYS_RAWIO",
  "SYS_BOOT",
  "DAC_READ_SEARCH",
  "MKNOD",
  "MAC_ADMIN",
  "MAC_OVERRIDE",
  "BPF",
  "PERFMON",
  "CHECKPOINT_RESTORE",
] as const;

/** A network of its own is not to be joined to others. */
const NEVER_CONFINED = [...NEVER, "NET_ADMIN"] as const;

export const droppedPowers = (isConfined: boolean): readonly string[] => (isConfined ? NEVER_CONFINED : NEVER);
