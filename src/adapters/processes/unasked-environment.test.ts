import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProcesses } from "./create-processes.ts";
import { unaskedEnvironment } from "./unasked-environment.ts";

test("P.B11: for a command that nobody was asked for, PATH has no relative folder and none that leads into a workspace", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sous-path-")));
  try {
    for (const name of ["work", "work/bin", "other"]) mkdirSync(join(folder, name));
    symlinkSync(join(folder, "work", "bin"), join(folder, "link"));
    const path = [
      ".",
      "",
      "bin",
      join(folder, "work/bin"),
      join(folder, "link"),
      join(folder, "other"),
      "/usr/bin",
      "/gone",
    ];
    const { PATH = "", ...others } = unaskedEnvironment(
      { PATH: path.join(":"), BASH_ENV: "x", "BASH_FUNC_cat%%": "() { evil; }", RIPGREP_CONFIG_PATH: "rc", LANG: "C" },
      [join(folder, "work")],
    );
    const folders = PATH.split(":");
    expect(folders.filter((one) => one.startsWith(folder) || !one.startsWith("/"))).toEqual([join(folder, "other")]);
    expect(folders.indexOf("/usr/bin")).toBeLessThan(folders.indexOf(join(folder, "other")));
    expect(others).toEqual({ LANG: "C" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("P.B11, P.X01: a command that nobody was asked for has no variable but those that programs need", () => {
  const needed = {
    HOME: "/h",
    LANG: "C",
    LC_ALL: "C",
    TERM: "x",
    TZ: "UTC",
    TMPDIR: "/t",
    SOUS_RUN: "r",
    GIT_DIR: "/g",
  };
  const others = ["MY_SECRET", "AWS_PROFILE", "BASH_ENV", "LESSOPEN", "LD_PRELOAD", "PS4", "GIT_SSH_COMMAND", "f", "x"];
  const given = { ...needed, PATH: "/usr/bin", ...Object.fromEntries(others.map((name) => [name, "hunter2"])) };
  const { PATH: _path, ...left } = unaskedEnvironment(given, []);
  expect(left).toEqual(needed);
});

test("P.B11: a program of a workspace that stands first on PATH is not what runs unasked", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sous-path-")));
  const processes = createProcesses({ runMarker: "test", secretNames: [] });
  try {
    writeFileSync(join(folder, "cat"), "#!/bin/sh\necho from the workspace\n", { mode: 0o755 });
    writeFileSync(join(folder, "a.txt"), "from the file\n");
    const env = { PATH: `${folder}:.:/usr/bin:/bin` };
    const spec = { command: "'cat' 'a.txt'", cwd: folder, env, timeoutMs: 10_000 };
    const said = async (unasked: boolean): Promise<string> => {
      let text = "";
      const more = unasked ? { unasked: { readable: [folder] } } : {};
      await processes.run({ ...spec, ...more }, (chunk) => (text += chunk.toString()), new AbortController().signal);
      return text.trim();
    };
    expect(await said(false)).toBe("from the workspace");
    expect(await said(true)).toBe("from the file");
  } finally {
    processes.close();
    rmSync(folder, { recursive: true });
  }
});
