// The copies of one agent's children, as that agent's tool sees them.
import { join } from "node:path";
import { fitting } from "../../core/find-agent.ts";
import type { AgentPath } from "../../core/ids.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Copies } from "../../ports/copies.ts";
import { type CopyTree, applyCopy, discardCopy, keepCopy, realPaths, writes } from "./copy-actions.ts";
import { copyLines } from "./copy-text.ts";
import { viewCopies } from "./copy-view.ts";

type Refused = { readonly ok: false; readonly problem: string };

/** `inTurn`: what changes a copy or the project is done one after the other. */
export function copiesOf(tree: CopyTree, parent: AgentPath, inTurn: <T>(work: () => Promise<T>) => Promise<T>): Copies {
  const find = (id: string): SessionState | Refused => {
    const below = [...tree.writer.state.sessions.values()].filter(({ path }) => path.startsWith(`${parent}::`));
    const named = below.map((state) => {
      const name = state.opened?.child?.name;
      return { session: state.session, path: state.path, state, ...(name !== undefined && { name }) };
    });
    const [one, second] = fitting(named, id);
    if (one && !second) return one.state;
    return { ok: false, problem: one ? `"${id}" fits several children` : `there is no child ${id}` };
  };
  const withCopy = async <T>(id: string, act: (owner: SessionState) => Promise<T>): Promise<T | Refused> => {
    const owner = find(id);
    if ("ok" in owner) return owner;
    return owner.copy ? act(owner) : { ok: false, problem: `${owner.path} has no copy of its own with changes` };
  };

  return {
    show: (id, files) =>
      withCopy(id, async ({ session }) => {
        const [view] = await viewCopies(tree.writer.state, tree.worktrees, session);
        if (!view) return { ok: false, problem: `${id} has no copy of its own any more` } as const;
        const chosen = view.files.filter(
          ({ path }) => files.length === 0 || files.some((name) => isMeant(view.source, path, name)),
        );
        const said = copyLines({ ...view, files: chosen }).join("\n");
        return { ok: true, said, writes: await realPaths(view.source, chosen.filter(writes)) } as const;
      }),
    apply: (id, files, allowed) =>
      inTurn(() =>
        withCopy(id, async (owner) => {
          const done = await applyCopy(tree, owner, { files, allowed, by: parent });
          if (!done.ok) return done;
          const names = done.applied.map(({ path }) => path).join(", ");
          const rest = done.left.length > 0 ? `; still open: ${done.left.join(", ")}` : "; its copy is gone";
          return {
            ok: true,
            said: `applied ${names || "nothing: all was here already"}${rest}`,
            files: done.applied,
          } as const;
        }),
      ),
    keep: (id) =>
      inTurn(() =>
        withCopy(id, async (owner) => {
          const done = await keepCopy(tree, owner, parent);
          if (!done.ok) return done;
          const more = done.rest === undefined ? "" : `, and what else its repository held as ${done.rest}`;
          return { ok: true, said: `kept as the branch ${done.branch}${more}` } as const;
        }),
      ),
    discard: (id) =>
      inTurn(() =>
        withCopy(id, async (owner) => {
          const done = await discardCopy(tree, owner, parent);
          return done.ok ? ({ ok: true, said: "discarded" } as const) : done;
        }),
      ),
  };
}

const isMeant = (source: string, path: string, name: string): boolean =>
  name.replace(/^\.\//, "") === path || name === join(source, path);
