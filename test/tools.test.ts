// The tools through the built command: a search that finds, a run that is taken back, a command that does not stay.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { call, calls, callsAll, says } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { durableOf, processesWith, resultIn, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x", "--output", "json"];

describe("tools of the built command", () => {
  test("search, read and edit; the receipt names the file, and one command takes it all back", async () => {
    await using w = await world([
      callsAll(
        call("Grep", { pattern: "needle", output_mode: "content" }),
        call("Glob", { pattern: "work/**" }),
        call("Read", { file_path: "work/a.txt" }),
      ),
      callsAll(
        call("Edit", { file_path: "work/a.txt", old_string: "needle", new_string: "pin" }),
        call("Write", { file_path: "work/new/b.txt", content: "b" }),
      ),
      says("done"),
    ]);
    mkdirSync(w.dir.join("work"));
    writeFileSync(w.dir.join("work", "a.txt"), "hay\nneedle\n");
    const { stdout, stderr } = await w.sous([...yolo, "go"]);
    expect(resultIn(stdout), stderr).toMatchObject({
      status: "succeeded",
      receipt: {
        files: [{ path: w.dir.join("work/a.txt"), change: "changed", added: 1, removed: 1 }, { change: "created" }],
      },
    });
    expect(JSON.stringify(w.server.requests.at(-2))).toContain("work/a.txt:2:needle");
    expect(readFileSync(w.dir.join("work", "a.txt"), "utf8")).toBe("hay\npin\n");
    expect(await w.sous(["changes", "revert", "last", "--yes"])).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(w.dir.join("work", "a.txt"), "utf8")).toBe("hay\nneedle\n");
    expect((await w.sous(["changes", "show", "last"])).stdout).toContain("changed no files");
  });

  test("what asks is refused when nobody is there, with the rule that would allow it", async () => {
    await using w = await world([
      callsAll(
        call("Write", { file_path: "a.txt", content: "x" }),
        call("WebFetch", { url: "http://example.com/" }),
        call("LS", { path: "." }),
        call("Glob", { pattern: "/etc/*" }),
      ),
      says("done"),
    ]);
    const { stdout } = await w.sous(["run", "--model", "anthropic/x", "--output", "jsonl", "go"]);
    const told = durableOf(stdout).flatMap((event) =>
      event.type === "tool.ended" ? [JSON.stringify(event.outcome)] : [],
    );
    expect(told).toHaveLength(4);
    expect(told.some((one) => /WebFetch\(domain:example\.com\) would allow it/.test(one))).toBe(true);
    expect(told.some((one) => /Write\(.*a\.txt\) would allow it/.test(one))).toBe(true);
    expect(told.some((one) => /etc is outside the workspace/.test(one))).toBe(true);
    expect(told.filter((one) => one.includes('"ok":true'))).toHaveLength(1);
  });

  test("a private host is fetched only by a rule that names it", async () => {
    const script = (url: string) => [calls("WebFetch", { url }), says("done")];
    await using site = await world([]);
    const url = `${site.server.url}/page`;
    const ran = async (...flags: string[]) => {
      await using w = await world(script(url));
      const { stdout } = await w.sous([...yolo.slice(0, -1), "jsonl", ...flags, "go"]);
      return durableOf(stdout)
        .flatMap((event) => (event.type === "tool.ended" ? [JSON.stringify(event.outcome)] : []))
        .join();
    };
    expect(await ran()).toMatch(/private address/);
    expect(await ran("--allow", `WebFetch(domain:${new URL(url).hostname})`)).not.toMatch(/private address/);
  });

  test("P.P03: a background command does not outlive its run", async () => {
    const marker = String(5_000 + Math.random());
    await using w = await world([
      calls("Bash", { command: `setsid sleep ${marker} & sleep ${marker}`, run_in_background: true }),
      calls("Bash", { command: "sleep 0.3; echo ok" }),
      says("done"),
    ]);
    const running = w.sous([...yolo, "go"]);
    await waitFor(() => processesWith(`sleep\u0000${marker}`).length > 0, 10_000);
    expect(resultIn((await running).stdout).status).toBe("succeeded");
    expect(processesWith(`sleep\u0000${marker}`)).toEqual([]);
  });
});
