import { describe, expect, test } from "vitest";
import { type Question, judge } from "../permissions.ts";
import { parseRule } from "../rules.ts";
import { readShell } from "./read-shell.ts";

type Wish = {
  allow?: string[];
  deny?: string[];
  mode?: Question["mode"];
  trusted?: boolean;
  reads?: string[];
  top?: string;
};
const list = (rules: string[] = []) => rules.map((rule) => parseRule(rule)!);

function verdict(
  command: string,
  { allow, deny, mode = "confirm", trusted = true, reads = [], top = "/w" }: Wish = {},
) {
  return judge({
    tool: "Bash",
    reach: [{ may: "run", command, reading: readShell(command), reads }],
    roots: ["/w"],
    places: { cwd: "/w", home: "/home/me" },
    mode,
    rules: { allow: list(allow), ask: [], deny: list(deny) },
    trusted,
    ...(top !== "" && { repository: { top } }),
    outcomeUnknown: false,
  });
}
const isOf = (command: string, wish?: Wish): string => verdict(command, wish).is;

describe("P.B01: each simple command is judged by itself", () => {
  const allow = ["Bash(git log *)"];
  const joined = [";", "&&", "||", "|", "|&", "&", "\n"];
  test.each(joined)("a listed command joined to an unlisted one by %j asks", (by) => {
    expect(isOf(`git log -1 ${by} rm x`, { allow })).toBe("ask");
    expect(isOf(`rm x ${by} git log -1`, { allow })).toBe("ask");
    expect(isOf(`git log -1 ${by} git log -2`, { allow })).toBe("allow");
  });
  test.each([
    "if true; then rm x; fi",
    "if rm x; then git log; fi",
    "for f in a b; do rm $f; done",
    "while rm x; do git log; done",
    "case a in a) rm x;; esac",
    "f() { rm x; }; f",
    "function git { rm x; }; git log",
    "(rm x)",
    "{ rm x; }",
    "! rm x",
    "time rm x",
    "coproc rm x",
    "git log -1 \\\n; rm x",
    "git log\rrm x",
    "git log # fine\nrm x",
    "git \\\nlog; rm x",
  ])("%j asks", (command) => expect(isOf(command, { allow })).toBe("ask"));
  test.each([
    "if git log -1; then git log -2; else git log -3; fi",
    "for n in 1 2; do git log -n $n; done",
    "(git log -1)",
    "{ git log -1; git log -2; }",
    "! git log -1",
    "git \\\nlog -1",
    "git log --format='%h; rm x'",
    "git log # ; rm x",
  ])("%j is covered", (command) => expect(isOf(command, { allow })).toBe("allow"));
});

