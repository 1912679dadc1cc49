import { describe, expect, test } from "vitest";
import { keepProblem } from "./grants.ts";
import { offered, run, verdict } from "./grants/grants-test-kit.ts";
import type { Question, Reach } from "./permissions.ts";
import { noRules, parseRule } from "./rules.ts";

const rule = (text: string) => parseRule(text)!;
const write = (path: string): Reach => ({ may: "write", path });
const bash = (command: string, grants: readonly string[] = [], more: Partial<Question> = {}) =>
  verdict("Bash", run(command), grants, more).is;

describe("P.B09: always on a command", () => {
  test.each([
    ["npm test", ["Bash(npm test)"]],
    ["npm test && git push", ["Bash(npm test)", "Bash(git push)"]],
    ["npm test; npm test || npm test", ["Bash(npm test)"]],
    ["git status && npm test 2>&1 | tail -5", ["Bash(git status)", "Bash(npm test)"]],
    ["timeout 60 npm test", ["Bash(npm test)"]],
    ["git add src/a.ts && git commit -m 'one, two'", ["Bash(git add:*)", "Bash(git commit -m:*)"]],
    [`git commit -m "$(cat <<'EOF'\nwords\nEOF\n)"`, ["Bash(git commit -m:*)"]],
    ["git commit --amend", ["Bash(git commit --amend)"]],
    ["npm run lint -- --fix", ["Bash(npm run lint -- --fix)"]],
    ["npm test -- src/a.test.ts", ["Bash(npm test:*)"]],
    ["npm run lint", ["Bash(npm run lint)"]],
  ])("%s stores one rule for each part that needs one, and is not asked again", (command, rules) => {
    expect(offered("Bash", run(command))).toEqual(rules);
    expect(bash(command, rules)).toBe("allow");
    for (const [at] of rules.entries()) expect(bash(command, rules.toSpliced(at, 1)), `without ${at}`).toBe("ask");
  });

  test.each([
    ["sudo make install", "sudo runs another program"],
    ["sh -c 'npm test'", "sh runs what it is given"],
    ["find . -name x -exec rm {} +", "find may run programs or change files"],
    ["npx vitest", "npx runs another program"],
    ["FOO=1 npm test", "it sets FOO, and a variable can change what a program does"],
    ["npm test > out.txt", "it writes out.txt"],
    ["$tool test", "what program it runs is known only when it runs"],
    ["npm test $arg", "no rule says just npm test $arg: not all of its words are plain"],
    ["grep x '*.md'; touch 'a b'", "no rule says just touch 'a b': not all of its words are plain"],
    ["touch 'a;rm -rf b'", "no rule says just touch 'a;rm -rf b': not all of its words are plain"],
    ["touch '*'", "no rule says just touch '*': not all of its words are plain"],
    ["cd sub && npm test", "it changes the folder, and a rule does not say where a command runs"],
    ["cat x.js | node", "node is given something to read, which for some programs is a script"],
    ["node <<EOF\n1\nEOF", "node is given something to read, which for some programs is a script"],
    ["(node) < x.js", "node is given something to read, which for some programs is a script"],
    ["sous permissions add Bash", "sous can change what is allowed"],
    ["curl -H sk-secret-1 x.example", "it has a secret in it, which would be stored"],
    ["touch $(make all)", "no rule says just touch $(make all): not all of its words are plain"],
    ["if", "it is not sound bash"],
  ])("%s offers none, and says why", (command, why) => {
    expect(offered("Bash", run(command))).toBe(why);
  });

  test("a rule that was stored never covers more than its part", () => {
    const grants = ["Bash(npm test)", "Bash(tool)", "Bash(git commit -m:*)", "Bash(rm a)"];
    for (const command of [
      ...["npm test x", "npm", "npm tests", "./npm test", "npm test; rm b", "npm test > f", "npm test & rm b"],
      ...["cd /tmp && npm test", "A=1 npm test", "sudo npm test", "npm test `rm b`", "rm a b"],
      ...["echo 'evil' | tool", "tool <<< evil", "tool < evil.js", "echo x | (tool)", "{ tool; } <<EOF\nx\nEOF"],
      ...["git commit --amend", "git -c core.editor=x commit -m y", "git push", "git commit -m x; git push"],
    ])
      expect(bash(command, grants), command).toBe("ask");
    for (const command of ["npm test", "tool", "git commit -m 'x y'", "npm test && git commit -m z", "npm test | cat"])
      expect(bash(command, grants), command).toBe("allow");
  });

  test("a command that goes elsewhere first asks, whatever rule lets it go there", () => {
    const more = { rules: { ...noRules, allow: [rule("Bash(cd:*)")] } };
    expect(bash("cd /tmp/evil && npm test", ["Bash(npm test)"], more)).toBe("ask");
    expect(bash("npm test", ["Bash(npm test)"], more)).toBe("allow");
  });

  test("one that was given for all commands covers only what can be read for certain", () => {
    expect(bash("make all", ["Bash"])).toBe("allow");
    for (const command of ["$x", "sh -c x", "A=1 make", "echo x | tool", "node x.js", "sous trust", "make > f"])
      expect(bash(command, ["Bash"]), command).toBe("ask");
  });
});

