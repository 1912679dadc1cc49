// Addresses that lead into this machine or its own network, in every form they can be written.
import { BlockList, isIP } from "node:net";

export function createAddressCheck(): (address: string) => boolean {
  const blocked = new BlockList();
  for (const [net, bits] of V4) blocked.addSubnet(net, bits, "ipv4");
  for (const [net, bits] of V6) blocked.addSubnet(net, bits, "ipv6");
  return (address) => {
    const kind = isIP(address);
    // What is no address at all cannot be judged.
    if (kind === 0) return true;
    // BlockList sees through ::ffff:a.b.c.d by itself.
    return blocked.check(address, kind === 4 ? "ipv4" : "ipv6");
  };
}

const V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

// The last four carry an IPv4 address inside, or lead nowhere public.
const V6 = [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
  ["2001:db8::", 32],
  ["100::", 64],
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
] as const;
