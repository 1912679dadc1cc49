// The socket of a run against what is not meant for it: garbage, floods, hang-ups, other users' folders, killed hosts.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { type Socket, connect } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownCredentials } from "../src/host/caller.ts";
import { says, slow } from "../src/testing/wire-server/script.ts";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { resultIn, type World, world } from "./e2e-kit.ts";

const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x", "-o", "json", "go"];

function socketOf(w: World): string | undefined {
  const trees = join(w.stateDir, "trees");
  const file = join(trees, (existsSync(trees) && readdirSync(trees).at(-1)) || "", "socket.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { socket: string }).socket : undefined;
}

/** All that is answered until the socket is closed by the other side, or for so long. */
function say(path: string, bytes: string | Buffer, ms = 3_000): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(path, () => socket.write(bytes));
    const done = (): void => {
      socket.destroy();
      resolve(heard);
    };
    socket.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
      if (heard.endsWith("\n")) done();
    });
    socket.on("close", done).on("error", () => {});
    setTimeout(done, ms).unref();
  });
}

async function held(w: World) {
  const child = w.start(yolo);
  let stdout = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const ended = new Promise<string>((resolve) => child.on("close", () => resolve(stdout)));
  return { child, ended, socket: await waitFor(() => socketOf(w)) };
}

describe("the socket of a run", () => {
  test("X11: garbage, a line of 10 MB, fifty clients and hang-ups get an answer or nothing, and harm nobody", async () => {
    await using w = await world([slow({ headersAfterMs: 60_000 }, says("never")), says("done")]);
    const { ended, socket } = await held(w);
    expect(lstatSync(socket).mode & 0o777).toBe(0o600);
    expect(lstatSync(dirname(socket)).mode & 0o777).toBe(0o700);
    expect(await say(socket, "hello\n")).toBe('{"ok":false,"problem":"the line is not JSON"}\n');
    expect(await say(socket, Buffer.from([0xff, 0x00, 0xfe, 10]))).toContain("not JSON");
    expect(await say(socket, "[1]\n")).toContain("a JSON object with an op");
    expect(await say(socket, '{"op":"agent","id":7}\n')).toMatch(/no op \\"agent\\"; did you mean agents\?.*"id":7/);
    expect(await say(socket, '{"op":"__proto__"}\n')).toContain('"ok":false');
    const person = (request: object): string =>
      `${JSON.stringify({ ...request, as: ownCredentials(() => "0badc0de") })}\n`;
    expect(await say(socket, person({ op: "mode", mode: "rage" }))).toContain(
      "mode must be one of human, confirm, yolo",
    );
    expect(await say(socket, '{"op":"mode","mode":"yolo"}\n')).toContain("mode is for a person");
    expect(await say(socket, '{"op":"wait","to":"nobody"}\n')).toContain("there is no agent");
    expect(await say(socket, `{"op":"${"x".repeat(10_000_000)}`)).toContain("a request is at most 1048576 bytes");
    // Those that hang up in the middle, and one that asks and never reads.
    for (let n = 0; n < 20; n++)
      connect(socket)
        .on("error", () => {})
        .end('{"op":');
    const deaf: Socket = connect(socket, () => deaf.write('{"op":"agents"}\n'.repeat(20_000))).on("error", () => {});
    deaf.pause();
    const answers = await Promise.all(Array.from({ length: 50 }, () => say(socket, '{"op":"agents"}\n')));
    expect(new Set(answers.map((answer) => (JSON.parse(answer) as { ok: boolean }).ok))).toEqual(new Set([true]));
    // The run is as it was, and still listens.
    expect(await say(socket, person({ op: "interrupt" }))).toContain('"ok":true');
    expect(await say(socket, person({ op: "send", text: "go on" }))).toContain('"ok":true');
    expect(resultIn(await ended)).toMatchObject({ status: "succeeded", output: "done" });
    deaf.destroy();
    expect(existsSync(socket)).toBe(false);
    expect(socketOf(w)).toBeUndefined();
  });

  test("X11: what a killed host left behind is told as cut off, and swept away by the next", async () => {
    await using w = await world([
      slow({ headersAfterMs: 60_000 }, says("never")),
      slow({ headersAfterMs: 60_000 }, says("never")),
    ]);
    const first = await held(w);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(existsSync(first.socket)).toBe(true);
    expect((await w.sous(["ps", "--json"])).stdout).toBe("[]\n");
    expect(JSON.parse((await w.sous(["ps", "--all", "--json"])).stdout)).toMatchObject([{ status: "interrupted" }]);
    expect((await w.sous(["wait", "last"])).code).toBe(1);
    const second = w.start(yolo);
    await waitFor(() => !existsSync(first.socket));
    second.kill("SIGTERM");
  });

  test("X11: a runtime folder that is a link, or too long, is not used; one open to others is closed first", async () => {
    await using w = await world({ always: slow({ headersAfterMs: 60_000 }, says("never")) });
    const place = async (runtime: string): Promise<string> => {
      Object.assign(w.env, { XDG_RUNTIME_DIR: runtime });
      const { child, ended, socket } = await held(w);
      child.kill("SIGTERM");
      await ended;
      return dirname(socket);
    };
    const open = w.dir.join("r");
    mkdirSync(join(open, "sous"), { recursive: true });
    chmodSync(join(open, "sous"), 0o777);
    expect(await place(open)).toBe(join(open, "sous"));
    expect(lstatSync(join(open, "sous")).mode & 0o777).toBe(0o700);
    const linked = w.dir.join("l");
    mkdirSync(linked);
    symlinkSync(open, join(linked, "sous"));
    expect(await place(linked)).not.toContain(w.dir.path);
    const long = w.dir.join("long".repeat(30));
    mkdirSync(long);
    expect(await place(long)).not.toContain(w.dir.path);
  });
});
