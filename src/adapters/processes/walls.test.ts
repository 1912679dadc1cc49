// What the system holds a command to, as root and as nobody: read-only places that nobody moves away, commands that nobody
// was asked about, and services of a person's session.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../testing/memory/seeded-random.ts";
import { type TempDir, tempDir } from "../../testing/memory/temp-dir.ts";
import { waitFor } from "../../testing/memory/wait-for.ts";
import { type AsUser, asUser } from "./as-user-test-kit.ts";
import { needs } from "./processes-test-kit.ts";
import { sessionServices } from "./session-services.ts";

const ROUNDS = process.env["SOAK"] ? 400 : 1;
const users = ["this user", "nobody"] as const;
const root = process.getuid?.() === 0;

/** A project with what is obeyed in several places; all of it belongs to the user who runs commands. */
async function place(user: (typeof users)[number]) {
  const dir = await tempDir();
  for (let path = dir.path; path !== "/tmp" && path !== "/"; path = dirname(path)) if (root) chmodSync(path, 0o777);
  const files = [
    "proj/.mcp.json",
    "proj/.git/config",
    "proj/src/app/.claude/settings.json",
    "home/.config/sous/x.json",
  ];
  for (const file of [...files, "proj/src/app/main.ts", "elsewhere/config.json", "proj/other/b.ts"]) {
    mkdirSync(dirname(dir.join(file)), { recursive: true });
    writeFileSync(dir.join(file), "good");
  }
  if (root && user === "nobody") execFileSync("chown", ["-R", "65534:65534", dir.path]);
  const kept = [dir.join("proj/.mcp.json"), dir.join("proj/.git/config"), dir.join("proj/src/app/.claude")];
  const keep = [...kept, dir.join("home/.config/sous"), dir.join("elsewhere/config.json")];
  const obeyed = [...files, "elsewhere/config.json"].map((file) => dir.join(file));
  return { dir, keep, obeyed, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

/** Steps that move, copy, link and mount; the end of each is that the attacker writes where the obeyed file is read. */
function attack(dir: TempDir, target: string, pick: <T>(from: readonly T[]) => T): string {
  const above: string[] = [];
  for (let path = target; path !== dir.path; path = dirname(path)) above.push(path);
  const at = pick(above);
  const away = `${pick([dir.path, dir.join("proj"), dir.join("proj/other")])}/gone$RANDOM`;
  const moves = [
    `mv '${at}' "${away}" && cp -a "${away}" '${at}'`,
    `cp -a '${at}' "${away}" && rm -rf '${at}' && mv "${away}" '${at}'`,
    `cp -a '${at}' "${away}" && mv --exchange "${away}" '${at}'`,
    `cp -a '${at}' "${away}" && python3 -c 'import os,sys; os.rename(sys.argv[1], sys.argv[1]+"x"); os.rename(sys.argv[2], sys.argv[1])' '${at}' "${away}"`,
    `cp -a '${at}' "${away}" && python3 -c 'import ctypes,sys; ctypes.CDLL(None).renameat2(-100, sys.argv[1].encode(), -100, sys.argv[2].encode(), 2)' "${away}" '${at}'`,
    `cp -a '${at}' "${away}" && mount --bind "${away}" '${at}'`,
    `umount '${target}'; umount -l '${at}'`,
    `mount -o remount,rw,bind '${target}'; mount -o remount,rw '${at}'`,
    `ln '${target}' "${away}" && echo evil > "${away}"`,
    `ln -sfn "${away}" '${at}'; mkdir -p "${away}"`,
    `cp -a '${at}' "${away}" && ln -sfT "${away}" '${at}'`,
    `unshare -Urm sh -c "umount -l '${at}'; mount -o remount,rw,bind '${at}'; echo evil > '${target}'"`,
    `unshare -Urm sh -c "mkdir -p ${away}; mount --bind '${dirname(target)}' ${away}; echo evil > ${away}/${target.split("/").at(-1)}"`,
    `chmod -R u+w '${at}'; chattr -i '${target}'`,
    `rsync -a --delete '${dir.join("proj/other")}/' '${at}/' ; truncate -s0 '${target}'`,
    `find '${at}' -delete; mkdir -p '${dirname(target)}'`,
    `dd if=/dev/zero of='${target}' count=1; tee '${target}' < /dev/null`,
  ];
  return [pick(moves), pick(moves), `mkdir -p '${dirname(target)}'; echo evil > '${target}'`]
    .map((one) => `(${one})`)
    .join("; ");
}

describe.each(["bubblewrap", "unshare"] as const)("P.T06: kept places under %s", (strategy) => {
  test.each(users)(
    "as %s, no sequence of moves, copies, links and mounts changes one",
    async (user) => {
      if (user === "nobody" && !root) return;
      const run = asUser(user);
      const random = seededRandom(9);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random.next() * from.length)]!;
      await using p = await place(user);
      const spare = { keep: p.keep, bar: [], except: [], hide: [] };
      const attacks = Array.from({ length: ROUNDS * 12 }, () => attack(p.dir, pick(p.obeyed), pick));
      for (let at = 0; at < attacks.length; at += 12) {
        const command = attacks.slice(at, at + 12).join("\n");
        await run({ command: `(${command}) >/dev/null 2>&1`, cwd: p.dir.path, spare }, strategy);
        for (const file of p.obeyed) expect(readFileSync(file, "utf8"), command).toBe("good");
      }
      // What is not kept stays everybody's to change, also with a rename within the project.
      const work = "echo new > main.ts.new && mv main.ts.new main.ts && mkdir d && mv d e && rm -r e && echo done";
      const ran = await run({ command: work, cwd: p.dir.join("proj/src/app"), spare }, strategy);
      expect(ran).toEqual({ code: 0, output: "done\n" });
    },
    120_000,
  );
});

