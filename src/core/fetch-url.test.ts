import { expect, test } from "vitest";
import { fetchUrl } from "./fetch-url.ts";

test.each([
  ["http://example.com./a", "example.com"],
  ["http://EXAMPLE.com", "example.com"],
  ["http://bücher.example/", "xn--bcher-kva.example"],
  ["http://0x7f.1/", "127.0.0.1"],
  ["http://2130706433/", "127.0.0.1"],
  ["http://0177.0.0.1/", "127.0.0.1"],
  ["http://127。0。0。1/", "127.0.0.1"],
  ["http://%31%32%37.0.0.1/", "127.0.0.1"],
  ["http://127.0.0.1./", "127.0.0.1"],
  ["http://[::1]/", "[::1]"],
  ["http://evil.com\\@good.com/", "evil.com"],
  ["http://good.com@evil.com/", "evil.com"],
])("I05: %s is judged as %s", (text, host) => {
  expect(fetchUrl(text)?.hostname).toBe(host);
});

test.each([
  "http://*.com/",
  "http://*/",
  "http://a.*.com/",
  "http://a..b/",
  "http://.a/",
  "http://a../",
  "http://-a.com/",
  "http://[fe80::1%25eth0]/",
  "http://a,b/",
  "http://a(b)/",
  "http://!/",
  "file:///etc/passwd",
  "ftp://a/",
  "http://",
  "x",
])("I05: %s is no URL to fetch: no rule that it makes could mean more than one host", (text) => {
  expect(fetchUrl(text)).toBeUndefined();
});
