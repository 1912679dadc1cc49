import { expect, test } from "vitest";
import { type Network, bothAllow, domainProblem } from "./domains.ts";

test("D3: a domain is a name, with a star for what is below it and with a port; what is wider or no name is told", () => {
  for (const good of ["localhost", "api.example.com", "*.example.com", "*.Example.com:443", "10.0.0.1:80", "x_y.dev"])
    expect(domainProblem(good), good).toBeUndefined();
  for (const bad of ["", "*", "*.com", "https://a.com", "a.com/x", "a..com", "-a.com", "a.com:0", "a.com:99999", "a b"])
    expect(domainProblem(bad), bad).toEqual(expect.stringContaining(`"${bad}"`));
  expect(domainProblem(7)).toBe("7 is no domain");
});

test.each<[Network, Network, Network]>([
  [true, false, false],
  [true, ["a.com"], ["a.com"]],
  [["a.com"], true, ["a.com"]],
  [["a.com"], false, false],
  [["a.com"], ["b.com"], false],
  [["*.a.com"], ["x.a.com", "b.com"], ["x.a.com"]],
  [["x.a.com"], ["*.a.com"], ["x.a.com"]],
  [["*.a.com"], ["a.com"], false],
  [["a.com"], ["a.com:443"], ["a.com:443"]],
  [["a.com:80"], ["a.com:443"], false],
  [["*.a.com"], ["*.x.a.com"], ["*.x.a.com"]],
  [["evila.com"], ["*.a.com"], false],
])("D3: what %j and %j both allow is %j", (one, other, both) => {
  expect(bothAllow(one, other)).toEqual(both);
});