describe("P.B02: what runs inside a word is judged, and what is not certain is not allowed", () => {
  const builtins = ["test", "[", "wait", "unset", "read", "declare", "mapfile", "jobs", "kill", "let", "printf"];
  const allow = ["Bash(echo *)", ...builtins.map((one) => `Bash(${one} *)`)];
  test.each([
    "echo $(id)",
    "echo `id`",
    'echo "$(id)"',
    "echo <(id)",
    "echo >(id)",
    "echo ${x:=$(id)}",
    "echo ${x:-$(id)}",
    "echo ${x/$(id)/b}",
    "echo ${x@P}",
    "echo ${!x}",
    "echo ${a[$(id)]}",
    "echo $((a[$(id)]))",
    "echo $((a))",
    "((a[$(id)]))",
    "[[ -v a[$(id)] ]]",
    "[[ $x -eq 1 ]]",
    "echo <<EOF\n$(id)\nEOF",
    "echo <<-EOF\n\t`id`\n\tEOF",
    "echo <<< $(id)",
    "$'\\x69d'",
    "$'echo' x; $x",
    "echo$IFS-n",
    "i$@d",
    "i''d",
    "i\\d",
    "{id,-u}",
    "ec*",
    "~/id",
    "echo x; let 'a[$(id)]=1'",
    "echo x; printf -v 'a[$(id)]' x",
    "echo x; test -v 'a[$(id)]'",
    "echo x; [ -v 'a[$(id)]' ]",
    "echo x; test $x 'a[$(id)]'",
    "echo x; wait -np 'a[$(id)]'",
    "echo x; wait -p 'a[$(id)]'",
    "echo x; wait $x",
    "echo x; unset 'a[$(id)]'",
    "echo x; read 'a[$(id)]'",
    "echo x; declare 'a[$(id)]=1'",
    "echo x; mapfile -C id -c 1 a",
    "echo x; jobs -x id",
    "echo x; kill -s 'a[$(id)]'",
    "echo \"${x:-'$(id)'}\"",
    "echo <<E\n${x:-'$(id)'}\nE",
    "echo $'\\x{2d}n'",
    "echo $'\\xff'",
    "echo $'\\ud800'",
    "echo ${x\\\n}",
    "echo $\\\n(id)",
    "echo a<(echo b)",
    "echo {a,$(echo b)}",
    "echo x > f",
    "echo x >> f",
    "echo x &> f",
    "echo x >| f",
    "echo x 3> f",
    "echo x > /dev/tcp/1.2.3.4/80",
    "echo x {fd}> f",
    'echo x > "$f"',
    "echo 'unterminated",
    "echo $(",
    "echo x \u0007",
    "echo x\u2028id",
  ])("%j asks", (command) => expect(isOf(command, { allow })).toBe("ask"));
  test.each(["echo $(echo a)", "echo 'a b' \"c\"", 'echo "$HOME"', "echo a 2>&1 > /dev/null", "echo <<'E'\n$(id)\nE"])(
    "%j is covered",
    (command) => expect(isOf(command, { allow })).toBe("allow"),
  );
});

describe("P.B03: a variable set for a command is not covered by its rule", () => {
  test.each([
    "PAGER=evil git log",
    "GIT_SSH_COMMAND=evil git fetch",
    "LD_PRELOAD=./x.so git log",
    "BASH_ENV=x npm test",
    "PATH=.:$PATH npm test",
    "PATH=.:$PATH; npm test",
    "export PATH=.; npm test",
    "declare -x PATH=.; npm test",
    "read PATH < f; npm test",
    "for PATH in .; do npm test; done",
    "for http_proxy in evil; do npm test; done",
    "for HTTPS_PROXY in evil; do npm test; done",
    "for npm_config_registry in evil; do npm test; done",
    "for all_proxy in evil; do npm test; done",
    "read http_proxy <<< evil; npm test",
    "printf -v PATH .; npm test",
    "mapfile -t PATH < f; npm test",
    "getopts x PATH; npm test",
    "wait -n -p PATH; npm test",
    "env PATH=. npm test",
    "unset HOME; npm test",
    "alias npm=evil; npm test",
    ": ${PATH:=.}; npm test",
  ])("%j asks", (command) =>
    expect(
      isOf(command, {
        allow: [
          "Bash(git *)",
          "Bash(npm test)",
          "Bash(:)",
          "Bash(read *)",
          "Bash(printf *)",
          "Bash(wait *)",
          "Bash(getopts *)",
        ],
      }),
    ).toBe("ask"),
  );
});

