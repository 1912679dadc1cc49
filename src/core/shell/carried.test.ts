// P.B04, P.B11: a denied program is not started by what a command carries as text, or by what the shell listens to.
import { describe, expect, test } from "vitest";
import { judge } from "../permissions.ts";
import { parseRule } from "../rules.ts";
import { readShell } from "./read-shell.ts";

const isOf = (command: string, rule = "Bash(rm:*)", allow: readonly string[] = []): string =>
  judge({
    ...{ tool: "Bash", reach: [{ may: "run", command, reading: readShell(command), reads: [] }], mode: "yolo" },
    ...{ roots: ["/w"], places: { cwd: "/w", home: "/home/me" }, trusted: true, outcomeUnknown: false },
    ...{ rules: { allow: allow.map((one) => parseRule(one)!), ask: [], deny: [parseRule(rule)!] } },
  }).is;

describe("a variable by which the shell runs something else, set in any way, is denied", () => {
  const names = ["PS4", "BASH_CMDS", "BASH_ALIASES", "BASH_ENV", "ENV", "PROMPT_COMMAND", "PATH", "IFS"];
  test.each(names)("%s", (name) => {
    const ways = [
      ...[
        `${name}=x`,
        `${name}=x ls`,
        `export ${name}=x`,
        `export ${name}`,
        `declare '${name}=x'`,
        `declare -x ${name}=x`,
      ],
      ...[
        `declare '${name}[foo]=x'`,
        `${name}+=x`,
        `read ${name} <<< x`,
        `read '${name}[a]' <<< x`,
        `printf -v ${name} x`,
      ],
      ...[`printf -v${name} x`, `for ${name} in x; do ls; done`, `: \${${name}:=x}`, `: "\${${name}=x}"`],
      ...[`env ${name}=x bash -c ls`, `mapfile ${name} < f`, `sudo ${name}=x ls`, `(${name}=x; ls)`],
      ...[`find . -exec env ${name}=x bash -xc true ';'`, `getopts a ${name}`],
    ];
    expect(ways.filter((command) => isOf(command) !== "deny")).toEqual([]);
  });
  test("and so are functions in the environment", () => {
    expect(isOf(`env 'BASH_FUNC_foo%%=() { r""m x; }' bash -c foo`)).toBe("deny");
  });
});

describe("a command that is carried as text is read like any other", () => {
  test.each([
    ...[
      `script -qc 'r""m x' /dev/null`,
      `flock a -c 'r""m x'`,
      `su -c 'r""m x'`,
      `nohup script -qc r\\"\\"m\\ x /dev/null`,
    ],
    ...[`git -c alias.z='!r""m x' z`, `make -f /dev/null --eval 'x:;r""m y'`, `ls | split --filter='r""m x'`],
    ...[`tar cf a --checkpoint=1 --checkpoint-action=exec='r""m x' b`, `tmux new -d 'r""m x'`, `ssh h 'r\\m x'`],
    ...[`script -qc 'echo cm0geA== | base64 -d | sh'`, "flock a -c '$(printf r)m x'", "watch '`echo r`m x'"],
    ...[`GIT_EDITOR='r""m x;' git commit --amend`, `export GIT_EDITOR='r""m x;'; git commit --amend`],
    ...[`git submodule foreach 'r""m x'`, `git rebase -x 'r""m x' HEAD`, `git bisect run sh -c 'r""m x'`],
    ...["sed '1erm x' a", `sed 's/.*/r""m x/e' a`, "sed -n '1e' a", "sed -e p -e '1e ls' a", "sed 's/a/b/w f' a"],
    ...["install -s --strip-program=rm a b", "install -s --strip-pro=/bin/rm a b", "sort --compress-prog=rm a"],
    ...["git fetch --upload-pa='rm x;' .", "git push --receive-pa='rm x;' .", "git fetch 'ext::rm x'", "rg --pre=rm a"],
    ...[`awk 'BEGIN{system("r\\"\\"m x")}'`],
  ])("%j is denied", (command) => expect(isOf(command)).toBe("deny"));
  test.each([
    ...[
      "sed -i 's/a/b/g' f",
      "sed -n '10,20p' f",
      "sed -e 's|a|b|' -e '/x/d' f",
      "sed '/a/,/b/d; s/c/d/' f",
      "sed 's/rm/ls/' f",
    ],
    ...[
      "git commit -m 'a \"b\" $c; (d)'",
      "git log --format='%h %s'",
      "docker run --rm -it x ls",
      "tar czf a.tgz --exclude='*.o' b",
    ],
    ...["make CFLAGS='-O2 -g'", "export X=1 Y=2", "echo 'PATH=x'", "grep PATH= f"],
    ...["python3 -c 'print(\"it\")'", "ssh h 'ls -l'", "echo $PATH", "printenv PATH", "sort --reverse a", "rg --files"],
  ])("%j runs", (command) => expect(isOf(command)).toBe("allow"));
});

describe("where a verb of git is denied, another name for it is, too", () => {
  test.each([
    ...[
      "git push x",
      "git -c alias.p=push p x",
      "git config alias.q push",
      "git q x",
      "git send-pack x",
      "git -p push x",
    ],
    ...[
      "git config --global alias.q push",
      `git -c alias.r='!git pu""sh x' r`,
      `git fetch --upload-pa='git pu""sh x;' .`,
    ],
  ])("%j is denied", (command) => expect(isOf(command, "Bash(git push:*)", ["Bash(git:*)"])).toBe("deny"));
  test.each([
    "git log -1",
    "git -C a status",
    "git stash push",
    "git fetch origin",
    "git commit -m push",
    "git config user.name a",
  ])("%j runs", (command) => expect(isOf(command, "Bash(git push:*)")).toBe("allow"));
});
