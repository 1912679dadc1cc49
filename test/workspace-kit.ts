// A git project, agents that follow scripts, and what is looked up of their copies: for tests of workspaces through the
// built command.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call } from "../src/testing/wire-server/script.ts";
import type { Step } from "../src/testing/wire-server/step.ts";
import { byTask } from "./by-task.ts";
import { type World, journal, world } from "./e2e-kit.ts";

export const yolo = ["run", "--mode", "yolo", "--model", "anthropic/x", "-o", "json"];
export const spawn = (prompt: string, more: Record<string, string | boolean> = {}) =>
  call("spawn_subagent", { prompt, ...more });

export async function project(scripts: Record<string, readonly Step[]>) {
  const w = await world(byTask(scripts));
  const top = realpathSync(w.dir.path);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...args], {
      cwd: top,
      encoding: "utf8",
    }).trim();
  git("init", "-q");
  writeFileSync(join(top, ".gitignore"), "ignored/\n");
  for (const name of ["a.txt", "b.txt", "c.txt"]) writeFileSync(join(top, name), `1 ${name}\n2\n3\n`);
  git("add", ".");
  git("commit", "-qm", "first");
  return Object.assign(w, { top, git, read: (path: string) => readFileSync(join(top, path), "utf8") });
}

export function agent({ dir }: World, name: string, head: string): void {
  mkdirSync(dir.join(".sous/agents"), { recursive: true });
  writeFileSync(
    dir.join(".sous/agents", `${name}.md`),
    `---\nname: ${name}\ndescription: d\n${head}\n---\nYou are ${name}.\n`,
  );
}

export const copies = ({ stateDir }: World): string[] => {
  const [tree = ""] = readdirSync(join(stateDir, "trees"));
  const folder = join(stateDir, "trees", tree, "worktrees");
  return existsSync(folder) ? readdirSync(folder) : [];
};
export const toolResults = (w: World, path: string): string[] =>
  journal(w.stateDir).flatMap((event) =>
    event.type === "tool.ended" && event.path === path
      ? [event.outcome.said.map((part) => (part.type === "text" ? part.text : "")).join("")]
      : [],
  );
