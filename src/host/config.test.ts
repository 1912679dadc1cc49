import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { ruleText } from "../core/rules.ts";
import { actingFiles } from "./config/acting-files.ts";
import { tempDir } from "../testing/memory/temp-dir.ts";
import { Config, readConfig, readProjectConfig, settingsOf } from "./config.ts";

test("the shipped JSON schema is made from the schema that is checked (vitest -u writes it anew)", async () => {
  const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", ...Config };
  const text = await format(JSON.stringify(schema), { parser: "json", printWidth: 120 });
  await expect(text).toMatchFileSnapshot("../../schema/config.schema.json");
});

const projectConfig = (root: string) => readProjectConfig(root, actingFiles(root, root));

describe("a configuration that is wrong is told in one line that names the file and the key", () => {
  test.each([
    [{ modle: "x" }, 'there is no key "modle"; did you mean "model"?'],
    [{ zzz: 1 }, 'there is no key "zzz"; known are'],
    [{ providers: { x: { api: "openai", baseurl: "" } } }, 'no key "providers.x.baseurl"; did you mean "baseUrl"?'],
    [
      { providers: { x: { api: "opnai" } } },
      'providers.x.api is one of anthropic, openai, openai-chat, google; got "opnai"',
    ],
    [{ providers: { x: {} } }, 'providers.x needs "api"'],
    [{ model: 3 }, "model must be a text; got 3"],
    [{ limits: { maxTurns: "5" } }, 'limits.maxTurns must be a whole number; got "5"'],
    [{ limits: { maxTurns: 0 } }, "limits.maxTurns must be >= 1; got 0"],
    [{ retention: { days: 0 } }, "retention.days must be > 0; got 0"],
    [{ mode: "yollo" }, "mode is one of human, confirm, yolo"],
    [{ permissions: { allow: ["Bash("] } }, 'permissions.allow has the rule "Bash("'],
    [{ permissions: { deny: [3] } }, "permissions.deny.0 must be a text"],
    [[], "it must be an object; got a list"],
    ["{", "is not JSON"],
    ['{"model": "sk-secret-in-here', "is not JSON (line 1"],
  ])("%j", async (value, message) => {
    await using dir = await tempDir();
    const file = dir.join("c.json");
    writeFileSync(file, typeof value === "string" ? value : JSON.stringify(value));
    let said = "";
    try {
      readConfig({}, file);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain(message);
    expect(said).toContain(file);
    expect(said).not.toContain("\n");
    expect(said).not.toContain("sk-secret");
  });

  test("what is no file at all does not hang", async () => {
    await using dir = await tempDir();
    for (const path of [dir.path, "/dev/zero"]) expect(() => readConfig({}, path)).toThrow(/is not a file/);
    expect(() => readConfig({}, dir.join("none"))).toThrow(/there is no such file/);
    expect(() => readConfig({ SOUS_CONFIG: dir.join("none") }, undefined)).toThrow(/there is no such file/);
    expect(readConfig({ HOME: dir.path }, undefined)).toEqual({});
  });
});

describe("a project's configuration", () => {
  const write = (root: string, value: unknown): void => {
    mkdirSync(join(root, ".sous"), { recursive: true });
    writeFileSync(join(root, ".sous", "config.json"), JSON.stringify(value));
  };

  test.each([
    [{ providers: {} }, '"providers" counts only in your own configuration'],
    [{ retention: {} }, '"retention" counts only in your own configuration'],
    [{ mode: "yolo" }, "mode yolo is yours to say"],
    [{ modl: "x" }, 'did you mean "model"?'],
  ])("may not say %j", async (value, message) => {
    await using dir = await tempDir();
    write(dir.path, value);
    expect(() => projectConfig(dir.path)).toThrow(message);
  });

  test("P.F04: is refused when it is a link, or its folder is one", async () => {
    await using dir = await tempDir();
    write(dir.join("real"), { model: "x" });
    mkdirSync(dir.join("a"));
    symlinkSync(dir.join("real", ".sous"), dir.join("a", ".sous"));
    mkdirSync(dir.join("b", ".sous"), { recursive: true });
    symlinkSync(dir.join("real", ".sous", "config.json"), dir.join("b", ".sous", "config.json"));
    for (const root of ["a", "b"]) expect(() => projectConfig(dir.join(root))).toThrow(/symbolic link/);
    expect(projectConfig(dir.join("real"))).toEqual({ model: "x" });
  });

  test("goes over the person's own, variables over both, and rules add up", () => {
    const own: Config = {
      model: "own",
      mode: "yolo",
      limits: { maxTurns: 5, retries: 1 },
      permissions: { deny: ["Bash"] },
    };
    const project = {
      model: "project",
      limits: { maxTurns: 9 },
      permissions: { deny: ["Edit(src/**)"], allow: ["Read"] },
    };
    const settings = settingsOf(own, project, {});
    expect(settings).toMatchObject({ model: "project", mode: "yolo", limits: { maxTurns: 9, retries: 1 } });
    expect(settings.rules.deny.map(ruleText)).toEqual(["Bash", "Edit(src/**)"]);
    expect(settings.rules.allow.map(ruleText)).toEqual(["Read"]);
    expect(settingsOf(own, project, { SOUS_MODEL: "env", SOUS_MODE: "human" })).toMatchObject({
      model: "env",
      mode: "human",
    });
    expect(() => settingsOf({}, {}, { SOUS_MODE: "fast" })).toThrow(/SOUS_MODE is one of human, confirm, yolo/);
  });
});

test("a file that may not be read is told as that", async () => {
  await using dir = await tempDir();
  const file = dir.join("c.json");
  writeFileSync(file, "{}");
  chmodSync(file, 0o000);
  // The superuser may read everything, so for a moment this process is somebody else.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(() => readConfig({}, file)).toThrow(/permission denied/);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});