describe("P.B04: wrappers", () => {
  const wrapped = [
    "env rm x",
    "env -i rm x",
    "env A=b rm x",
    "sudo rm x",
    "sudo -u me rm x",
    "timeout 5 rm x",
    "timeout -k 1 5 rm x",
    "nice -n 5 rm x",
    "nice rm x",
    "xargs rm",
    "xargs -0 -n1 rm",
    "find . -exec rm {} ;",
    "find . -name x -execdir rm {} +",
    "find . -delete",
    "watch rm x",
    "setsid rm x",
    "nohup rm x",
    "parallel rm ::: x",
    "sh -c 'rm x'",
    "bash -lc 'ls; rm x'",
    "eval rm x",
    "eval 'rm x'",
    "command rm x",
    "exec rm x",
    "busybox rm x",
    "ssh host rm x",
    "timeout 5 env nice rm x",
    "/bin/rm x",
    "\\rm x",
    "'rm' x",
    "r''m x",
    "echo $(rm x)",
    "env -S 'rm x'",
    "sudo sh -c 'rm x'",
  ];
  test.each(wrapped)("a deny rule reaches the inner command of %j, in yolo too", (command) => {
    expect(isOf(command, { deny: ["Bash(rm *)"], mode: "yolo" })).toBe("deny");
  });
  const wrappers = ["env", "sudo", "timeout", "nice", "xargs", "find", "watch", "setsid", "nohup", "parallel", "sh"];
  const all = [...wrappers, "bash", "eval", "command", "exec", "busybox", "ssh"].map((one) => `Bash(${one} *)`);
  test.each(wrapped)("allowing the wrapper does not allow %j", (command) => {
    expect(isOf(command, { allow: all })).toBe("ask");
  });
  test("a wrapper around what a rule covers is covered", () => {
    expect(isOf("timeout 5 npm test", { allow: ["Bash(npm test)"] })).toBe("allow");
    expect(isOf("nice -n5 nohup npm test", { allow: ["Bash(npm test)"] })).toBe("allow");
    expect(isOf("find . -name '*.ts'", { allow: ["Bash(find *)"], trusted: false })).toBe("allow");
    expect(isOf("find . -fprint out", { allow: ["Bash(find *)"] })).toBe("ask");
  });
  test("a deny rule leaves words in texts alone where it is certain what runs", () => {
    expect(isOf("git commit -m 'rm x'", { deny: ["Bash(rm *)"], allow: ["Bash(git *)"] })).toBe("allow");
  });
});

describe("P.B05: commands that only read are approved unasked", () => {
  test.each([
    "ls -la",
    "cat a.txt b.txt",
    "head -n 5 a.txt",
    "head -20 a.txt",
    "grep -rn 'a b' src",
    "git status",
    "git --no-pager log --oneline -5",
    "git diff --stat",
    "find . -name '*.ts' -not -path './x/*'",
    "cat a.txt | sort -rn | uniq -c | head -3",
    "sed -n 10,20p a.txt",
    "pwd && ls",
    "wc -l < a.txt",
    "command -v node",
    "timeout 5 cat a.txt",
    "echo hi 2>/dev/null",
  ])("%j", (command) => expect(isOf(command)).toBe("allow"));
  test.each([
    "git -c core.pager=evil log",
    "git grep -Oevil x",
    "git diff --output=f",
    "git diff --outp=f",
    "git log --ext-diff",
    "git branch new",
    "git diff --no-index a b",
    "sed 'w f' a",
    "sed -n '1e id' a",
    "sed -i s/a/b/ f",
    "sort -o f a",
    "sort --compress-program=evil a",
    "sort --output f a",
    "rg --pre evil x",
    "tar xf a --to-command=evil",
    "man -P evil ls",
    "tree -o f",
    "awk 'BEGIN{system(\"id\")}'",
    "uniq a b",
    "cat a > f",
    "cat a >| f",
    "cat a &> f",
    "cat a 3> f",
    "cat < /dev/tcp/1.2.3.4/80",
    "find . -fprintf f %p",
    "ls $(id)",
    "cat $x",
    "cat *",
    "cat ~/x",
    "./ls",
    "./env ls",
    "./timeout 5 ls",
    "bin/nice ls",
    "/tmp/x/command ls",
    "diff a b",
    "X=1 ls",
    "ls; id2",
    "file -C -m x",
    "date -s now",
  ])("%j is not", (command) => expect(isOf(command)).toBe("ask"));
  test("what is read outside the workspace asks, and what a rule denies to Read is denied", () => {
    expect(isOf("cat x", { reads: ["/etc/passwd"] })).toBe("ask");
    expect(isOf("cat x", { reads: ["/w/x"] })).toBe("allow");
    expect(isOf("cat x", { reads: ["/w/secrets/x"], deny: ["Read(secrets/**)"], mode: "yolo" })).toBe("deny");
  });
  test("after a change of folder it is not certain what is read", () => {
    const allow = ["Bash(cd *)", "Bash(make)"];
    expect(isOf("cd / && cat etc/passwd", { allow, reads: ["/w/etc/passwd"] })).toBe("ask");
    expect(isOf("cd / && make < etc/passwd", { allow, reads: ["/w/etc/passwd"] })).toBe("ask");
    expect(isOf("cd sub && make", { allow })).toBe("allow");
  });
  test("P.B06: git reads unasked only the repository that was there at first, trusted or not", () => {
    expect(isOf("git status", { trusted: false })).toBe("allow");
    expect(isOf("git status", { top: "" })).toBe("ask");
    expect(isOf("git log -p", { top: "/" })).toBe("ask");
    expect(isOf("git status", { top: "/" })).toBe("allow");
    expect(isOf("ls", { top: "" })).toBe("allow");
  });
  test("P.B06: a part that a rule lets run takes the hold from git beside it, which then asks", () => {
    const allow = ["Bash(npm test)"];
    expect(isOf("npm test && git status", { allow })).toBe("ask");
    expect(isOf("ls && git status | head", { allow })).toBe("allow");
    expect(isOf("npm test && git status", { allow: [...allow, "Bash(git status)"] })).toBe("allow");
  });
  test.each([
    ["git status -s", "'git' 'status' '--ignore-submodules=dirty' '-s'"],
    [
      "timeout 5 git --no-pager diff",
      "'timeout' '5' 'git' '--no-pager' 'diff' '--ignore-submodules=all' '--no-ext-diff' '--no-textconv'",
    ],
    ["ls $(git rev-parse --show-toplevel)", undefined],
  ])("P.B11: %s runs held to its repository", (command, printed) => {
    const judged = verdict(command);
    expect(judged.is === "allow" ? judged.run?.command : undefined).toBe(printed);
  });
});