describe("P.B11: a command that nobody was asked about", () => {
  test.each(users)("as %s, reads its folders and the system, writes nothing and reaches nobody", async (user) => {
    if (user === "nobody" && !root) return;
    await using p = await place(user);
    const run = asUser(user);
    const server = createServer((socket) => void socket.end("reached")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    writeFileSync(p.dir.join("home/secret"), "a-secret", { mode: 0o644 });
    writeFileSync(p.dir.join("proj/.env"), "a-secret", { mode: 0o644 });
    const spare = { keep: [], bar: [], except: [], hide: [p.dir.join("proj/.env")] };
    const says = (command: string) =>
      run({ command, cwd: p.dir.join("proj"), spare, unasked: { readable: [p.dir.join("proj")] } });
    expect(await says("cat src/app/main.ts; pwd; ls other | sort; seq 3 | awk '{s+=$1} END {print s}'")).toEqual({
      code: 0,
      output: `good${p.dir.join("proj")}\nb.ts\n6\n`,
    });
    for (const misjudged of [
      `cat ${p.dir.join("home/secret")}`,
      "cat ../home/secret .env",
      "cat /etc/shadow /etc/ssh/ssh_host_* /etc/sudoers ~/.ssh/* ~/.bash_history",
      `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5`,
      "touch made src/made ../made /etc/made /usr/made /var/tmp/made",
      "rm -rf src; echo evil > .mcp.json; ln -s / link; mkdir d",
      "mount -o remount,rw /; mount --bind /tmp .; echo evil > .mcp.json",
      "unshare -Urm sh -c 'mount -o remount,rw,bind . ; echo evil > .mcp.json'",
      "find / -xdev -name '*.sock' -o -type s",
      "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep ^ANTHROPIC",
    ]) {
      const { output } = await says(`${misjudged}; ls -A`);
      expect(output, misjudged).not.toMatch(/a-secret|reached|root:|ANTHROPIC|\.sock\b.*\n\/|PRIVATE/);
      expect(output, misjudged).toMatch(/\.env\n\.git\n\.mcp\.json\nother\nsrc\n$/);
    }
    expect(existsSync(p.dir.join("made"))).toBe(false);
    expect(readFileSync(p.dir.join("proj/.mcp.json"), "utf8")).toBe("good");
    server.close();
  });

  test("finds programs of the system before all others, and none in the folders that it reads", async (it) => {
    await needs(it, "bubblewrap");
    await using p = await place("this user");
    const [own, planted] = [p.dir.join("home/bin"), p.dir.join("proj/bin")];
    for (const [folder, word] of [
      [own, "own"],
      [planted, "planted"],
    ] as const)
      for (const name of ["ls", "only-here"]) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(`${folder}/${name}`, `#!/bin/sh\necho ${word}\n`, { mode: 0o755 });
      }
    const env = { PATH: `${planted}:.:bin:${own}:${process.env["PATH"]}` };
    const { createProcesses } = await import("./create-processes.ts");
    let output = "";
    const spec = { command: "ls -d .; only-here", cwd: p.dir.join("proj"), env, timeoutMs: 10_000 };
    const unasked = { readable: [p.dir.join("proj")] };
    const processes = createProcesses({ runMarker: "walls", secretNames: [] });
    await processes.run(
      { ...spec, unasked },
      (chunk) => void (output += chunk.toString()),
      new AbortController().signal,
    );
    expect(output).toBe(".\nown\n");
  });

  test("reads a linked work tree and objects that a repository shares", async (it) => {
    await needs(it, "bubblewrap");
    await using dir = await tempDir();
    const git = (...words: string[]) => execFileSync("git", ["-C", dir.path, ...words], { stdio: "pipe" });
    git("init", "-q", "main");
    execFileSync("git", ["-C", dir.join("main"), "commit", "-q", "--allow-empty", "-m", "first words"]);
    git("-C", "main", "worktree", "add", "-q", "../linked");
    git("clone", "-q", "--shared", "main", "shared");
    for (const name of ["linked", "shared"]) {
      const command = "git log --format=%s";
      const spec = { command, cwd: dir.join(name), unasked: { readable: [dir.join(name)] } };
      expect(await asUser("this user")(spec), name).toEqual({ code: 0, output: "first words\n" });
    }
  });
});

