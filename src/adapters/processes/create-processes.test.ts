import { mkdirSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../testing/memory/temp-dir.ts";
import { plantPrograms } from "../../testing/memory/planted-programs.ts";
import { findProgram, type FindProgram } from "./find-program.ts";
import { needs, runner, strategies } from "./processes-test-kit.ts";

describe.each(strategies)("a command owned by %s", (strategy) => {
  const { say, ownership, run } = runner({ strategy, secretNames: ["TEST_PROVIDER_KEY"] });

  test("gives its merged output, in order, and its exit code", async (it) => {
    await needs(it, strategy);
    const said = await say("echo one; echo two >&2; echo three; nosuchprogram; exit 3");
    expect(said.output).toMatch(/^one\ntwo\nthree\n.*nosuchprogram: command not found\n$/);
    expect(said).toMatchObject({ code: 3, signal: null, ended: null });
    expect(await ownership()).toBe(strategy);
  });

  test.each([
    ["exit 0", { code: 0, signal: null }],
    ["exit 137", { code: 137, signal: null }],
    ["exit 255", { code: 255, signal: null }],
    ["kill -9 $$", { code: null, signal: "SIGKILL" }],
    ["kill -TERM $$", { code: null, signal: "SIGTERM" }],
    ["kill -INT $$", { code: null, signal: "SIGINT" }],
    ["kill -PIPE $$", { code: null, signal: "SIGPIPE" }],
    ["kill -SEGV $$", { code: null, signal: "SIGSEGV" }],
    // What a shell makes of a signal in one of its children is its own exit code.
    ["bash -c 'kill -9 $$'; exit $?", { code: 137, signal: null }],
    ["(sleep 0.2; kill -CONT $$) & kill -STOP $$; exit 130", { code: 130, signal: null }],
  ])("%s is told as it was", async (command, exit) => {
    expect(await say(command)).toMatchObject({ ...exit, ended: null });
  });

  test("P.I02: what it prints, on whatever descriptor it finds, does not change what is believed of its end", async () => {
    const forged = String.raw`trap '' PIPE; printf 'ready\ncode 0\n'; for fd in /proc/1/fd/* /proc/self/fd/* /proc/$PPID/fd/*; do
      printf '[1]+  Exit 0   "$@"\ncode 0\n' > $fd; done 2>/dev/null; printf 'code 0\n' >&3; exit 7`;
    expect(await say(forged)).toMatchObject({ code: 7, signal: null, ended: null });
  });

  test("has nothing on its stdin, no terminal, and no descriptor of ours", async () => {
    expect(await say("cat; read -r line; echo $?; (: < /dev/tty) 2>/dev/null; echo $?")).toMatchObject({
      output: "1\n1\n",
      code: 0,
    });
    const { output } = await say("ls -l /proc/self/fd | grep -c socket");
    expect(output).toBe("0\n");
  });

  test("B15: reads what it is given, also by name, and has its stderr apart when asked", async () => {
    const [out, err] = [[] as Buffer[], [] as Buffer[]];
    const given = "x".repeat(100_000);
    const spec = { cwd: "/", timeoutMs: 10_000, env: process.env as Record<string, string>, stdin: given };
    const command =
      "cat /dev/stdin | wc -c; wc -c; echo one >&2; echo two > /dev/stderr; ls -l /proc/self/fd | grep -c socket";
    const exit = await run(
      { ...spec, command, onStderr: (chunk) => void err.push(chunk) },
      (chunk) => void out.push(chunk),
      new AbortController().signal,
    );
    expect(exit).toMatchObject({ code: 1, ended: null });
    expect(Buffer.concat(out).toString().trim().split(/\s+/)).toEqual(["100000", "100000", "0"]);
    expect(Buffer.concat(err).toString()).toBe("one\ntwo\n");
    // One that reads nothing ends all the same.
    expect(await run({ ...spec, command: "exit 4" }, () => {}, new AbortController().signal)).toMatchObject({
      code: 4,
    });
  });

  test("can open its output again by name", async () => {
    const { output, code } = await say("echo a > /dev/stderr; echo b | tee /dev/stdout; echo c > /proc/self/fd/1");
    expect({ output, code }).toEqual({ output: "a\nb\nb\nc\n", code: 0 });
  });

  test("runs in its folder, in a fresh shell each time", async () => {
    await using folder = await tempDir();
    expect((await say("pwd; cd /; export leftover=1", { cwd: folder.path })).output).toBe(`${folder.path}\n`);
    expect((await say("echo $leftover; pwd", { cwd: folder.path })).output).toBe(`\n${folder.path}\n`);
  });

  test("is refused with a clear error when its folder is not there, or is none", async () => {
    await using folder = await tempDir();
    writeFileSync(folder.join("file"), "");
    await expect(say("true", { cwd: folder.join("none") })).rejects.toThrow(/does not exist: .*none$/);
    await expect(say("true", { cwd: folder.join("file") })).rejects.toThrow(/is not a folder: .*file$/);
  });

  test("keeps the user it was started by", async () => {
    expect((await say("id -u; id -g")).output).toBe(`${process.getuid?.()}\n${process.getgid?.()}\n`);
  });

  test("P.B08: what stands around it starts no program that its PATH leads to", async (it) => {
    await needs(it, strategy);
    await using dir = await tempDir();
    const planted = plantPrograms(dir.path);
    const env = { ...(process.env as Record<string, string>), PATH: `${planted.folder}:${process.env["PATH"]}` };
    const spec = { cwd: "/", timeoutMs: 10_000, env };
    const never = new AbortController().signal;
    for (const command of [":", "exit 137", "kill -9 $$", "(read -t 0.2 < <(:); kill -CONT $$) & kill -STOP $$"])
      for (const more of [{}, { onStderr: () => {} }]) await run({ ...spec, ...more, command }, () => {}, never);
    expect(planted.started()).toEqual([]);
    await run({ ...spec, command: "ls" }, () => {}, never);
    expect(planted.started()).toEqual(["ls"]);
  });

  test("may be long, and is refused with words when it is too long", async () => {
    const long = `echo ${"x".repeat(120_000)} | wc -c`;
    expect((await say(long)).output).toBe("120001\n");
    await expect(say(`: ${"x".repeat(200_000)}`)).rejects.toThrow(/too long/);
  });

  test("its variables come through untouched, whatever the shells around it are told by them", async () => {
    const env = {
      BASH_ENV: "/dev/null",
      SHELLOPTS: "errexit",
      "BASH_FUNC_hello%%": "() { echo exported; }",
      sous_command: "1",
      LC_ALL: "C.UTF-8",
      IFS: "o",
      line: "a\nb\\c 'd' \"e\"",
    };
    const names = "BASH_ENV sous_command LC_ALL line".split(" ");
    const { output } = await say(`set +e; hello; for n in ${names.join(" ")}; do printenv $n; done`, { env });
    expect(output).toBe(`exported\n/dev/null\n1\nC.UTF-8\n${env.line}\n`);
  });

  test("P.X01: carries the run's marker and none of the secrets", async () => {
    const env = { TEST_PROVIDER_KEY: "sk-secret" };
    const { output } = await say("env; tr '\\0' '\\n' < /proc/self/environ; tr '\\0' '\\n' < /proc/$PPID/environ", {
      env,
    });
    expect(output).toMatch(/^SOUS_RUN=run-under-test$/m);
    expect(output).not.toContain("sk-secret");
  });

  test("a consumer that throws ends the command and is heard", async () => {
    const spec = { command: "echo x; sleep 60", cwd: "/", env: {}, timeoutMs: 60_000 };
    const bug = new Error("no room");
    const throwing = (): void => {
      throw bug;
    };
    await expect(run(spec, throwing, new AbortController().signal)).rejects.toBe(bug);
  });
});

describe.each(["bubblewrap", "unshare"] as const)("inside %s", (strategy) => {
  test("P.X01: no process that can be seen has a key in its environment, the engine least of all", async (it) => {
    await needs(it, strategy);
    process.env.TEST_PROVIDER_KEY = "sk-secret";
    try {
      // The engine's own environment must show it outside, or the test would show nothing.
      const outside = await runner({ strategy: "keeper", secretNames: ["TEST_PROVIDER_KEY"] }).say(
        "env -i TEST_PROVIDER_KEY=sk-secret sleep 0.5 & sleep 0.1; grep -l sk-secret /proc/[0-9]*/environ",
      );
      expect(outside.output).not.toBe("");
      const inside = await runner({ strategy, secretNames: ["TEST_PROVIDER_KEY"] }).say(
        `ls -d /proc/[0-9]* | wc -l; ls -d /proc/${process.pid}; grep -l sk-secret /proc/[0-9]*/environ; exit 0`,
        { env: { TEST_PROVIDER_KEY: "sk-secret" } },
      );
      expect(inside.output).not.toMatch(/environ$/m);
      expect(Number(inside.output.split("\n")[0])).toBeLessThan(8);
    } finally {
      delete process.env.TEST_PROVIDER_KEY;
    }
  });
});

describe("which strategy", () => {
  const hiding =
    (...names: string[]): FindProgram =>
    (name) =>
      names.includes(name) ? undefined : findProgram(name);

  test("is the best that is installed", async (it) => {
    for (const strategy of strategies) await needs(it, strategy);
    expect(await runner().ownership()).toBe("bubblewrap");
    expect(await runner({ find: hiding("bwrap") }).ownership()).toBe("unshare");
    expect(await runner({ find: hiding("bwrap", "setpriv") }).ownership()).toBe("keeper");
  });

  test("is the best that works: what is refused leaves no trace in the output, and the command runs once", async () => {
    await using folder = await tempDir();
    const refusing = folder.join("refusing");
    writeFileSync(refusing, "#!/bin/sh\necho refused; echo refused >&2; exit 1\n", { mode: 0o755 });
    const find: FindProgram = (name) => (name === "bwrap" || name === "unshare" ? refusing : findProgram(name));
    const { say, ownership } = runner({ find });
    expect(await say("echo ran >> ledger; echo said", { cwd: folder.path })).toMatchObject({
      output: "said\n",
      code: 0,
    });
    expect((await say("cat ledger", { cwd: folder.path })).output).toBe("ran\n");
    expect(await ownership()).toBe("keeper");
  });

  test("is found out once, also when many commands come first at the same time", async () => {
    await using folder = await tempDir();
    mkdirSync(folder.join("tried"));
    const counting = folder.join("counting");
    writeFileSync(counting, `#!/bin/sh\n: > ${folder.join("tried")}/$$\nexit 1\n`, { mode: 0o755 });
    const { say } = runner({ find: (name) => (name === "bwrap" ? counting : findProgram(name)) });
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => say(`sleep 0.3; echo ${n}`)));
    expect(all.map(({ output }) => output)).toEqual(Array.from({ length: 8 }, (_, n) => `${n}\n`));
    expect((await say(`ls ${folder.join("tried")} | wc -l`)).output).toBe("1\n");
  });

  test("is not asked of a command that was stopped meanwhile", async () => {
    const { say, ownership } = runner();
    const controller = new AbortController();
    const first = say("echo started; sleep 60", { signal: controller.signal });
    await setImmediate();
    controller.abort();
    expect(await first).toMatchObject({ ended: "aborted", code: null, signal: null, output: "" });
    expect(strategies).toContain(await ownership());
  });

  test("a user namespace, where only that is given, keeps the user and the files' owner", async (it) => {
    await needs(it, "unshare");
    await using folder = await tempDir();
    const picky = folder.join("picky");
    const real = findProgram("unshare");
    writeFileSync(picky, `#!/bin/sh\ncase "$*" in *--map-current-user*) exec ${real} "$@";; esac\nexit 1\n`, {
      mode: 0o755,
    });
    const { say } = runner({ strategy: "unshare", find: (name) => (name === "unshare" ? picky : findProgram(name)) });
    const { output } = await say("id -u; : > made; stat -c %u made", { cwd: folder.path });
    expect(output).toBe(`${process.getuid?.()}\n${process.getuid?.()}\n`);
  });

  test.each(["unshare", "keeper"] as const)("%s also does without bash", async (strategy) => {
    const { say } = runner({ strategy, find: hiding("bash", "bwrap") });
    expect(await say("echo $0 one; echo two >&2; exit 4")).toMatchObject({ output: "/bin/sh one\ntwo\n", code: 4 });
    expect(await say("trap '' TERM; sleep 60", { timeoutMs: 300 })).toMatchObject({ ended: "timeout" });
  });
});
