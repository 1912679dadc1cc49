// Write and Edit on real files: what they change, what they refuse, and what they tell.
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { toolWorld } from "../../../test/tool-world.ts";

const sha = (text: string | Buffer): string => createHash("sha256").update(text).digest("hex");

describe("Write", () => {
  test("makes a file and its folders, and tells hash and lines", async () => {
    const w = await toolWorld();
    const outcome = await w.call("Write", { file_path: "a/b/new.txt", content: "one\ntwo\n" });
    expect(readFileSync(w.join("a/b/new.txt"), "utf8")).toBe("one\ntwo\n");
    expect(outcome).toMatchObject({
      ok: true,
      said: [{ text: "created a/b/new.txt (+2 -0 lines)" }],
      facts: {
        files: [
          {
            path: w.join("a/b/new.txt"),
            change: "created",
            before: null,
            after: sha("one\ntwo\n"),
            hash: sha("one\ntwo\n").slice(0, 16),
            added: 2,
            removed: 0,
            folders: [w.join("a"), w.join("a/b")],
          },
        ],
      },
    });
    expect(await w.reach("Write", { file_path: "a/../c.txt", content: "" })).toEqual([
      { may: "write", path: w.join("c.txt") },
    ]);
  });

  test("a new file has the mode that the umask leaves", async () => {
    const w = await toolWorld();
    const old = process.umask(0o027);
    try {
      await w.said("Write", { file_path: "new.txt", content: "x" });
    } finally {
      process.umask(old);
    }
    expect(statSync(w.join("new.txt")).mode & 0o7777).toBe(0o640);
  });

  test("an existing file must have been read, and keeps its mode", async () => {
    const w = await toolWorld();
    writeFileSync(w.join("run.sh"), "old\n");
    chmodSync(w.join("run.sh"), 0o4751);
    expect(await w.failed("Write", { file_path: "run.sh", content: "new\n" })).toMatch(
      /has not been read.*Read it first/,
    );
    expect(readFileSync(w.join("run.sh"), "utf8")).toBe("old\n");
    await w.said("Read", { file_path: "run.sh" });
    const outcome = await w.call("Write", { file_path: "run.sh", content: "new\nmore\n" });
    expect(outcome.facts?.files).toMatchObject([
      { change: "changed", before: sha("old\n"), mode: 0o4751, added: 2, removed: 1 },
    ]);
    expect(readFileSync(w.join("run.sh"), "utf8")).toBe("new\nmore\n");
    expect(statSync(w.join("run.sh")).mode & 0o7777).toBe(0o4751);
  });

  test("writes through a link to the real file, and its reach names that file", async () => {
    const w = await toolWorld();
    mkdirSync(w.join("real"));
    writeFileSync(w.join("real/a.txt"), "a");
    symlinkSync("real/a.txt", w.join("link.txt"));
    symlinkSync("real/new.txt", w.join("dangling.txt"));
    await w.said("Read", { file_path: "link.txt" });
    await w.said("Write", { file_path: "link.txt", content: "b" });
    await w.said("Write", { file_path: "dangling.txt", content: "c" });
    expect(readFileSync(w.join("real/a.txt"), "utf8")).toBe("b");
    expect(readFileSync(w.join("real/new.txt"), "utf8")).toBe("c");
    expect(await w.reach("Write", { file_path: "link.txt", content: "" })).toMatchObject([
      { may: "write", path: w.join("real/a.txt") },
    ]);
  });

  test.each([
    ["a folder", "sub", /is a folder/],
    ["a place below a file", "file.txt/below", /not a folder/],
    ["too long a name", "x".repeat(300), /too long a name/],
    ["a path with NUL", "a\u0000b", /not a possible path/],
  ])("refuses %s in words", async (_, file_path, words) => {
    const w = await toolWorld();
    mkdirSync(w.join("sub"));
    writeFileSync(w.join("file.txt"), "x");
    expect(await w.failed("Write", { file_path, content: "x" })).toMatch(words);
  });
});

