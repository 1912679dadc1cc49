// What can be asked of an open tree from outside: one entry for each op of the socket.
import { type AgentRow, agentRows } from "../../core/agent-rows.ts";
import { fitting } from "../../core/find-agent.ts";
import type { ItemId } from "../../core/ids.ts";
import { type Seen, answerFrom } from "../../core/inbox.ts";
import type { JsonObject } from "../../core/json.ts";
import type { SessionState } from "../../core/session-state.ts";
import { replyOf } from "../inbox/reply-of.ts";
import type { ControlledTree } from "./controlled-tree.ts";
import { BadRequest, choiceIn, numberIn, textIn, textsIn } from "./request-fields.ts";
import type { Answer } from "./serve-lines.ts";
import { waitForEnd } from "./wait-for-end.ts";

export type Op = (tree: ControlledTree, request: JsonObject, signal: AbortSignal) => Promise<Answer>;

const STOP_MS = 5_000;

export const ops: Readonly<Record<string, Op>> = {
  /** Every agent of the tree, also those that have ended. */
  agents: async (tree) => ({ ok: true, agents: rowsOf(tree), mode: tree.state.mode, budget: tree.state.budget }),
  async wait(tree, request, signal) {
    const agent = targetOf(tree, request);
    const over = await waitForEnd(tree, agent, numberIn(request, "timeoutMs"), signal);
    const { result } = agent;
    return { ok: true, over, agent: rowOf(tree, agent), ...(over && result && { result }) };
  },
  send: (tree, request) =>
    tree.steering.send(
      targetOf(tree, request).session,
      textIn(request, "text"),
      choiceIn({ how: "steer", ...request }, "how", ["steer", "follow-up"]),
    ),
  interrupt: (tree, request) => tree.steering.interrupt(targetOf(tree, request).session),
  async stop(tree, request, signal) {
    const agent = targetOf(tree, request);
    const done = await tree.steering.stop(agent.session);
    // Told when it is so, but a tool that does not listen must not keep the person waiting.
    if (done.ok) await waitForEnd(tree, agent, STOP_MS, signal);
    return done;
  },
  background: (tree, request) => tree.steering.background(targetOf(tree, request).session),
  resume: (tree, request) => tree.steering.resume(targetOf(tree, request).session, promptIn(request)),
  async fork(tree, request) {
    const turns = numberIn(request, "turns");
    const prompt = promptIn(request);
    const how = { ...(turns !== undefined && { turns }), ...(prompt !== undefined && { prompt }) };
    return tree.steering.fork(targetOf(tree, request).session, how);
  },
  async mode(tree, request) {
    await tree.changeMode(choiceIn(request, "mode", ["human", "confirm", "yolo"]));
    return { ok: true, mode: tree.state.mode };
  },
  async budget(tree, request) {
    const usd = numberIn(request, "usd");
    const tokens = numberIn(request, "tokens");
    if (usd === undefined && tokens === undefined) throw new BadRequest("budget needs usd, tokens, or both");
    await tree.changeBudget({ ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) });
    return { ok: true, budget: tree.state.budget };
  },
  changes: (tree, request) =>
    tree.decide(targetOf(tree, request), {
      action: choiceIn(request, "action", ["apply", "keep", "discard"]),
      files: textsIn(request, "files"),
      ...(request["from"] !== undefined && { from: textIn(request, "from") }),
    }),
  async answer(tree, request) {
    const id = textIn(request, "item") as ItemId;
    const item = tree.state.items.all.get(id);
    const words = request["words"];
    if (!item) throw new BadRequest(`there is no item "${id}" in this tree`);
    const answer = answerFrom(item, typeof words === "string" ? words : "");
    if ("problem" in answer) throw new BadRequest(answer.problem);
    const { is } = await tree.answer(id, answer, textIn(request, "by"), seenIn(request));
    if (is === "blind")
      throw new BadRequest(`${id} was asked after this answer was typed: look at it, then answer again`);
    return { ok: true, ...replyOf(item, is === "taken") };
  },
};

/** When a surface showed the item, and when its answer was typed. */
function seenIn(request: JsonObject): Seen | undefined {
  const shownAt = numberIn(request, "shownAt");
  return shownAt === undefined ? undefined : { shownAt, typedAt: numberIn(request, "typedAt") ?? shownAt };
}

const rowsOf = (tree: ControlledTree): AgentRow[] => agentRows(tree.state, tree.root, tree.attendance(), tree.waits);

const rowOf = (tree: ControlledTree, { session }: SessionState): AgentRow | undefined =>
  rowsOf(tree).find((row) => row.id === session);

const promptIn = (request: JsonObject): string | undefined =>
  request["prompt"] === undefined ? undefined : textIn(request, "prompt");

/** The agent that `to` names; the lead when it is left out. */
function targetOf(tree: ControlledTree, request: JsonObject): SessionState {
  const wanted = request["to"] === undefined ? tree.root : textIn(request, "to");
  const agents = [...tree.state.sessions.values()].map((state) => {
    const name = state.opened?.child?.name;
    return { session: state.session, path: state.path, state, ...(name !== undefined && { name }) };
  });
  const found = fitting(agents, wanted);
  if (found.length === 1 && found[0]) return found[0].state;
  if (found.length === 0) throw new BadRequest(`there is no agent "${wanted}" in this tree`);
  throw new BadRequest(`"${wanted}" fits ${found.map(({ path }) => path).join(", ")}`);
}