describe("P.B09, B8: a grant gives way to every other layer", () => {
  const grants = [
    "Bash(git push)",
    "Bash(npm test)",
    "Bash(rm .sous/config.json)",
    "Edit(//p/a.ts)",
    "Edit(//p/.sous/x)",
  ];
  const deny = (text: string) => ({ rules: { ...noRules, deny: [rule(text)] } });
  test.each<[string, Partial<Question>, string]>([
    ["a rule that denies it", deny("Bash(git push)"), "deny"],
    ["a rule that denies the program", deny("Bash(git:*)"), "deny"],
    ["a rule that denies a part of the compound", deny("Bash(npm:*)"), "deny"],
    ["a rule that asks", { rules: { ...noRules, ask: [rule("Bash(git push)")] } }, "ask"],
    ["its definition", { narrowing: [{ tool: "Bash", allow: [rule("Bash(npm test)")] }] }, "deny"],
    ["read-only", { readOnly: "because parent ROOT is read-only" }, "deny"],
    ["a folder that is not trusted", { trusted: false }, "ask"],
    ["an outcome that is not known", { outcomeUnknown: true }, "ask"],
  ])("%s", (_, more, is) => {
    expect(bash("npm test && git push", grants)).toBe("allow");
    expect(bash("npm test && git push", grants, more)).toBe(is);
    expect(Array.isArray(offered("Bash", run("npm test && git push"), grants, more))).toBe(false);
  });

  test("files that Sous and git obey, and what is outside the workspace", () => {
    expect(verdict("Write", write("/p/a.ts"), grants).is).toBe("allow");
    expect(verdict("Write", write("/p/.sous/x"), grants).is).toBe("ask");
    expect(offered("Write", write("/p/.sous/x"))).toBe("this asks every time");
    expect(bash("rm .sous/config.json", grants)).toBe("ask");
    expect(verdict("Write", write("/q/a.ts"), ["Edit(//q/a.ts)"]).is).toBe("deny");
    expect(verdict("Edit", write("/p/a.ts"), grants, { readOnly: "it only reads" }).is).toBe("deny");
  });

  test("its definition's dontAsk is not asked, and what was granted runs", () => {
    expect(bash("npm test", grants, { neverAsks: true })).toBe("allow");
    expect(bash("make", grants, { neverAsks: true })).toBe("deny");
  });

  test("a file that a rule hides from Read is not shown by a grant for git", () => {
    const hidden = deny("Read(secrets/**)");
    expect(bash("git show HEAD", ["Bash(git show HEAD)"], hidden)).toBe("ask");
    expect(offered("Bash", run("git show HEAD"), [], hidden)).toBe("it may show files that a rule denies to Read");
  });
});

describe("always on other calls", () => {
  test("a file is allowed to every tool that writes, and no other file", () => {
    expect(offered("Edit", write("/p/src/a.ts"))).toEqual(["Edit(//p/src/a.ts)"]);
    const grants = ["Edit(//p/src/a.ts)"];
    expect(verdict("Write", write("/p/src/a.ts"), grants).is).toBe("allow");
    for (const path of ["/p/src/b.ts", "/p/src/a.ts/x", "/p/src", "/p/SRC/a.ts"])
      expect(verdict("Edit", write(path), grants).is, path).toBe("ask");
  });

  test.each<[string, string, Reach, Partial<Question>]>([
    ["a name with a star", "the name of the file would be a pattern in a rule", write("/p/*.ts"), {}],
    ["a name that turns the writing", "it has characters that do not show", write("/p/a\u202e.ts"), {}],
    [
      "a file of a copy",
      "it is a file of the agent's own copy",
      write("/p/c/a.ts"),
      { copyOf: { root: "/p/c", source: "/s" } },
    ],
    ["a host with a star", "no rule says just this host", { may: "fetch", host: "*.example.com" }, {}],
    [
      "a tool that says nothing of itself",
      "a rule could only allow every Deploy (sous permissions add Deploy)",
      { may: "act" },
      {},
    ],
  ])("%s offers none: %s", (_, why, reach, more) => {
    expect(offered("Deploy", reach, [], more)).toBe(why);
  });

  test("a host is allowed, and none below it", () => {
    const fetch = (host: string, grants: readonly string[] = []) => verdict("WebFetch", { may: "fetch", host }, grants);
    expect(offered("WebFetch", { may: "fetch", host: "docs.example.com" })).toEqual([
      "WebFetch(domain:docs.example.com)",
    ]);
    expect(fetch("docs.example.com", ["WebFetch(domain:docs.example.com)"]).is).toBe("allow");
    expect(fetch("a.docs.example.com", ["WebFetch(domain:docs.example.com)"]).is).toBe("ask");
  });

  test("what cannot be kept is told", () => {
    expect(keepProblem("Bash(npm test)")).toBeUndefined();
    expect(keepProblem("Bash(git log:*)")).toBeUndefined();
    expect(keepProblem("Edit(src/(group)/**)")).toBeUndefined();
    for (const text of ["", "Bash(", "Bash(a; b)", "Bash(a 'b c')", "Bash(* x)", " Bash", "Bash(a)\n", "Edit(a\u200b)"])
      expect(keepProblem(text), JSON.stringify(text)).toBeTypeOf("string");
  });
});
