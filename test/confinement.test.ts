// What file tools and reading commands reach through the built command, by every way out that we know.
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Call, type Place, letRun, placeOf, succeeded } from "./calls-kit.ts";

/** A sibling with the same beginning, which holds the canary, and every kind of link to it. */
function siblings({ w, proj }: Place): string {
  const evil = `${proj}-evil`;
  mkdirSync(evil);
  mkdirSync(`${proj}/sub`);
  writeFileSync(`${evil}/canary.txt`, "CANARY\n");
  symlinkSync(evil, `${proj}/door`);
  symlinkSync("../proj-evil/canary.txt", `${proj}/leaf.txt`);
  symlinkSync("leaf.txt", `${proj}/chain.txt`);
  symlinkSync("loop", `${proj}/loop`);
  symlinkSync(`${evil}/not-yet.txt`, `${proj}/dangling.txt`);
  symlinkSync(w.dir.path, `${proj}/sub/up`);
  return evil;
}

const waysTo = (name: string, dir: string): string[] => [
  `../proj-evil/${name}`,
  `${dir}/proj-evil/${name}`,
  `${dir}/proj/../proj-evil/${name}`,
  `sub/../../proj-evil/${name}`,
  `sub/up/proj-evil/${name}`,
  `door/${name}`,
  `door/../proj-evil/${name}`,
  `/proc/self/root${dir}/proj-evil/${name}`,
  `/proc/thread-self/root${dir}/proj-evil/${name}`,
  `/proc/self/cwd/../proj-evil/${name}`,
  `/dev/..${dir}/proj-evil/${name}`,
  `~/proj-evil/${name}`,
  `~root/${name}`,
  `a\0/../../proj-evil/${name}`,
  `${"../".repeat(100)}${dir}/proj-evil/${name}`,
  `${"./".repeat(2_500)}../proj-evil/${name}`,
  "x".repeat(5_000),
  "loop",
];

describe("P.F01, P.F02: a path that leads out of the workspace", () => {
  test("is read by no tool and no command, in yolo neither", async () => {
    await using p = await placeOf((place) => {
      siblings(place);
      const ways = [...waysTo("canary.txt", place.w.dir.path), "leaf.txt", "chain.txt"];
      const odd = ["/dev/fd/0", "/dev/fd/3", "/dev/stdin", "/proc/self/environ", "/proc/self/maps"];
      return [
        ...[...ways, ...odd].map((file_path): Call => ["Read", { file_path }]),
        ...ways.map((path): Call => ["Grep", { pattern: "CANARY", path, output_mode: "content" }]),
        ["LS", { path: "door" }],
        ["LS", { path: ".." }],
        ["Glob", { pattern: "../**/*.txt" }],
        ["Glob", { pattern: "**/*.txt", path: "door" }],
      ];
    });
    const { results } = await p.run("--mode", "yolo");
    expect(succeeded(results)).toEqual([]);
    expect(results.map(({ said }) => said).join("\n")).not.toContain("CANARY");
    // Every refusal is one line.
    for (const { said } of results) expect(said.split("\n").length, said).toBeLessThan(3);
  });

  test("is neither written nor made, in yolo neither; a dangling link is no way to a new file", async () => {
    let evil = "";
    await using p = await placeOf((place) => {
      evil = siblings(place);
      const ways = [...waysTo("new.txt", place.w.dir.path), "dangling.txt", "door/deep/new.txt"];
      return [
        ...ways.map((file_path): Call => ["Write", { file_path, content: "planted" }]),
        ...["leaf.txt", "chain.txt", "door/canary.txt"].map((file_path): Call => [
          "Edit",
          { file_path, old_string: "CANARY", new_string: "planted" },
        ]),
      ];
    });
    const { results } = await p.run("--mode", "yolo");
    expect(succeeded(results)).toEqual([]);
    expect(readdirSync(evil)).toEqual(["canary.txt"]);
    expect(readFileSync(`${evil}/canary.txt`, "utf8")).toBe("CANARY\n");
    expect(readdirSync(p.proj).sort()).toEqual(["chain.txt", "dangling.txt", "door", "leaf.txt", "loop", "sub"]);
  });

  test("P.F01: a hard link is the file itself: it is inside, as the threat model says", async () => {
    await using p = await placeOf((place) => {
      linkSync(`${siblings(place)}/canary.txt`, `${place.proj}/hard.txt`);
      return [["Read", { file_path: "hard.txt" }]];
    });
    expect(succeeded((await p.run()).results)).toHaveLength(1);
  });
});

