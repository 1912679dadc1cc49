// The words a script is written in: one function per thing a model, or the way to it, can do.
import type { Json, JsonObject } from "../../core/json.ts";
import type {
  Break,
  Expect,
  Failure,
  Named,
  Pace,
  ReplyStep,
  ScriptedCall,
  ScriptedReply,
  Step,
  StreamError,
} from "./step.ts";
import type { WireRequest } from "./wire-request.ts";

/**
 * Which step answers which request:
 * a list, in order of arrival; `conversations`, one list for each marker found in the first user message (the longest
 * marker wins); `byTurn`, the step for the n-th model turn of any conversation, however many run; `always`, the same
 * step for ever; `route`, a function. A list and `conversations` are used up, the others are standing.
 */
export type Script =
  | readonly Step[]
  | { readonly conversations: Readonly<Record<string, readonly Step[]>>; readonly otherwise?: readonly Step[] }
  | { readonly byTurn: readonly Step[] }
  | { readonly always: Step }
  | { readonly route: Route };
/** `undefined` says that the request was not expected. */
export type Route = (request: WireRequest) => Step | undefined;

export const responder = (route: Route): Script => ({ route });

type Rest = Omit<ScriptedReply, "says" | "thinks" | "calls">;

export const replies = (reply: ScriptedReply): ReplyStep => ({ type: "reply", reply });
export const says = (text: string, rest: Rest & { thinks?: string } = {}): ReplyStep =>
  replies({ says: text, ...rest });
export const calls = (
  tool: string,
  input: JsonObject = {},
  rest: Rest & { thinks?: string; says?: string } = {},
): ReplyStep => replies({ calls: [{ tool, input }], ...rest });
/** Thinks, then does what `then` says. */
export const thinks = (text: string, then: ReplyStep = replies({})): ReplyStep => ({
  ...then,
  reply: { ...then.reply, thinks: text },
});
export const refuses = (refusal: string, rest: Rest = {}): ReplyStep =>
  replies({ refusal, finish: "refused", ...rest });
/** Several calls in one reply: `callsAll(call("Read", {…}), call("Bash", {…}))`. */
export const callsAll = (...list: readonly ScriptedCall[]): ReplyStep => replies({ calls: list });
export const call = (tool: string, input: JsonObject = {}, id?: string): ScriptedCall =>
  id === undefined ? { tool, input } : { tool, input, id };
export const malformedCall = (tool: string, rawArguments: string): ScriptedCall => ({ tool, rawArguments });

type FailureDetails = Omit<Failure, "what">;
export const fails = (what: number | Named, details: FailureDetails = {}): Step => ({
  type: "fails",
  failure: { what, ...details },
});

const unfinished = says("This is a reply that is going to be interrupted before its end, as the script wants it.");
const broken = (during: ReplyStep, breaks: Break): ReplyStep => ({ ...during, breaks });
const paced = (during: ReplyStep, pace: Pace): ReplyStep => ({ ...during, pace });
type After = { readonly afterDeltas?: number };

/** The socket is destroyed in mid-reply. */
export const cut = ({ afterDeltas = 2 }: After = {}, during: ReplyStep = unfinished): ReplyStep =>
  broken(during, { how: "cut", afterDeltas });
/** The body ends properly, but without the wire's end event. */
export const ends = ({ afterDeltas = 2 }: After = {}, during: ReplyStep = unfinished): ReplyStep =>
  broken(during, { how: "ends", afterDeltas });
/** Silence (or only pings), for ever or for `forMs`; then the rest, or a cut. */
export const stalls = (
  options: After & { forMs?: number; pingEveryMs?: number; thenFinish?: boolean } = {},
  during: ReplyStep = unfinished,
): ReplyStep => {
  const { afterDeltas = 2, thenFinish = true, ...rest } = options;
  return broken(during, { how: "stalls", afterDeltas, thenFinish, ...rest });
};
/** The wire's error event in the middle of a 200 stream. */
export const streamError = (
  { afterDeltas = 2, ...error }: After & StreamError = {},
  during: ReplyStep = unfinished,
): ReplyStep => broken(during, { how: "errors", afterDeltas, error });
/** Something that is not the wire's format, then the end. */
export const garbage = (
  { afterDeltas = 2, text = 'data: {"type":"content_blo\n\nda\u0000ta {]\n\n' }: After & { text?: string } = {},
  during: ReplyStep = unfinished,
): ReplyStep => broken(during, { how: "garbage", afterDeltas, text });

/** One byte at a time. */
export const drips = ({ everyMs }: { everyMs: number }, during: ReplyStep = unfinished): ReplyStep =>
  paced(during, { byteEveryMs: everyMs });
export const slow = (pace: Omit<Pace, "byteEveryMs">, during: ReplyStep = says("At last.")): ReplyStep =>
  paced(during, pace);

/** The connection is reset before any header. */
export const resets = (): Step => ({ type: "resets" });
/** 200 with a web page, as a captive portal or a proxy answers. */
export const html = (body = "<!doctype html><title>Sign in</title><h1>Sign in to this network</h1>"): Step => ({
  type: "html",
  body,
});
export const gzipBomb = ({ megabytes = 256 }: { megabytes?: number } = {}): Step => ({ type: "gzip-bomb", megabytes });
export const redirects = (to: string, status = 307): Step => ({ type: "redirects", to, status });

/** The same step, only for a request of this kind; another one is unexpected. */
export const expecting = <S extends Step>(expect: Expect, step: S): S => ({ ...step, expect });

/** Reads a script from a JSON file's text. A list of steps may use the shorthand `{"says": …}`, `{"calls": […]}`. */
export function parseScript(text: string): Script {
  const parsed = JSON.parse(text) as Json;
  if (Array.isArray(parsed)) return parsed.map(full);
  const forms = parsed as { [form: string]: Json };
  if (forms.always) return { always: full(forms.always) };
  if (forms.byTurn) return { byTurn: (forms.byTurn as Json[]).map(full) };
  if (!forms.conversations) throw new Error("A script is a list, or has one of: conversations, byTurn, always.");
  const lists = Object.entries(forms.conversations as Record<string, Json[]>);
  const conversations = Object.fromEntries(lists.map(([marker, steps]) => [marker, steps.map(full)]));
  return { conversations, otherwise: ((forms.otherwise ?? []) as Json[]).map(full) };
}

const full = (step: Json): Step =>
  (step as { type?: string }).type === undefined ? replies(step as ScriptedReply) : (step as unknown as Step);
