// What an embedding program asks for, and the same in the host's words.
import type { Approvals, Budget, Limits, Protocol } from "../core/events.ts";
import type { FunctionHooks } from "../core/hooks/hook-set.ts";
import type { SessionId } from "../core/ids.ts";
import type { JsonObject } from "../core/json.ts";
import { type Rule, parseRule } from "../core/rules.ts";
import { HostError } from "../host/host-error.ts";
import type { RunOptions } from "../host/conversation.ts";
import type { Effort, Model } from "../ports/model.ts";
import type { Agent } from "./define-agent.ts";
import type { AnyTool } from "./define-tool.ts";
import { type PersonCallbacks, personOf } from "./person.ts";
import type { AgentEvent } from "./sub-agent-events.ts";

/** Who works where, with what, and what it may do. */
export type AgentOptions<Input extends object = object, Output extends object = object> = {
  /** A name, or an agent of your own. Default: the lead, who can hand work to all others. */
  readonly agent?: string | Agent<Input, Output>;
  /** The folder to work in. Default: the process's. */
  readonly cwd?: string;
  /** `provider/model`, an alias, or a model of your own. Default: the host's. */
  readonly model?: string | Model;
  readonly effort?: Effort;
  /** Further tools of your own. */
  readonly tools?: readonly AnyTool[];
  /** Further agents of your own, to be spawned. */
  readonly agents?: readonly Agent[];
  /** `confirm` (default): what is not safe asks. `yolo`: only what a rule denies or asks is held up. */
  readonly mode?: "confirm" | "yolo";
  /** Rules such as `Bash(npm test)`, `Edit(src/**)` or a tool's name. */
  readonly permissions?: Permissions;
  /** Further folders that file tools may touch. */
  readonly addDirs?: readonly string[];
  /** The project's own configuration, agents and instruction files count. Default: as `sous trust` says. */
  readonly trust?: boolean;
  /** For the run of the agent itself: then it hands in what it has (status `limit`). */
  readonly limits?: Limits;
  /** What the answer must fit, as a schema: it is `structured` of the result. Goes before the agent's own. */
  readonly outputSchema?: Output;
  /** The only tools by whose call the run may end. */
  readonly exitVia?: readonly string[];
  /** Children that run at one time; the rest wait. */
  readonly maxConcurrent?: number;
  /** For the agent and all below it: then it pauses (status `paused`), and can be resumed. */
  readonly budget?: Budget;
  readonly protocol?: Protocol;
  /** Who answers when a call asks. */
  readonly person?: PersonCallbacks;
  /** Functions that step in: they see what is about to happen, and may refuse or change it. */
  readonly hooks?: FunctionHooks;
  /** Without a person: refuse what asks (`deny`, the default), or let it wait (`inbox`: the run parks and is resumed). */
  readonly approvals?: Approvals;
  /** A session to go on with: everything not given here is as it was. */
  readonly resume?: string;
  /** Hears sentences for people: damage found, files ignored. */
  readonly onNotice?: (words: string) => void;
};

/** Rules of what runs unasked, always asks, or never runs. */
export type Permissions = {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
};

/** How one run is watched and ended. */
export type WatchOptions = {
  /** Stops the run at once; what it did stays recorded, and the session can be resumed. */
  readonly signal?: AbortSignal;
  /** Called with every event, in order. */
  readonly onEvent?: (event: AgentEvent) => void;
  /** Puts everything the model was shown and said into the result. */
  readonly innerMessages?: boolean;
};

/** What an agent is asked: words, or what its `inputSchema` says. */
export type Task = string | { readonly input: JsonObject } | undefined;

export function wishesOf(options: AgentOptions, task: Task): RunOptions {
  const { agent, model, person, resume, outputSchema, permissions = {} } = options;
  return {
    ...asItIs(options),
    cwd: options.cwd ?? process.cwd(),
    limits: options.limits ?? {},
    budget: options.budget ?? {},
    rules: { allow: rules(permissions, "allow"), ask: rules(permissions, "ask"), deny: rules(permissions, "deny") },
    addDirs: options.addDirs ?? [],
    trigger: "library",
    ...(typeof task === "string" && { prompt: task }),
    ...(typeof task === "object" && { input: task.input }),
    ...(agent !== undefined && { agent: typeof agent === "string" ? agent : agent.name }),
    ...(model !== undefined && { model: typeof model === "string" ? model : model.id }),
    ...(person && { person: personOf(person) }),
    // Safe: what is no schema, and a session that is not there, are refused when the run begins.
    ...(outputSchema && { outputSchema: outputSchema as JsonObject }),
    ...(resume !== undefined && { resume: resume as SessionId }),
  };
}

const SAME = ["mode", "effort", "protocol", "trust", "approvals", "exitVia", "maxConcurrent", "hooks"] as const;

/** What a host calls by the same name. */
function asItIs(options: AgentOptions): Pick<AgentOptions, (typeof SAME)[number]> {
  return Object.fromEntries(SAME.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

function rules(permissions: Permissions, kind: keyof Permissions): Rule[] {
  return (permissions[kind] ?? []).map((text) => {
    const rule = parseRule(text);
    if (rule) return rule;
    throw new HostError(
      `permissions.${kind} has ${JSON.stringify(text)}; a rule is a tool, or a tool with one use, such as Bash(npm test)`,
    );
  });
}
