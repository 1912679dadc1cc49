// Runs many commands with real bash, a few processes at a time: what programs get, what they read, and what is left in
// the folder. Only stubs and a few real wrappers can be found there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Ran = {
  /** Each program that was started, by its name, with what it was given; in no order that counts. */
  readonly argvs: readonly (readonly string[])[];
  /** What was started, what it read, and the names of the files that are there afterwards: the same for commands that do the same. */
  readonly trace: string;
};

const AT_ONCE = 2;
/** A loop without an end is not ended at the same turn each time. */
const MOST_STARTED = 50;

/** Notes its words and what it reads, says something, and is done. Only builtins: it is started thousands of times. */
const STUB = `#!/bin/sh
{ printf '\\036%s' "\${0##*/}"; for a in "$@"; do printf '\\037%s' "$a"; done
while IFS= read -r l; do printf '\\035%s' "$l"; done; printf '\\035%s' "$l"; } > "$LOG/$$"
echo "out of \${0##*/}"
`;

/** Waits for everything that a command has started, which holds on to descriptor 9. */
const DRIVER = `
while IFS= read -r n && IFS= read -r -d '' text; do
  cd "$ROOT/work/$n" && { LOG="$ROOT/log/$n" "$TIMEOUT" -s KILL 5 "$BASH" -c -- "$text" </dev/null 2>/dev/null 9>&1 >/dev/null | "$CAT"; }
done
`;

export function shellDriver(stubs: readonly string[], wrappers: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), "sous-shell-"));
  for (const name of ["bin", "work", "log"]) mkdirSync(join(root, name));
  for (const name of stubs) writeStub(join(root, "bin", name));
  for (const name of wrappers) {
    const real = systemProgram(name);
    if (real && !existsSync(join(root, "bin", name))) symlinkSync(real, join(root, "bin", name));
  }
  const tools = { ROOT: root, TIMEOUT: systemProgram("timeout")!, CAT: systemProgram("cat")! };
  let made = 0;

  function prepare(): number {
    const n = made++;
    const work = join(root, "work", `${n}`);
    mkdirSync(work);
    mkdirSync(join(root, "log", `${n}`));
    for (const name of ["a.txt", "b.txt", "c d.txt"]) writeFileSync(join(work, name), `${name}\n`);
    writeStub(join(work, "evil"));
    return n;
  }

  async function runSome(cases: readonly (readonly [number, string])[]): Promise<void> {
    const [program, ...first] = [...walledIn(root), "/bin/bash"];
    const child = spawn(program!, [...first, "-c", DRIVER], {
      env: { PATH: join(root, "bin"), HOME: "/home/nobody", ...tools },
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.stdin.end(cases.map(([n, text]) => `${n}\n${text}\0`).join(""));
    await once(child, "close");
  }

  function result(n: number): Ran {
    const [logs, work] = [join(root, "log", `${n}`), join(root, "work", `${n}`)];
    const started = readdirSync(logs).flatMap((name) => readFileSync(join(logs, name), "utf8") || []);
    const files = readdirSync(work, { withFileTypes: true }).flatMap((file) => (file.isFile() ? [file.name] : []));
    const noNumbers = (one: string): string =>
      one.replaceAll(work, "$WORK").replace(/\/dev\/fd\/\d+|\d{4,}|line \d+/g, "N");
    // What runs side by side may be heard in any order.
    const inOrder = (one: string): string => one.split("\u001d").toSorted().join("\u001d");
    const traces = started.map((one) => inOrder(noNumbers(one))).toSorted();
    rmSync(logs, { recursive: true });
    rmSync(work, { recursive: true });
    return {
      argvs: started.map((one) => one.slice(1).split("\u001d")[0]!.split("\u001f")),
      trace: JSON.stringify([traces.length > MOST_STARTED ? [...new Set(traces)] : traces, files.toSorted()]),
    };
  }

  return {
    /** In the order in which they are given. */
    async run(commands: readonly string[]): Promise<readonly Ran[]> {
      const cases = commands.map((text) => [prepare(), text] as const);
      const shares = Array.from({ length: AT_ONCE }, (_, k) => cases.filter((_case, n) => n % AT_ONCE === k));
      await Promise.all(shares.map(runSome));
      return cases.map(([n]) => result(n));
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Generated commands name files of any kind: where the system can, they change nothing outside of their folder. */
function walledIn(root: string): readonly string[] {
  const bwrap = systemProgram("bwrap");
  if (bwrap === undefined) return [];
  return [bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--bind", root, root].concat([
    "--unshare-pid",
    "--unshare-net",
    "--die-with-parent",
  ]);
}

function writeStub(path: string): void {
  writeFileSync(path, STUB);
  chmodSync(path, 0o755);
}

const systemProgram = (name: string): string | undefined =>
  ["/usr/bin", "/bin"].map((place) => join(place, name)).find((path) => existsSync(path));