test("P.B09: an allow rule never overrides a deny rule, also of a part of a compound", () => {
  expect(isOf("git log && git push", { allow: ["Bash(git *)"], deny: ["Bash(git push *)"], mode: "yolo" })).toBe(
    "deny",
  );
  expect(isOf("git push", { allow: ["Bash(git push)"], deny: ["Bash(git push)"] })).toBe("deny");
  for (const command of ["git -C . push", "git --no-pager -c a=b push origin", "/usr/bin/git -P push"])
    expect(isOf(command, { deny: ["Bash(git push *)"], mode: "yolo" }), command).toBe("deny");
  expect(isOf("git commit -m x -- push", { deny: ["Bash(git push *)"], mode: "yolo" })).toBe("allow");
  expect(isOf("git $x", { deny: ["Bash(git push *)"], mode: "yolo" })).toBe("deny");
});

test("the reason of a question names what is not covered", () => {
  expect(verdict("git log && rm -rf x", { allow: ["Bash(git log *)"] })).toMatchObject({
    because: "no rule covers rm -rf x",
    allowWith: "Bash(git log && rm -rf x)",
  });
});

describe("P.B11: what is judged is what runs", () => {
  const runs = (command: string, wish?: Wish) => {
    const found = verdict(command, wish);
    return found.is === "allow" ? found.run : found.is;
  };
  test("what only reads runs as it was read, and may read the workspace", () => {
    expect(runs("cat 'a b' | head -3 2>/dev/null")).toEqual({
      command: "'cat' 'a b' | 'head' '-3' 2> '/dev/null'",
      unasked: { readable: ["/w"] },
    });
  });
  test("what a rule covers runs as it was read, too", () => {
    expect(runs("touch a\\ b", { allow: ["Bash(touch *)"] })).toEqual({ command: "'touch' 'a b'" });
  });
  test("what a rule says exactly, or yolo allows, runs as it is written", () => {
    expect(runs("touch a\\ b", { allow: ["Bash(touch a\\ b)"] })).toBeUndefined();
    expect(runs("touch a\\ b", { allow: ["Bash"] })).toBeUndefined();
    expect(runs("touch a\\ b", { mode: "yolo" })).toBeUndefined();
  });
});
