// The devices that a command finds beside the plain ones: what people compute, build and flash with. Not terminals and
// keyboards, by which it would type for a person, and not disks, by which root would go around what is read-only.
import { readdirSync } from "node:fs";

const USEFUL =
  /^(shm|mqueue|hugepages|fuse|kvm|kfd|accel|dri|snd|net|bus|vfio|dma_heap|udmabuf|vhost-.*|nvidia.*|video\d+|media\d+|v4l|tty(USB|ACM)\d+)$/;

export function usefulDevices(): string[] {
  try {
    return readdirSync("/dev")
      .filter((name) => USEFUL.test(name))
      .map((name) => `/dev/${name}`);
  } catch {
    return [];
  }
}
