// The URL of a page as it is judged and as it is asked for: one reading, by which odd ways to write a host come to the host
// that they mean, and hosts that no name or address has are none. Pure.

/** undefined where nothing can be fetched by it. */
export function fetchUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  // The same host by its full name: rules and lists mean it, too.
  url.hostname = url.hostname.replace(/\.$/, "");
  return HOST.test(url.hostname) ? url : undefined;
}

/** A pattern such as `*.com` is a host for nobody, and would be a rule for many. */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*)$/;
