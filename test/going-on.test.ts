// Going on with a session from outside: what the person gave with it holds, damage and odd folders do not hide it.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls, says } from "../src/testing/wire-server/script.ts";
import { journal, lines, resultIn, sousArgv, world, type World } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x"];
type Row = { id: string; status: string; children: number };
const rows = async (w: World): Promise<Row[]> => JSON.parse((await w.sous(["sessions", "--json"])).stdout) as Row[];

/** Rewrites a session's journal, as if the disk or a crash had left it so. */
function rewrite(w: World, session: string, change: (records: string[]) => string[]): void {
  const folder = join(w.stateDir, "trees", session);
  const file = join(folder, "journal.jsonl");
  writeFileSync(
    file,
    change(lines(readFileSync(file, "utf8")))
      .map((line) => `${line}\n`)
      .join(""),
  );
  rmSync(join(folder, "sessions"), { recursive: true });
}

describe("what the person gave with a session holds when it goes on", () => {
  test("a denied command stays denied, also in yolo, and a folder that was added stays added", async () => {
    const touch = calls("Bash", { command: "touch evil" });
    await using more = await world([]);
    writeFileSync(more.dir.join("a.txt"), "alpha\n");
    const read = calls("Read", { file_path: more.dir.join("a.txt") });
    await using w = await world([touch, says("one"), touch, read, says("two")]);
    await w.sous([...yolo, "--deny", "Bash(touch:*)", "--add-dir", more.dir.path, "q"]);
    expect((await w.sous(["run", "--continue", "again"])).stdout).toBe("two\n");
    expect(existsSync(w.dir.join("evil"))).toBe(false);
    expect(JSON.stringify(w.server.requests.at(-1)?.body)).toContain("alpha");
    w.server.finish();
  });

  test("the model it was last given stays", async () => {
    await using w = await world([says("one"), says("two"), says("three")]);
    await w.sous([...yolo, "q"]);
    await w.sous(["run", "--continue", "--model", "openai/y", "q"]);
    const third = await w.sous(["run", "--continue", "-o", "json", "q"]);
    expect(resultIn(third.stdout), third.stderr).toMatchObject({ output: "three", model: "openai/y" });
  });
});

describe("P.D05: one damaged record", () => {
  test.each([
    ["assistant.replied", "usage"],
    ["assistant.replied", "content"],
    ["turn.started", "turn"],
    ["input.admitted", "content"],
    ["run.started", "limits"],
  ])("a record %s without its %s costs that record and nothing else", async (type, name) => {
    await using w = await world([says("one"), says("two"), says("three"), says("four")]);
    const first = resultIn((await w.sous([...yolo, "-o", "json", "q"])).stdout).session;
    const second = resultIn((await w.sous([...yolo, "-o", "json", "q"])).stdout).session;
    rewrite(w, first, (records) =>
      records.slice(0, -1).map((line) => (line.includes(`"${type}"`) ? line.replace(`"${name}"`, `"${name}x"`) : line)),
    );
    expect((await rows(w)).map(({ id, status }) => [id, status])).toEqual([
      [second, "succeeded"],
      [first, "interrupted"],
    ]);
    expect((await w.sous(["run", "--continue", "x"])).stdout).toBe("three\n");
    const resumed = await w.sous(["run", "--resume", first, "x"]);
    expect(resumed.stderr).toMatch(new RegExp(`journal.jsonl line \\d+: record \\d+ \\(${type}\\).*skipped`));
    expect(resumed.stdout).toBe("four\n");
  });

  test("a session whose opening is damaged is listed as damaged beside the others", async () => {
    await using w = await world([says("one"), says("two")]);
    const first = resultIn((await w.sous([...yolo, "-o", "json", "q"])).stdout).session;
    const second = resultIn((await w.sous([...yolo, "-o", "json", "q"])).stdout).session;
    rewrite(w, first, (records) => records.map((line) => line.replace('"permissions"', '"permissionx"')));
    expect((await rows(w)).map(({ id, status }) => [id, status])).toEqual([
      [second, "succeeded"],
      [first, "damaged"],
    ]);
    const shown = await w.sous(["sessions", "show", first]);
    expect(shown.stdout).toContain("one");
    expect(shown.stderr).toMatch(/damaged: journal\.jsonl line 1: record 1 \(session\.opened\)/);
  });
});