describe("Edit", () => {
  async function withFile(content: string | Buffer) {
    const w = await toolWorld();
    writeFileSync(w.join("f.txt"), content);
    await w.said("Read", { file_path: "f.txt" });
    return { ...w, now: () => readFileSync(w.join("f.txt")) };
  }

  test("replaces the one place that matches", async () => {
    const w = await withFile("alpha\nbeta\ngamma\n");
    const outcome = await w.call("Edit", { file_path: "f.txt", old_string: "beta", new_string: "b\nc" });
    expect(w.now().toString()).toBe("alpha\nb\nc\ngamma\n");
    expect(outcome.facts?.files).toMatchObject([
      { change: "changed", added: 2, removed: 1, before: sha("alpha\nbeta\ngamma\n"), after: sha(w.now()) },
    ]);
  });

  test("several places are refused, or all replaced", async () => {
    const w = await withFile("x x x");
    expect(await w.failed("Edit", { file_path: "f.txt", old_string: "x", new_string: "y" })).toMatch(
      /is 3 times in f.txt.*replace_all/,
    );
    expect(w.now().toString()).toBe("x x x");
    await w.said("Edit", { file_path: "f.txt", old_string: "x", new_string: "$&y", replace_all: true });
    expect(w.now().toString()).toBe("$&y $&y $&y");
  });

  test.each([
    ["a text that is not there", { old_string: "no", new_string: "yes" }, /is not in f.txt/],
    ["the same text", { old_string: "x", new_string: "x" }, /are the same/],
    ["an empty old_string", { old_string: "", new_string: "y" }, /old_string is empty/],
  ])("refuses %s", async (_, strings, words) => {
    const w = await withFile("x");
    expect(await w.failed("Edit", { file_path: "f.txt", ...strings })).toMatch(words);
    expect(w.now().toString()).toBe("x");
  });

  test("a file that does not exist is told", async () => {
    const w = await toolWorld();
    expect(await w.failed("Edit", { file_path: "none.txt", old_string: "a", new_string: "b" })).toMatch(
      /does not exist/,
    );
  });

  test("bytes that are no UTF-8, a byte order mark and CRLF stay as they are", async () => {
    const bytes = Buffer.concat([
      Buffer.from("\ufeffone\r\ntwo\r\n"),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from("\r\nend"),
    ]);
    const w = await withFile(bytes);
    await w.said("Edit", { file_path: "f.txt", old_string: "one\ntwo", new_string: "1\n2\n3" });
    const wanted = Buffer.concat([
      Buffer.from("\ufeff1\r\n2\r\n3\r\n"),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from("\r\nend"),
    ]);
    expect(w.now().equals(wanted)).toBe(true);
  });

  test("P.Z01: of two agents that read the same file the second to edit is refused, reads again, and nothing is lost", async () => {
    const a = await withFile("one\ntwo\n");
    const b = a.agent();
    await b.said("Read", { file_path: "f.txt" });
    await a.said("Edit", { file_path: "f.txt", old_string: "one", new_string: "1" });
    const change = { file_path: "f.txt", old_string: "two", new_string: "2" };
    expect(await b.failed("Edit", change)).toMatch(/was changed since it was last read.*Read it again/);
    expect(await b.failed("Write", { file_path: "f.txt", content: "mine" })).toMatch(/was changed since/);
    await b.said("Read", { file_path: "f.txt" });
    await b.said("Edit", change);
    expect(a.now().toString()).toBe("1\n2\n");
  });

  test("P.Z01: of twenty agents that edit at the same instant one wins, and the others are told", async () => {
    const first = await withFile("n=0\n");
    const agents = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const agent = first.agent();
        await agent.said("Read", { file_path: "f.txt" });
        return agent;
      }),
    );
    const outcomes = await Promise.all(
      agents.map((agent, n) => agent.call("Edit", { file_path: "f.txt", old_string: "n=0", new_string: `n=${n + 1}` })),
    );
    const winners = outcomes.flatMap((outcome, n) => (outcome.ok ? [n + 1] : []));
    expect(winners).toHaveLength(1);
    expect(first.now().toString()).toBe(`n=${winners[0]}\n`);
  });

  test("a change of the same size within the same tick, with its time put back, is seen; a touch is none", async () => {
    const w = await withFile("aaaa");
    const { atime, mtime } = statSync(w.join("f.txt"));
    writeFileSync(w.join("f.txt"), "bbbb");
    utimesSync(w.join("f.txt"), atime, mtime);
    expect(await w.failed("Edit", { file_path: "f.txt", old_string: "b", new_string: "c", replace_all: true })).toMatch(
      /changed since/,
    );
    await w.said("Read", { file_path: "f.txt" });
    utimesSync(w.join("f.txt"), new Date(), new Date());
    await w.said("Edit", { file_path: "f.txt", old_string: "bbbb", new_string: "cccc" });
  });

  test("a large file that changed is seen by its stamp", async () => {
    const w = await withFile(`head\n${"line of text\n".repeat(500_000)}`);
    await w.said("Edit", { file_path: "f.txt", old_string: "head", new_string: "HEAD" });
    const other = w.agent();
    await other.said("Read", { file_path: "f.txt", limit: 1 });
    writeFileSync(w.join("f.txt"), `tail\n${"line of text\n".repeat(500_000)}`);
    expect(await other.failed("Edit", { file_path: "f.txt", old_string: "tail", new_string: "x" })).toMatch(
      /changed since/,
    );
  });

  test("what was written may be edited without reading it", async () => {
    const w = await toolWorld();
    await w.said("Write", { file_path: "n.txt", content: "abc" });
    await w.said("Edit", { file_path: "n.txt", old_string: "b", new_string: "B" });
    await w.said("Edit", { file_path: "n.txt", old_string: "c", new_string: "C" });
    expect(readFileSync(w.join("n.txt"), "utf8")).toBe("aBC");
    expect(existsSync(w.state.join("undo"))).toBe(true);
  });
});
