// Which ops of a tree's socket only a person may ask for, and why a request is refused that does not come from one.
import { type JsonObject, isObject } from "../../core/json.ts";
import type { Processes } from "../../ports/processes.ts";
import { type Credentials, whoIs } from "../caller.ts";

/** `rights`: it widens what agents may do. `steering`: it only tells them to go on, otherwise, or not at all. */
const PERSON_ONLY: Readonly<Record<string, "rights" | "steering">> = {
  answer: "rights",
  budget: "rights",
  changes: "rights",
  mode: "rights",
  background: "steering",
  fork: "steering",
  interrupt: "steering",
  resume: "steering",
  send: "steering",
  stop: "steering",
};

/** One sentence, or undefined where the request may be done. */
export async function refusedToAgents(
  request: JsonObject,
  ownership: Processes["ownership"],
): Promise<string | undefined> {
  const op = String(request["op"]);
  const kind = Object.hasOwn(PERSON_ONLY, op) ? PERSON_ONLY[op] : undefined;
  if (kind === undefined) return undefined;
  const from = credentialsIn(request);
  const who = from ? whoIs(from) : "agent";
  if (who === "agent")
    return `${op} is for a person, in a terminal of their own: whoever asked is an agent's command, or does not show who it is ("as": {"pid", "token"})`;
  if (kind === "steering" || isRefusal(request)) return undefined;
  const unseen = who === "unknown" || (await ownership().catch(() => "keeper")) === "keeper";
  return unseen
    ? `${op} cannot be done from another terminal on this machine, because the system does not tell a person from an agent's command here (see sous doctor): do it in the terminal of the run, or when it has come to rest`
    : undefined;
}

/** To say no takes nothing that an agent must not have. */
const isRefusal = ({ op, words, mode, action }: JsonObject): boolean =>
  (op === "answer" && (words === "no" || words === "n")) ||
  (op === "mode" && mode === "human") ||
  (op === "changes" && action === "keep");

function credentialsIn({ as: from }: JsonObject): Credentials | undefined {
  if (!isObject(from)) return undefined;
  const { pid, token } = from;
  return Number.isSafeInteger(pid) && typeof token === "string" ? { pid: pid as number, token } : undefined;
}
