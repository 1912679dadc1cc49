// What can go wrong below HTTP, as faults: no connection, a cut, a redirect, a body over the limit.
import type { Fault } from "../../core/model-fault.ts";
import { oneLine } from "./one-line.ts";

export function networkFault(error: NodeJS.ErrnoException, url: URL): Fault {
  const what = said[error.code ?? ""] ?? `the connection failed: ${oneLine(error.message)}`;
  const code = error.code && said[error.code] ? ` (${error.code})` : "";
  return {
    code: "network",
    message: `${url.host}: ${what}${code}`,
    remedy: "check the network, HTTPS_PROXY and the provider's base URL, then try again",
  };
}

const said: Record<string, string | undefined> = {
  ECONNREFUSED: "nothing listens at this address",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host name could not be looked up",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was closed while sending",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
};

export function redirectFault(status: number, location: string | undefined, from: URL): Fault {
  return {
    code: "redirect",
    status,
    message: `${from.host} answered ${status}: redirect to ${target(location, from)}, which is not followed with a key`,
    remedy: "set the provider's base URL to the final address",
  };
}

function target(location: string | undefined, from: URL): string {
  if (!location || !URL.canParse(location, from.href)) return "an unknown place";
  return oneLine(new URL(location, from).origin);
}

export function tooLargeFault(size: number, limit: number): Fault {
  const mb = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  return {
    code: "too-large",
    message: `the request is ${mb(size)} MB, over the provider's limit of ${mb(limit)} MB`,
    remedy: "send less: fewer or smaller images and files, or start a new session",
  };
}
