// Says in one line that Node is too old, before something fails for want of it.
import { HostError } from "../host/host-error.ts";

const OLDEST = [22, 18] as const;

export function mustHaveNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  const error = new HostError(`sous needs Node ${OLDEST.join(".")} or newer, this is ${version}`, "failed");
  // Where it happened tells nothing here.
  error.stack = `${error.name}: ${error.message}`;
  throw error;
}