describe("P.X02: a key that is known", () => {
  const key = "sk-ant-canary-77aa01bc";
  const env = { ANTHROPIC_API_KEY: key };
  const secret = calls("Bash", { command: `echo ${key} >> ledger` });

  test("and is an ordinary word leaves the session as it is", async () => {
    await using w = await world([says("one anthropic"), says("two")]);
    const plainWord = { ANTHROPIC_API_KEY: "anthropic" };
    expect((await w.sous([...yolo, "q"], { env: plainWord })).stdout).toBe("one [masked ANTHROPIC_API_KEY]\n");
    expect(journal(w.stateDir)[0]).toMatchObject({ model: "anthropic/x" });
    const again = await w.sous(["run", "--continue", "more"], { env: plainWord });
    expect(again).toMatchObject({ stdout: "two\n", stderr: "", code: 0 });
  });

  test("in a call that was not begun before a crash: the call is not run with a mask in it", async () => {
    await using w = await world([secret, says("one"), says("I see.")]);
    const { session } = resultIn((await w.sous([...yolo, "-o", "json", "q"], { env })).stdout);
    rewrite(w, session, (records) =>
      records.slice(
        0,
        records.findIndex((line) => line.includes('"tool.started"')),
      ),
    );
    rmSync(w.dir.join("ledger"));
    expect((await w.sous(["run", "--resume", session], { env })).stdout).toBe("I see.\n");
    expect(existsSync(w.dir.join("ledger"))).toBe(false);
    expect(JSON.stringify(w.server.requests.at(-1)?.body)).toContain("a secret in it was masked");
  });

  test("P.D02: in a call of unknown outcome: the same call again, with the key, is not run unasked", async () => {
    const described = calls("Bash", { command: `echo ${key} >> ledger`, description: "Once more" });
    await using w = await world([secret, says("one"), described, says("I asked.")]);
    const { session } = resultIn((await w.sous([...yolo, "-o", "json", "q"], { env })).stdout);
    rewrite(w, session, (records) =>
      records.slice(
        0,
        records.findIndex((line) => line.includes('"tool.ended"')),
      ),
    );
    rmSync(w.dir.join("ledger"));
    expect((await w.sous(["run", "--resume", session], { env })).stdout).toBe("I asked.\n");
    expect(existsSync(w.dir.join("ledger"))).toBe(false);
    expect(JSON.stringify(w.server.requests.at(-1)?.body)).toContain("may already have had its effect");
  });
});

describe("folders and sizes", () => {
  test("a folder to add that does not exist is refused before a session is made", async () => {
    await using w = await world([]);
    const ran = await w.sous([...yolo, "--add-dir", "/no/such/folder", "q"]);
    expect(ran).toMatchObject({ code: 2, stderr: "sous: the folder /no/such/folder does not exist\n" });
    expect(await rows(w)).toEqual([]);
  });

  test("--continue finds the session of a folder through a link to it", async () => {
    await using w = await world([says("one"), says("two")]);
    await w.sous([...yolo, "q"]);
    symlinkSync(w.dir.path, w.dir.join("link"));
    const ran = await w.sous(["run", "--cwd", w.dir.join("link"), "--continue", "more"]);
    expect(ran, ran.stderr).toMatchObject({ stdout: "two\n", code: 0 });
  });

  test("a prompt that no model takes is refused in one line, and no session is made", async () => {
    await using w = await world([]);
    writeFileSync(w.dir.join("big"), "a".repeat(60_000_000));
    const [command = "", ...words] = sousArgv(...yolo, "-");
    const big = openSync(w.dir.join("big"), "r");
    const ran = spawnSync(command, words, {
      cwd: w.dir.path,
      env: { ...process.env, ...w.env },
      stdio: [big, "pipe", "pipe"],
    });
    closeSync(big);
    expect(ran.stderr.toString()).toMatch(/^sous: the prompt on standard input is over 8 MB.*\n$/);
    expect(ran.status).toBe(2);
    expect(existsSync(join(w.stateDir, "trees"))).toBe(false);
  });

  test("the list counts the children of a session", async () => {
    const ask = calls("spawn_subagent", { prompt: "CHILDTASK" });
    await using w = await world({
      conversations: { LEADTASK: [ask, says("done")], CHILDTASK: [says("child done")] },
    });
    const ran = await w.sous([...yolo, "LEADTASK"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(await rows(w)).toMatchObject([{ status: "succeeded", children: 1 }]);
    expect(readdirSync(join(w.stateDir, "trees"))).toHaveLength(1);
  });
});
