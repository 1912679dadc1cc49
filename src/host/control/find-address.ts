// Which agent, of all that were ever begun, a person means by a word: a session, a child by its id, path or name.
import { join } from "node:path";
import { sessionsFolder, treeFolder } from "../../adapters/log/layout.ts";
import { nodeFiles } from "../../adapters/log/node-files.ts";
import { readFirstRecord } from "../../adapters/log/first-record.ts";
import { type Named, fitting } from "../../core/find-agent.ts";
import { ROOT, type AgentPath, type SessionId } from "../../core/ids.ts";
import { HostError } from "../host-error.ts";
import type { Scope } from "../project-scope.ts";
import { agentsOf } from "./list-agents.ts";
import { findSession, namesSession, ownerOf, readState, sessionIds } from "../session-store.ts";

export type Address = { readonly tree: SessionId; readonly session: SessionId; readonly path: AgentPath };
type Found = Named & { readonly tree: SessionId };

/**
 * TREE, TREE/CHILD, or CHILD alone; `last` is the newest tree in the scope. Throws a HostError that names what fits, when
 * that is none or several.
 */
export async function findAddress(stateDir: string, wanted: string, scope: Scope): Promise<Address> {
  const slash = wanted.indexOf("/");
  if (slash > 0) {
    const tree = await findSession(stateDir, wanted.slice(0, slash), scope);
    return inTree(stateDir, tree, wanted.slice(slash + 1));
  }
  if (namesSession(stateDir, wanted)) return addressOfLead(await findSession(stateDir, wanted, scope));
  const trees = sessionIds(stateDir);
  const live: SessionId[] = [];
  for (const tree of trees) if (await ownerOf(stateDir, tree)) live.push(tree);
  // A name is used again and again: who works now is meant before who has ended.
  const working = fitting(await atWork(stateDir, live), wanted);
  if (working.length > 0) return only(working, wanted);
  const left = trees.filter((tree) => !live.includes(tree));
  return only(fitting(await recorded(stateDir, left.toReversed()), wanted), wanted);
}

async function inTree(stateDir: string, tree: SessionId, wanted: string): Promise<Address> {
  const { state } = await readState(stateDir, tree);
  const agents = [...state.sessions.values()].map(({ session, path, opened }) => {
    const name = opened?.child?.name;
    return { tree, session, path, ...(name !== undefined && { name }) };
  });
  return only(fitting<Found>(agents, wanted), wanted, tree);
}

/** As their hosts know them: a child that was just made is in no file of its own yet. */
async function atWork(stateDir: string, trees: readonly SessionId[]): Promise<Found[]> {
  // A tree that cannot be read does not hide the others.
  const rows = (await Promise.all(trees.map((tree) => agentsOf(stateDir, tree).catch(() => [])))).flat();
  return rows
    .filter(({ path }) => path !== ROOT)
    .map(({ id, tree, path, name }) => ({ tree, session: id, path, ...(name !== undefined && { name }) }));
}

async function recorded(stateDir: string, trees: readonly SessionId[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const tree of trees) found.push(...(await childrenOf(stateDir, tree)));
  return found;
}

/** From the first line of each child's own file: cheap also where there are thousands of journals. */
async function childrenOf(stateDir: string, tree: SessionId): Promise<Found[]> {
  const folder = sessionsFolder(treeFolder({ stateDir, tree }));
  const found: Found[] = [];
  for (const file of nodeFiles.list(folder)) {
    if (!file.endsWith(".jsonl") || file === `${ROOT}.jsonl`) continue;
    const first = await readFirstRecord(nodeFiles, join(folder, file)).catch(() => undefined);
    if (first?.type !== "session.opened") continue;
    const name = first.child?.name;
    found.push({ tree, session: first.session, path: first.path, ...(name !== undefined && { name }) });
  }
  return found;
}

const MOST_NAMED = 5;

function only(found: readonly Found[], wanted: string, tree?: SessionId): Address {
  const [one, second] = found;
  if (one && !second) return { tree: one.tree, session: one.session, path: one.path };
  const where = tree === undefined ? "" : ` in ${tree}`;
  if (!one && tree === undefined)
    throw new HostError(`there is no session or agent "${wanted}"; see sous sessions and sous ps --all`);
  if (!one) throw new HostError(`there is no agent "${wanted}"${where}; see sous sessions tree ${tree}`);
  const named = found.slice(0, MOST_NAMED).map((each) => `${each.tree}/${each.path}`);
  const more = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : "";
  throw new HostError(`"${wanted}" fits ${found.length} agents${where}: ${named.join(", ")}${more}`);
}

const addressOfLead = (tree: SessionId): Address => ({ tree, session: tree, path: ROOT });
