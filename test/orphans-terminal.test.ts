// A real terminal around a run: whatever ends it, the terminal is as it was, and nothing of the run is left.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { waitFor } from "../src/testing/memory/wait-for.ts";
import { type World, sousArgv } from "./e2e-kit.ts";
import { ALL_CANCELLED, allAsleep, breakable, endsOf, sleepers, treeFlags, treeOfThree } from "./orphans-kit.ts";
import { uniqueSeconds } from "../src/adapters/processes/processes-test-kit.ts";

type Pane = ReturnType<typeof paneWith>;

/** A pane of tmux whose shell notes the terminal's modes before and after the command, and how it ended. */
function paneWith(w: World, words: readonly string[]) {
  const name = `sous-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-L", name, "-f", "/dev/null", ...args], {
      cwd: w.dir.path,
      env: { ...process.env, ...w.env, ...breakable, TERM: "xterm-256color" },
      encoding: "utf8",
    });
  const quoted = sousArgv(...words).map((word) => `'${word}'`);
  // The inner shell outlives a terminal that is closed, to tell how the command ended; the outer one is its leader.
  const script = `trap : HUP INT\nstty -a > before\n${quoted.join(" ")}\necho $? > code\nstty -a > after\nread -r wait`;
  writeFileSync(w.dir.join("pane.sh"), script);
  tmux("new-session", "-d", "-x", "100", "-y", "30", "bash pane.sh; :");
  return {
    press: (...keys: string[]) => tmux("send-keys", ...keys),
    screen: () => tmux("capture-pane", "-p"),
    cursorShows: () => tmux("display-message", "-p", "#{cursor_flag}").trim() === "1",
    kill: (signal: NodeJS.Signals) => {
      const shell = tmux("display-message", "-p", "#{pane_pid}").trim();
      process.kill(
        Number(
          execFileSync("pgrep", ["-P", execFileSync("pgrep", ["-P", shell], { encoding: "utf8" }).trim()], {
            encoding: "utf8",
          }),
        ),
        signal,
      );
    },
    close: () => tmux("kill-server"),
    [Symbol.dispose]() {
      try {
        tmux("kill-server");
      } catch {
        // It is closed already.
      }
    },
  };
}

const noted = (w: World, name: string): string => {
  const path = w.dir.join(name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

const headless = ["run", ...treeFlags, "the lead"];
const typed = ["--plain", ...treeFlags, "the lead"];

describe("P.P01: in a terminal, a tree of three levels", () => {
  test.each([
    { what: "Ctrl-C", words: headless, end: (pane: Pane) => pane.press("C-c"), code: 130 },
    { what: "SIGTERM", words: typed, end: (pane: Pane) => pane.kill("SIGTERM"), code: 143 },
    { what: "broken code", words: typed, end: (pane: Pane) => pane.kill("SIGUSR2"), code: 1 },
  ])("$what: all gone within 2 s, exit $code, the terminal as it was", async ({ words, end, code }) => {
    const seconds = uniqueSeconds();
    await using w = await treeOfThree(`sleep ${seconds} & sleep ${seconds}`);
    using pane = paneWith(w, words);
    await allAsleep(seconds, 6);
    end(pane);
    await waitFor(() => sleepers(seconds).length === 0, 2_000);
    await waitFor(() => noted(w, "after").includes("echoke"), 5_000);
    expect(noted(w, "code"), pane.screen()).toBe(`${code}\n`);
    expect(noted(w, "after")).toBe(noted(w, "before"));
    expect(noted(w, "after")).toMatch(/ icanon .* echo /s);
    expect(pane.cursorShows()).toBe(true);
    expect(endsOf(w)).toEqual(ALL_CANCELLED);
  });

  test.each([
    { what: "headless", words: headless },
    { what: "line by line", words: typed },
  ])("the terminal is closed, $what: all gone within 2 s, exit 129", async ({ words }) => {
    const seconds = uniqueSeconds();
    await using w = await treeOfThree(`sleep ${seconds} & sleep ${seconds}`);
    using pane = paneWith(w, words);
    await allAsleep(seconds, 6);
    pane.close();
    await waitFor(() => sleepers(seconds).length === 0, 2_000);
    await waitFor(() => noted(w, "code"), 5_000);
    expect(noted(w, "code")).toBe("129\n");
    expect(endsOf(w)).toEqual(ALL_CANCELLED);
  });
});
