// P.B11, P.X01: what runs unasked shows nothing but what it may read.
import { describe, expect, test } from "vitest";
import { type Question, judge } from "../permissions.ts";
import { parseRule } from "../rules.ts";
import { readShell } from "./read-shell.ts";

function isOf(command: string, { mode = "confirm", deny = [] }: { mode?: Question["mode"]; deny?: string[] } = {}) {
  return judge({
    ...{ tool: "Bash", reach: [{ may: "run", command, reading: readShell(command), reads: [] }], mode },
    ...{ roots: ["/w"], places: { cwd: "/w", home: "/home/me" }, trusted: true, repository: { top: "/w" } },
    ...{ rules: { allow: [], ask: [], deny: deny.map((rule) => parseRule(rule)!) }, outcomeUnknown: false },
  }).is;
}

describe("P.B11, P.X01: what runs unasked shows nothing but what it reads in the workspace", () => {
  test.each([
    ...[
      "cat <<< $MY_SECRET",
      'cat <<< "a $MY_SECRET"',
      "cut -c1-8 <<< ${MY_SECRET}",
      "cat <<< ${MY_SECRET#hun} | wc -c",
    ],
    ...[
      "cat <<E\n$MY_SECRET\nE",
      "cat <<-E\n\t${MY_SECRET:-x}\n\tE",
      "cat <<E\n${f:-$MY_SECRET}\nE",
      "cat <<< ~root/x",
    ],
    ...["case $MY_SECRET in h*) echo yes;; esac", "case hunter2 in $MY_SECRET) echo yes;; esac", "cat <<< $#$0$_"],
    ...["[[ $MY_SECRET == h* ]] && echo yes", "[[ a < $MY_SECRET ]] && echo yes", "[[ -n $MY_SECRET ]] && echo set"],
    ...["for x in $MY_SECRET; do cat <<< $x; done", "for x in a; do cat <<< $x$y; done", "for x; do cat <<< $x; done"],
    ...["for x in a; do echo a; done; cat <<< $x", "for x in $(cat <<< $x); do echo a; done"],
    ...[
      "for f in ~/*; do cat <<< $f; done",
      "for f in */x; do cat <<< $f; done",
      "for f in {/var,/etc}/*; do ls; done",
    ],
    ...["[[ -f $f ]] && ls", "for f in /etc/passwd; do [[ -f $f ]] && ls; done", "[[ -d ~/x ]] && ls"],
  ])("%j asks", (command) => {
    expect(isOf(command)).toBe("ask");
    expect(isOf(command, { mode: "yolo" })).toBe("allow");
  });
  test.each([
    ...["for x in a b; do cat <<< $x; done", "for f in *.ts; do cat <<< ${f%.ts}; done", "cat <<'E'\n$MY_SECRET\nE"],
    ...["for f in $(ls); do case $f in *.ts) cat <<< $f;; esac; done", "case $(ls) in *a*) echo yes;; esac"],
    ...["cat <<< a", "[[ -f a.txt ]] && cat a.txt", "[[ $(ls) == a* ]] && echo yes", "for n in {1..3}; do ls; done"],
    ...["for x in a b; do for y in 1 2; do [[ $x == $y ]] && cat <<< $x$y; done; done"],
  ])("%j does not", (command) => expect(isOf(command)).toBe("allow"));
  test("names that the shell looks up by itself are reads", () => {
    expect(readShell("for f in /var/.* 'a b'/*.ts *.md; do ls; done").reads).toEqual(["/var/", "a b/", "."]);
    expect(readShell("[[ -f /etc/x && ! -d y ]] && ls").reads).toEqual(["/etc/x", "y"]);
  });
});

test("P.F02: where Read is denied as a whole, git shows no contents unasked either", () => {
  for (const command of ["git show", "git log -p"]) {
    expect(isOf(command)).toBe("allow");
    for (const rule of ["Read", "Read(secrets/**)"]) expect(isOf(command, { deny: [rule] }), rule).toBe("ask");
  }
});
