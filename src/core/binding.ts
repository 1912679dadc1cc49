// Where a child is to work, from what its definition and its caller ask for and what its parent has: never wider than
// the parent, and never looser than the definition. Pure.
import type { AgentDefinition, Isolation } from "./agents/definition.ts";
import { type Network, bothAllow } from "./domains.ts";
import type { Binding } from "./events.ts";

export type PlaceWish = {
  readonly isolation: Isolation;
  readonly allowWrites: boolean;
  readonly network: Network;
  /** Of a folder of its own: given, or printed by a command. */
  readonly path?: string;
  readonly command?: string;
};

type Defined = Pick<AgentDefinition, "name" | "isolation" | "workspace" | "permissionMode">;
type Asked = { readonly isolation?: "shared" | "worktree" | "sandbox" };

const STRICTNESS = ["shared", "worktree", "sandbox"] as const;

export function placeWish(
  definition: Defined,
  { isolation: asked = "shared" }: Asked,
  parent: Binding,
): PlaceWish | { readonly problem: string } {
  const { name, isolation, workspace = {} } = definition;
  const { path, command } = workspace;
  const hasOwn = path !== undefined || command !== undefined;
  const defined = workspace.isolation ?? isolation ?? (hasOwn ? "custom" : "shared");
  const confined = parent.isolation === "sandbox";
  const rights = {
    allowWrites: parent.allowWrites && mayWrite(definition),
    network: bothAllow(workspace.network ?? false, !confined || (parent.network ?? false)),
  };
  if (defined !== "custom") {
    const stricter = STRICTNESS[Math.max(STRICTNESS.indexOf(defined), STRICTNESS.indexOf(asked))] ?? "shared";
    return { isolation: confined && stricter === "worktree" ? "sandbox" : stricter, ...rights };
  }
  if (asked !== "shared") return { problem: `${name} works in a folder of its own, which is no ${asked}` };
  if (hasOwn && !(path !== undefined && command !== undefined))
    return {
      isolation: "custom",
      ...rights,
      ...(path !== undefined && { path }),
      ...(command !== undefined && { command }),
    };
  return { problem: `the workspace of ${name} is custom: it needs either a path or a command` };
}

/** What a definition itself says. */
export const mayWrite = ({ workspace, permissionMode }: Omit<Defined, "name" | "isolation">): boolean =>
  (workspace?.allowWrites ?? true) && permissionMode !== "plan";
