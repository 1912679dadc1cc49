import { expect, test } from "vitest";
import type { WorkspaceWish } from "./agents/definition.ts";
import { type PlaceWish, placeWish } from "./binding.ts";
import type { Binding } from "./events.ts";

const lead: Binding = { cwd: "/p", isolation: "shared", allowWrites: true };
const sandbox: Binding = { cwd: "/c", isolation: "sandbox", allowWrites: true };
type Asked = "shared" | "worktree" | "sandbox";
const ask = (workspace: WorkspaceWish, asked?: Asked, parent = lead) =>
  placeWish({ name: "a", workspace }, asked ? { isolation: asked } : {}, parent);

test.each<[string, ReturnType<typeof ask>, Partial<PlaceWish>]>([
  ["nothing asked for is its parent's", ask({}), { isolation: "shared", allowWrites: true, network: false }],
  ["its caller may ask for more", ask({}, "worktree"), { isolation: "worktree" }],
  ["its caller may not ask for less", ask({ isolation: "sandbox" }, "shared"), { isolation: "sandbox" }],
  ["below a sandbox a copy is a sandbox", ask({}, "worktree", sandbox), { isolation: "sandbox" }],
  ["below a sandbox nobody gives a network", ask({ network: true }, "sandbox", sandbox), { network: false }],
  [
    "one with a network can hand it on",
    ask({ network: true }, "sandbox", { ...sandbox, network: true }),
    { network: true },
  ],
  [
    "read-only holds below",
    ask({ allowWrites: true }, "shared", { ...lead, allowWrites: false }),
    { allowWrites: false },
  ],
  ["a path makes it custom", ask({ path: "part" }), { isolation: "custom", path: "part" }],
])("D2, D3: %s", (_name, placed, expected) => {
  expect(placed).toMatchObject(expected);
});

test("D3: a custom workspace needs one of path and command, and is no copy", () => {
  const either = { problem: expect.stringContaining("either a path or a command") as string };
  expect(ask({ isolation: "custom" })).toEqual(either);
  expect(ask({ isolation: "custom", path: "x", command: "y" })).toEqual(either);
  expect(ask({ path: "x" }, "worktree")).toEqual({ problem: "a works in a folder of its own, which is no worktree" });
});
