// P.B04: programs of this system that start what they are given, found by trying: none gets a denied program started
// that the judgement did not see.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../src/core/permissions.ts";
import { parseRule } from "../src/core/rules.ts";
import { readShell } from "../src/core/shell/read-shell.ts";
import { seededRandom } from "../src/testing/memory/seeded-random.ts";
import { shellDriver } from "./shell-driver.ts";

const OPTIONS = process.env["SOAK"] === "1" ? 20_000 : 150;

const isAllowed = (command: string): boolean =>
  judge({
    ...{ tool: "Bash", reach: [{ may: "run", command, reading: readShell(command), reads: [] }], roots: ["/w"] },
    ...{ places: { cwd: "/w", home: "/home/me" }, mode: "yolo", trusted: true, outcomeUnknown: false },
    rules: { allow: [], ask: [], deny: [parseRule("Bash(evil *)")!] },
  }).is === "allow";

/** They would do something to the machine, not to the folder. */
const LEFT_OUT =
  /^(kill|pkill|killall|hostname|date|reboot|shutdown|halt|poweroff|init|mount|umount|dd|mk|curl|less|vitest)/;
const installed = [
  ...new Set(["/usr/bin", "/bin"].flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))),
].filter((name) => /^[\w.+[-]+$/.test(name) && !LEFT_OUT.test(name));
/** What a rule that denies lets pass with the denied name among its arguments: these must never start it. */
const trusted = installed.filter((name) => isAllowed(`${name} evil x`));
let driver: ReturnType<typeof shellDriver>;
beforeAll(() => void (driver = shellDriver(["evil"], installed)));
afterAll(() => driver[Symbol.dispose]());

async function startsEvil(commands: readonly string[]): Promise<readonly string[]> {
  const ran = await driver.run(commands);
  return commands.filter((_, n) => ran[n]!.argvs.some(([name]) => name === "evil"));
}

test("P.B04: of the programs that may have a denied name among their arguments, none starts it, whichever option takes it", async () => {
  expect(trusted.length).toBeGreaterThan(30);
  const random = seededRandom(41);
  const forms = trusted.flatMap((name) => [
    ...[
      `${name} evil x`,
      `${name} a.txt evil x`,
      `${name} -- evil x`,
      `${name} 1 evil`,
      `${name} -c 'evil x'`,
      `${name} -e 'evil x'`,
    ],
    ...longOptions(name).flatMap((option) => [`${name} ${option}=evil a.txt b.txt`, `${name} ${option} evil a.txt`]),
    ...[..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((letter) => `${name} -${letter} evil a.txt`),
  ]);
  const some = forms
    .map((form) => ({ form, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ form }) => form)
    .filter(isAllowed)
    .slice(0, OPTIONS);
  expect(some.length).toBeGreaterThan(100);
  expect(await startsEvil(some)).toEqual([]);
}, 3_600_000);

test("P.B04: whatever here starts a program that it is given, a rule that denies that program denies it", async () => {
  const forms = [
    ...[
      "prlimit evil x",
      "choom -n 1 -- evil x",
      "setarch x86_64 evil x",
      "setarch -R evil x",
      "linux64 evil x",
      "env evil x",
    ],
    ...[
      "env -u A -u B -u C -u D -u E -u F -u G evil x",
      "env -S 'evil x'",
      "nice evil",
      "nohup evil",
      "setsid -w evil",
      "stdbuf -oL evil",
    ],
    ...[
      "timeout 5 evil",
      "xargs -a a.txt evil",
      "find . -maxdepth 0 -exec evil {} +",
      "ionice -c3 evil",
      "chrt -o 0 evil",
      "taskset 1 evil",
    ],
    ...[
      "flock a.txt evil",
      "flock a.txt -c evil",
      "script -qc evil out",
      "unshare evil",
      "setpriv evil",
      "rbash -c evil",
      "dash -c evil",
    ],
    ...[
      "capsh -- -c evil",
      "sg root evil",
      "su -c evil",
      "runuser -u root evil",
      "perl -e 'exec \"evil\"'",
      "awk 'BEGIN{system(\"evil\")}'",
    ],
    ...[
      "mawk 'BEGIN{system(\"evil\")}'",
      "sed '1e evil' a.txt",
      "python3 -c 'import os; os.system(\"evil\")'",
      "tar cf o a.txt --to-command=evil",
    ],
    ...[
      "tar cf o a.txt --checkpoint=1 --checkpoint-action=exec=evil",
      "sort -S1 --compress-program=evil a.txt",
      "git -c alias.x='!evil' x",
    ],
    ...[
      "echo evil | sh",
      "echo evil | xargs env",
      "echo evil | xargs -I% %",
      "bash <(echo evil)",
      ". /dev/stdin <<< evil",
      "x=evil; $x",
    ],
    ...[
      "trap evil EXIT",
      "e\\\nvil",
      "$'ev\\x69l'",
      "x='a[$(evil)]'; echo $((x))",
      "printf -v 'a[$(evil)]' x",
      "wait -np 'a[$(evil)]'",
    ],
    ...[
      "coproc evil; wait",
      "PS4='$(evil)'; set -x; :",
      "hash -p $PWD/evil ls; ls",
      "mapfile -c 1 -C evil < a.txt",
      "compgen -W '$(evil)'",
    ],
    ...["shopt -s expand_aliases\nalias l=evil\nl", "split --filter=evil a.txt", "ld.so ./evil", "strace evil"],
  ];
  const started = await startsEvil(forms);
  expect(started.length).toBeGreaterThan(20);
  expect(started.filter(isAllowed)).toEqual([]);
}, 600_000);

/** As the program tells them itself. */
function longOptions(name: string): readonly string[] {
  try {
    const help = execFileSync(name, ["--help"], {
      encoding: "utf8",
      timeout: 2_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return [...new Set(help.match(/--[a-z][a-z-]+/g))];
  } catch {
    return [];
  }
}
