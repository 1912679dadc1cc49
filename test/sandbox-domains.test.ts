// Agents in a sandbox that may reach some domains, through the built command.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../src/adapters/processes/find-program.ts";
import { needs } from "../src/adapters/processes/processes-test-kit.ts";
import { call, callsAll, says } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import { agent, project, spawn, toolResults, yolo } from "./workspace-kit.ts";

/** Asks the proxy of its sandbox, as any program would; the answer's first line. */
const asks = (url: string): string =>
  `exec 5<>/dev/tcp/127.0.0.1/\${HTTP_PROXY##*:}; printf 'GET ${url} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' >&5; head -n 1 <&5`;

test("D3, P.Z04: the domains of its definition are all that an agent in a sandbox and those below it reach", async (it) => {
  await needs(it, "bubblewrap");
  it.skip(!findProgram("socat"), "needs socat");
  const scripts: Record<string, Step[]> = {};
  await using w = await project(scripts);
  const { port } = new URL(w.env["ANTHROPIC_BASE_URL"] ?? "");
  const probes = [
    call("Bash", { command: asks(`http://localhost:${port}/nothing`) }),
    call("Bash", { command: asks("http://example.com/") }),
    call("Bash", { command: `echo x > ${join(w.top, "a.txt")}` }),
  ];
  scripts["work below"] = [callsAll(...probes), says("done")];
  scripts["work with some"] = [
    callsAll(...probes),
    callsAll(spawn("work below", { agent: "wider", isolation: "sandbox" })),
    says("done"),
  ];
  scripts["the lead"] = [
    callsAll(spawn("work with some", { agent: "some" }), spawn("work at all", { agent: "broken" })),
    says("ok"),
  ];
  agent(w, "some", `spawns: "*"\nworkspace: {isolation: sandbox, network: ["localhost:${port}"]}`);
  agent(w, "wider", "workspace: {isolation: sandbox, network: true}");
  agent(w, "broken", 'workspace: {isolation: sandbox, network: ["*.com"]}');
  const ran = await w.sous([...yolo, "--trust", "the lead"]);
  for (const path of ["ROOT::S1", "ROOT::S1::S1"]) {
    const [listed, other, written] = toolResults(w, path);
    expect(listed, `${path} ${ran.stderr}`).toMatch(/HTTP\/1.1 (?!403)\d+/);
    expect(other, path).toContain("HTTP/1.1 403");
    expect(written, path).toContain("Read-only file system");
  }
  expect(readFileSync(join(w.top, "a.txt"), "utf8")).toContain("1 a.txt");
  expect(toolResults(w, "ROOT").join("\n")).toContain(
    'the network of its workspace cannot be read: "*.com" is too wide',
  );
});
