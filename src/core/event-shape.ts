// Whether a record's own fields are what its type promises, so that everything that reads it may trust them. A record
// that was damaged on the disk can be valid JSON and still not be one. Pure.
import type { DurableEvent } from "./events.ts";
import { isObject } from "./json.ts";

/** Types that are not known pass: a newer version may have written them. */
export function isSound(event: { readonly type: string }): boolean {
  return !isKnownType(event.type) || shapes[event.type](event);
}

export const isKnownType = (type: string): type is DurableEvent["type"] => Object.hasOwn(shapes, type);

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const number: Check = (value) => Number.isFinite(value);
const anything: Check = isObject;
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const either =
  (...checks: Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const oneOf =
  (...known: string[]): Check =>
  (value) =>
    known.includes(value as string);

function fields(checks: Readonly<Record<string, Check>>): Check {
  const all = Object.entries(checks);
  return (value) => isObject(value) && all.every(([name, check]) => check(value[name]));
}

/** By their own `type`; one that is not known cannot be shown to anybody, so it is damage. */
const parts = (known: Readonly<Record<string, Check>>): Check =>
  list((value) => {
    const type = isObject(value) ? value["type"] : undefined;
    return typeof type === "string" && Object.hasOwn(known, type) && known[type]!(value);
  });

const said = { text: fields({ text }), image: fields({ mediaType: text, data: text }) };
const content = parts(said);
const reply = parts({
  text: said.text,
  reasoning: fields({ text, by: maybe(text), opaque: maybe(anything) }),
  call: fields({ call: text, tool: text, input: anything, by: maybe(text), opaque: maybe(anything) }),
  "bad-call": fields({ call: text, tool: text, raw: text, problem: text, told: maybe(text) }),
});
const messages = list((value) => {
  const message = (value ?? {}) as Record<string, unknown>;
  const { role } = message;
  if (role === "tool") return list(fields({ call: text, tool: text, content, failed: flag }))(message["results"]);
  return role === "user" ? content(message["content"]) : role === "assistant" && reply(message["content"]);
});
const tokens = { inputTokens: number, outputTokens: number, cacheReadTokens: number, cacheWriteTokens: number };
const usage = fields(tokens);
const costUsd = orNull(number);
const cost = fields({ ...tokens, costUsd });
const mode = oneOf("human", "confirm", "yolo");
const limits = fields({ maxTurns: maybe(number), timeoutMs: maybe(number) });
const rules = list(fields({ tool: text, spec: maybe(text) }));
const standing = {
  rules: maybe(fields({ allow: rules, ask: rules, deny: rules })),
  addDirs: maybe(list(text)),
  effort: maybe(text),
  approvals: maybe(oneOf("deny", "inbox", "allow")),
};
const exit = fields({ outputSchema: maybe(anything), exitVia: maybe(list(text)) });
const facts = fields({
  command: maybe(fields({ text, exitCode: orNull(number), shell: maybe(text) })),
  files: maybe(list(fields({ path: text, change: text, before: maybe(orNull(text)), after: maybe(orNull(text)) }))),
  read: maybe(fields({ path: text, version: maybe(fields({ stamp: text, hash: maybe(text) })) })),
  search: maybe(fields({ tool: text, pattern: text })),
  fetched: maybe(fields({ url: text, status: number })),
});
const failure = oneOf("refused", "failed", "interrupted");
const handed = maybe(fields({ output: text }));
const outcome: Check = (value) =>
  fields({ ok: flag, said: content, facts: maybe(facts), ends: handed, rejected: handed })(value) &&
  ((value as { ok: boolean }).ok || failure((value as { why?: unknown }).why));
const result = fields({
  status: text,
  output: text,
  summary: maybe(text),
  error: maybe(fields({ code: text, message: text, remedy: maybe(text) })),
  model: text,
  turns: number,
  toolCalls: number,
  usage: fields({ own: cost, tree: cost }),
  receipt: anything,
  children: list(anything),
  workspace: maybe(fields({ isolation: text, root: text, branch: text, files: list(fields({ path: text })) })),
});
const reach = list(fields({ may: text, path: maybe(text), command: maybe(text), host: maybe(text) }));
const granted = fields({ rules: list(text), project: text });
const always: Check = (value) => granted(value) || fields({ not: text })(value);
const approval = fields({
  tool: text,
  input: anything,
  reach,
  because: text,
  allowWith: text,
  byMode: maybe(flag),
  always: maybe(always),
});
const asked: Check = (value) => {
  if (!isObject(value)) return false;
  if (value["kind"] === "approval") return fields({ call: text, approval })(value);
  if (value["kind"] === "question")
    return fields({ call: text, to: oneOf("person", "parent"), text, options: maybe(list(text)) })(value);
  if (value["kind"] === "command") return fields({ call: text, text })(value);
  return fields({ kind: oneOf("note"), text })(value);
};
const answer: Check = (value) =>
  fields({
    allow: maybe(flag),
    granted: maybe(granted),
    notKept: maybe(text),
    reason: maybe(text),
    text: maybe(text),
    seen: maybe(flag),
  })(value) && ["allow", "text", "seen"].some((name) => Object.hasOwn(value as object, name));
const halted = fields({ run: text, why: text, result });

const shapes: { readonly [Type in DurableEvent["type"]]: Check } = {
  "session.opened": fields({
    agent: text,
    protocol: maybe(text),
    model: text,
    binding: fields({ cwd: text, isolation: text, allowWrites: flag, network: maybe(either(flag, list(text))) }),
    permissions: fields({ mode, ...standing }),
    spawnedBy: maybe(fields({ session: text, call: text, item: maybe(number) })),
    history: maybe(fields({ from: text, messages })),
    definition: maybe(
      fields({
        name: text,
        prompt: text,
        tools: (value) => value === "inherit" || rules(value),
        disallowedTools: rules,
        spawns: (value) => value === "*" || list(text)(value),
        capabilities: list(text),
        mcpServers: list(anything),
        metadata: anything,
        source: anything,
      }),
    ),
    child: maybe(
      fields({
        background: flag,
        system: text,
        task: text,
        tools: list(text),
        limits,
        narrowing: list(fields({ tool: text, allow: rules })),
        deny: rules,
        name: maybe(text),
        effort: maybe(text),
        temperature: maybe(number),
        memory: maybe(fields({ path: text, hash: maybe(text), tools: list(text) })),
        beyond: maybe(fields({ read: list(text), write: list(text) })),
        neverAsks: maybe(flag),
        hooks: maybe(anything),
        summarize: maybe(fields({ over: number, within: number })),
      }),
    ),
    exit: maybe(exit),
    title: text,
    version: text,
  }),
  "settings.changed": fields({ model: maybe(text), permissions: maybe(fields(standing)), exit: maybe(exit) }),
  "summary.asked": fields({ ending: fields({ status: text, output: text, error: maybe(anything) }) }),
  "run.started": fields({ run: text, limits, resumed: flag }),
  "run.resumed": fields({ run: text }),
  "run.interrupted": fields({ run: text, by: text }),
  "run.paused": halted,
  "run.parked": halted,
  "run.ended": fields({ run: text, result }),
  "input.admitted": fields({ input: text, from: text, how: text, content, reminder: maybe(flag) }),
  "input.promoted": fields({ input: text }),
  "input.dropped": fields({ input: text, because: text }),
  "turn.started": fields({ turn: number, model: text }),
  "assistant.replied": fields({ turn: number, model: text, content: reply, finish: text, usage, costUsd }),
  "model.failed": fields({
    turn: number,
    fault: fields({ code: text, message: text, remedy: text, usage: maybe(usage) }),
    costUsd: maybe(costUsd),
  }),
  "tool.started": fields({ call: text, tool: text, input: anything, repeatable: flag, lasting: maybe(flag) }),
  "tool.ended": fields({ call: text, outcome, durationMs: number }),
  "child.started": fields({
    child: text,
    childPath: text,
    agent: text,
    call: text,
    background: flag,
    name: maybe(text),
    idle: maybe(flag),
  }),
  "hook.fired": fields({ event: oneOf("SubagentStart", "SubagentStop"), child: text, childPath: text, agent: text }),
  "child.backgrounded": fields({ child: text, by: text }),
  "child.resumed": fields({ child: text, by: text, after: maybe(text), input: text, content }),
  "child.ended": fields({ child: text, call: text, status: text, summary: text, reason: maybe(text) }),
  "context.compacted": fields({ summary: text, keep: number, tokensBefore: number, usage, costUsd }),
  "item.added": (value) => fields({ item: text })(value) && asked(value),
  "item.answered": fields({
    ...{ item: text, answer, by: text },
    seen: maybe(fields({ shownAt: number, typedAt: number })),
  }),
  "mode.changed": fields({ mode }),
  "budget.changed": fields({
    budget: fields({ usd: maybe(number), tokens: maybe(number), turns: maybe(number), ms: maybe(number) }),
  }),
  "workspace.bound": fields({ root: text, store: text, base: text, branch: text, source: text }),
  "workspace.released": fields({ how: oneOf("clean", "applied", "kept", "discarded"), by: maybe(text) }),
  "note.added": fields({ kind: text, text }),
};