describe("P.F01, P.F02: a deny rule", () => {
  test("holds for the asked path and the real one, other case, other Unicode forms, and what is below", async () => {
    await using p = await placeOf(({ proj }) => {
      for (const folder of ["secrets", "SECRETS", "real", "caf\u00e9", "plain"]) mkdirSync(`${proj}/${folder}`);
      for (const path of ["secrets/.env", "SECRETS/.ENV", "real/key", "caf\u00e9/x", "plain/a.txt", "plain/b.txt"])
        writeFileSync(`${proj}/${path}`, "CANARY\n");
      mkdirSync(`${proj}/cafe\u0301`);
      writeFileSync(`${proj}/cafe\u0301/x`, "CANARY\n");
      symlinkSync("secrets", `${proj}/pub`);
      symlinkSync("secrets/.env", `${proj}/env-link`);
      symlinkSync("real", `${proj}/alias`);
      symlinkSync("plain/a.txt", `${proj}/named`);
      const denied = ["secrets/.env", "SECRETS/.ENV", "sub/../secrets/.env", "pub/.env", "env-link"];
      const more = ["real/key", "alias/key", "caf\u00e9/x", "cafe\u0301/x", "named"];
      return [
        ...[...denied, ...more].map((file_path): Call => ["Read", { file_path }]),
        ...[...denied, ...more].map((path): Call => ["Bash", { command: `cat '${path}'` }]),
        ["Bash", { command: "grep -r CANARY ." }],
        ["Bash", { command: "rg --hidden CANARY" }],
        ["Bash", { command: "grep -r CANARY secrets" }],
        ["Write", { file_path: "secrets/new", content: "x" }],
        ["Edit", { file_path: "pub/.env", old_string: "CANARY", new_string: "x" }],
        ["Bash", { command: "grep -r CANARY plain/b.txt" }],
        ["Grep", { pattern: "CANARY", output_mode: "content" }],
        ["Glob", { pattern: "**/*" }],
      ];
    });
    const deny = ["Read(secrets/**)", "Edit(secrets)", "Read(alias/**)", "Read(caf\u00e9)", "Read(named)"];
    const { results } = await p.run("--mode", "yolo", ...deny.flatMap((rule) => ["--deny", rule]));
    expect(letRun(results).map((call) => JSON.parse(call) as unknown)).toEqual([
      ["Bash", { command: "grep -r CANARY plain/b.txt" }],
      ["Grep", { pattern: "CANARY", output_mode: "content" }],
      ["Glob", { pattern: "**/*" }],
    ]);
    expect(results.at(-2)?.said).toBe("plain/b.txt:1:CANARY");
    expect(results.at(-1)?.said).toBe("plain/b.txt");
    expect(existsSync(`${p.proj}/secrets/new`)).toBe(false);
  });

  test("keeps what git would show of a denied file from running unasked", async () => {
    await using p = await placeOf(({ proj }) => {
      execFileSync("git", ["init", "-q", proj]);
      return [
        ["Bash", { command: "git show HEAD:secrets/.env" }],
        ["Bash", { command: "git log -p" }],
        ["Bash", { command: "git status" }],
      ];
    });
    const { results } = await p.run("--trust", "--deny", "Read(secrets/**)");
    expect(letRun(results)).toEqual([expect.stringContaining("git status")]);
  });
});