describe.each(["bubblewrap", "unshare"] as const)("P.I04: a person's session under %s", (strategy) => {
  const run: AsUser = asUser("this user");

  test("has no multiplexer that a command could type into, and commands have terminals of their own", async (it) => {
    await needs(it, strategy);
    if (!existsSync("/usr/bin/tmux")) it.skip("needs tmux");
    await using dir = await tempDir();
    const tmux = (...words: string[]) =>
      execFileSync("tmux", ["-S", dir.join("tmux-0/default"), ...words], {
        env: { ...process.env, TMUX: "" },
      }).toString();
    mkdirSync(dir.join("tmux-0"), { mode: 0o700 });
    tmux("new-session", "-d", "-s", "person", "cat");
    try {
      const [tty = "", pid = ""] = tmux("list-panes", "-F", "#{pane_tty} #{pid}").trim().split(" ");
      const socket = dir.join("tmux-0/default");
      const { hide, show, variables } = sessionServices({ TMUX: `${socket},${pid},0`, SHELL: "/bin/sh" });
      expect(variables).toEqual(["TMUX"]);
      const spare = { keep: [], bar: [], except: [], hide, show };
      const tries = [`tmux -S ${socket} send-keys -t person typed Enter`, `echo typed > ${tty}`, `ls ${tty}`];
      const command = `${tries.join("; ")}; script -qec 'echo a terminal' /dev/null`;
      const { output } = await run({ command, cwd: "/", spare }, strategy);
      expect(output).toContain("a terminal");
      tmux("send-keys", "-t", "person", "marker", "Enter");
      while (!tmux("capture-pane", "-p", "-t", "person").includes("marker\n")) continue;
      expect(tmux("capture-pane", "-p", "-t", "person")).not.toContain("typed");
      // Nothing of this is for want of tmux: from outside it is typed.
      tmux("send-keys", "-t", "person", "typed", "Enter");
      while (!tmux("capture-pane", "-p", "-t", "person").includes("typed\n")) continue;
    } finally {
      tmux("kill-server");
    }
  });

  test("has no multiplexer either that a person begins while a command runs", async (it) => {
    await needs(it, strategy);
    if (!existsSync("/usr/bin/tmux")) it.skip("needs tmux");
    await using dir = await tempDir();
    const env = { ...process.env, TMUX: "", TMUX_TMPDIR: dir.join("later") };
    mkdirSync(dir.join("later"));
    const tmux = (...words: string[]) => execFileSync("tmux", ["-f", "/dev/null", ...words], { env }).toString();
    const socket = dir.join(`later/tmux-${process.getuid?.()}/default`);
    const { hide, show } = sessionServices({ TMUX_TMPDIR: dir.join("later") });
    const command = `touch began; until [ -e listens ]; do sleep 0.05; done; [ -S ${socket} ] && echo found; tmux -S ${socket} send-keys -t person typed Enter && echo typed; echo tried`;
    const ran = run({ command, cwd: dir.path, spare: { keep: [], bar: [], except: [], hide, show } }, strategy);
    await waitFor(() => existsSync(dir.join("began")), 10_000);
    tmux("new-session", "-d", "-s", "person", "cat");
    try {
      expect(existsSync(socket)).toBe(true);
      writeFileSync(dir.join("listens"), "");
      const { output } = await ran;
      expect(output).toMatch(/tried\n$/);
      expect(output).not.toMatch(/found|typed/);
    } finally {
      tmux("kill-server");
    }
  });

  test("as root, a command cannot unmount, look into the engine, or reach a disk; it installs and changes owners as ever", async (it) => {
    await needs(it, strategy);
    if (!root) it.skip("needs root");
    await using dir = await tempDir();
    const says = (command: string) => run({ command, cwd: dir.path }, strategy);
    const refused = ["umount /proc", "umount -l /proc", `mount -t tmpfs none ${dir.path}`, "mknod disk b 254 0"];
    for (const command of refused) expect((await says(`${command} 2>/dev/null`)).code, command).not.toBe(0);
    expect(
      (await says(`ls /proc/${process.pid}/environ; umount -l /proc; cat /proc/${process.pid}/environ`)).output,
    ).not.toContain("PATH=");
    const everyday =
      "touch f && chown 65534:65534 f && chmod 600 f && cat f && install -o nobody f g && su nobody -s /bin/sh -c id";
    expect((await says(everyday)).output).toContain("uid=65534(nobody)");
  });
});

