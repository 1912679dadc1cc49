// Where settings and sessions go when the usual places cannot be used: one line that says what to do, at once.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolders } from "../src/adapters/folders/make-folders.ts";
import { configFolder } from "../src/host/config/places.ts";
import { stateDirOf } from "../src/host/state-dir.ts";
import { withHome } from "../src/host/with-home.ts";
import { world } from "./e2e-kit.ts";

describe("without HOME", () => {
  test("the home of the passwd entry is used, for state and for settings", () => {
    const { homedir } = userInfo();
    expect(withHome({ A: "1" })).toEqual({ A: "1", HOME: homedir });
    expect(withHome({ HOME: "/given" })).toEqual({ HOME: "/given" });
    expect(stateDirOf({})).toBe(join(homedir, ".local/state/sous"));
    expect(configFolder({ HOME: "" })).toBe(join(homedir, ".config/sous"));
  });

  test("a home that is the root of the disk is none: one line says what to set", async () => {
    expect(() => stateDirOf({ HOME: "/" })).toThrow(/set HOME, or SOUS_STATE_DIR/);
    expect(stateDirOf({ HOME: "/", SOUS_STATE_DIR: "/x" })).toBe("/x");
    await using w = await world([]);
    const env = { HOME: "/", SOUS_STATE_DIR: undefined, XDG_STATE_HOME: undefined };
    expect(await w.sous(["run", "-m", "offline", "hi"], { env })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "sous: there is no home folder to keep sessions in: set HOME, or SOUS_STATE_DIR to a folder for them\n",
    });
  });
});

describe("a place where nothing can be made", () => {
  const nowhere = { HOME: "/proc", XDG_CONFIG_HOME: undefined, XDG_CACHE_HOME: undefined, XDG_STATE_HOME: undefined };
  const bare = { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, GEMINI_API_KEY: undefined };

  test("ends a run at once with a line that says what to set", async () => {
    await using w = await world([]);
    const said = "cannot be made: set SOUS_STATE_DIR, or HOME, to a folder that can be written\n";
    const home = await w.sous(["run", "-m", "offline", "hi"], { env: { ...nowhere, SOUS_STATE_DIR: undefined } });
    expect(home).toMatchObject({ code: 1, stdout: "", timedOut: false });
    expect(home.stderr).toBe(`sous: /proc/.local/state/sous ${said}`);
    const state = await w.sous(["run", "-m", "offline", "hi"], { env: { SOUS_STATE_DIR: "/proc/x" } });
    expect(state.stderr).toBe(`sous: /proc/x ${said}`);
  });

  test("is named by setup and trust, with the folder and what to set; a run with state elsewhere works", async () => {
    await using w = await world([]);
    const env = { ...bare, ...nowhere };
    const setup = await w.sous(["setup", "anthropic", "--stdin"], { env, stdin: "sk-ant-123456789" });
    expect(setup).toMatchObject({ code: 1, stdout: "" });
    expect(setup.stderr).toBe(
      "sous: /proc/.config/sous/keys.json cannot be written (its folder cannot be made): make /proc/.config/sous writable, or set HOME or XDG_CONFIG_HOME to a folder that is\n",
    );
    const trust = await w.sous(["trust"], { env: { SOUS_STATE_DIR: "/proc/x" } });
    expect(trust.stderr).toMatch(
      /^sous: \/proc\/x\/trust\/\w+\.json cannot be written \(.*\): .* set HOME or SOUS_STATE_DIR .*\n$/,
    );
    expect(await w.sous(["run", "-m", "offline", "list TODOs"], { env })).toMatchObject({ code: 0, timedOut: false });
  });

  test("folders are made with those above them, and the first one is told", () => {
    const dir = mkdtempSync(join(tmpdir(), "folders-"));
    expect(makeFolders(join(dir, "a/b/c"), 0o700)).toBe(join(dir, "a"));
    expect(makeFolders(join(dir, "a/b/c"), 0o700)).toBeUndefined();
    expect(statSync(join(dir, "a/b/c")).isDirectory()).toBe(true);
    expect(() => makeFolders("/proc/none/below", 0o700)).toThrow(/ENOENT/);
    rmSync(dir, { recursive: true });
  });
});