test("P.I04: every variable that names a socket is left out with it, but for keys and containers", async () => {
  await using dir = await tempDir();
  const listen = (name: string) =>
    new Promise<ReturnType<typeof createServer>>((resolve) => {
      const server = createServer().listen(dir.join(name), () => resolve(server));
    });
  const servers = await Promise.all(["editor", "keys"].map(listen));
  const env = {
    ANY_EDITOR: `unix:path=${dir.join("editor")},guid=1`,
    SSH_AUTH_SOCK: dir.join("keys"),
    DISPLAY: ":0",
    KITTY_LISTEN_ON: "unix:@kitty",
    HOME: dir.path,
    PATH: "/usr/bin",
  };
  const { hide, show, variables } = sessionServices(env);
  expect(variables.toSorted()).toEqual(["ANY_EDITOR", "DISPLAY", "KITTY_LISTEN_ON"]);
  expect(hide).toContain(dir.join("editor"));
  expect([hide.includes(dir.join("keys")), show.includes(dir.join("keys"))]).toEqual([false, true]);
  for (const server of servers) server.close();
});

describe.each(["bubblewrap", "unshare"] as const)("P.T06, P.X01: the kernel under %s", (strategy) => {
  const bounds = {
    "that is free": {},
    "of a sandbox": { confine: { write: ["/var/tmp"], protect: [], network: false } },
    "that writes anywhere": { confine: { protect: [], network: true } },
    "that nobody was asked about": { unasked: { readable: ["/var/tmp"] } },
  };
  test.each(users.flatMap((user) => Object.keys(bounds).map((what) => [user, what as keyof typeof bounds] as const)))(
    "takes no orders from a command of %s %s, and has no terminal or disk for it",
    async (user, what) => {
      if (user === "nobody" && !root) return;
      if (strategy === "unshare" && what !== "that is free") return;
      // Looked at with access(2) and opened, never written.
      const orders =
        user === "nobody"
          ? ":"
          : "find /proc /sys '(' -path '/proc/[0-9]*' -o -path /proc/pressure ')' -prune -o -type f -perm /222 -writable -print 2>/dev/null";
      const opened =
        "for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sysrq-trigger /sys/kernel/uevent_helper; do ( exec 9>>$f ) 2>/dev/null && echo $f; done";
      const devices =
        "for f in /dev/tty[0-9]* /dev/ttyS* /dev/console /dev/kmsg /dev/mem /dev/vd* /dev/sd* /dev/loop* /dev/uinput /dev/input/*; do [ -c $f -o -b $f ] && ( exec 9<>$f ) 2>/dev/null && echo $f; done";
      const everyday =
        "echo x >/dev/null && head -c 2 /dev/zero | wc -c && head -c 1 /dev/urandom | wc -c && echo out >/dev/stdout && cat <(echo piped)";
      const command = `${orders}; ${opened}; ${devices}; ${everyday}`;
      const ran = await asUser(user)({ command, cwd: "/var/tmp", ...bounds[what] }, strategy);
      expect(ran).toEqual({ code: 0, output: "2\n1\nout\npiped\n" });
    },
    60_000,
  );

  test("has useful devices, terminals and shared memory for a command", async (it) => {
    await needs(it, strategy);
    const command = `echo shared > /dev/shm/walls-$$ && cat /dev/shm/walls-$$ && rm /dev/shm/walls-$$; ls -d /dev/pts/ptmx /dev/ptmx /dev/fd; script -qec 'tty' /dev/null`;
    const { output } = await asUser("this user")({ command, cwd: "/" }, strategy);
    expect(output).toMatch(/^shared\n\/dev\/fd\n\/dev\/ptmx\n\/dev\/pts\/ptmx\n\/dev\/pts\/\d+\r?\n$/);
  });
});
