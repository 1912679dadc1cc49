// `defineAgent`: a definition in code, read by the same reader as the files.
import type { Capability, MemoryScope, PermissionMode, WorkspaceWish } from "../core/agents/definition.ts";
import type { Draft } from "../core/agents/draft.ts";
import { readProfiles } from "../core/agents/read-profile.ts";
import type { JsonObject } from "../core/json.ts";
import { HostError } from "../host/host-error.ts";
import type { AnyTool } from "./define-tool.ts";

/** An agent of your own. See {@link defineAgent}. The fields mean what they mean in a file. */
export type Agent<Input extends object = object, Output extends object = object> = {
  /** By which it is spawned and run. It goes before every other definition of this name. */
  readonly name: string;
  /** When to use it, for the agent that may spawn it. */
  readonly description: string;
  /** Its system prompt. */
  readonly prompt: string;
  /**
   * Names of tools, rules that narrow one (`Bash(git log:*)`), and tools of your own that only this agent and its
   * children have. Left out: those of its parent.
   */
  readonly tools?: readonly (string | AnyTool)[];
  /** Tools and rules that it never has. */
  readonly disallowedTools?: readonly string[];
  /** `provider/model` or an alias. Left out: its parent's. */
  readonly model?: string;
  /** Model calls, then it hands in. */
  readonly maxTurns?: number;
  /** Seconds, then it hands in. */
  readonly timeout?: number;
  /** Whom it may spawn: agents of your own, names, or `*`. Left out: nobody. */
  readonly spawns?: "*" | readonly (string | Agent)[];
  /** What it takes, as a schema of an object: makes it a tool of its own for the lead. */
  readonly inputSchema?: Input;
  /** What it must give back, as `structured` of its result. */
  readonly outputSchema?: Output;
  /** The only tools by whose call it may end. */
  readonly exitVia?: readonly string[];
  /** As a child it hands a long result in again, shorter: when it is too long, always, or over so many characters. */
  readonly summarize?: boolean | "always" | number;
  /** Commands that step in while it runs, for it and its children, as in a file. Functions go to `createHost`. */
  readonly hooks?: JsonObject;
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "max";
  readonly temperature?: number;
  /** Whoever spawns it goes on at once. */
  readonly background?: boolean;
  /** Can only narrow what the tree's mode allows. */
  readonly permissionMode?: PermissionMode;
  readonly memory?: MemoryScope | boolean;
  readonly capabilities?: readonly Capability[];
  /** `bash` for models without tool calls. */
  readonly protocol?: "tools" | "bash";
  readonly initialPrompt?: string;
  /** `worktree`: it works in a copy of the project; `sandbox`: and its commands are confined to that. */
  readonly isolation?: "shared" | "worktree" | "sandbox";
  /** The same, a folder of its own (`path`, or a `command` that prints one), and whether it may write. */
  readonly workspace?: WorkspaceWish;
  /** Leaves out the instruction files of person and project. */
  readonly omitInstructions?: boolean;
};

/**
 * An agent of your own, for `createHost`, `runAgent` and `spawns` of other agents.
 *
 * It is read as a file with the same fields would be, but nothing in it may be doubtful.
 *
 * @throws HostError with code `invalid-agent` that names every problem.
 */
export function defineAgent<const Input extends object = object, const Output extends object = object>(
  agent: Agent<Input, Output>,
): Agent<Input, Output> {
  draftOf(agent);
  return Object.freeze({ ...agent });
}

/** What one agent brings: its definition, the agents it names as objects, and its own tools. */
export type Brought = { readonly draft: Draft; readonly tools: readonly AnyTool[]; readonly agents: readonly Agent[] };

export function broughtBy(agent: Agent): Brought {
  const spawns = typeof agent.spawns === "object" ? agent.spawns : [];
  return {
    draft: draftOf(agent),
    tools: (agent.tools ?? []).filter((tool) => typeof tool !== "string"),
    agents: spawns.filter((one) => typeof one !== "string"),
  };
}

function draftOf(agent: Agent): Draft {
  const { name, tools, spawns } = agent;
  const fields = {
    ...agent,
    ...(Array.isArray(tools) && { tools: tools.map(nameOf) }),
    ...(Array.isArray(spawns) && { spawns: spawns.map(nameOf) }),
  };
  const [draft] = readProfiles({ [name]: fields }, { kind: "program", priority: 110 });
  const needed = (["name", "description", "prompt"] as const).filter(
    (key) => typeof agent[key] !== "string" || agent[key].trim() === "",
  );
  const problems = [
    ...needed.map((key) => `it needs a ${key}`),
    ...(draft?.problems ?? []).filter(({ severity }) => severity !== "note").map(({ message }) => message),
  ];
  if (draft && problems.length === 0) return draft;
  throw new HostError(
    `the agent ${JSON.stringify(name)} cannot be used: ${problems.join("; ")}`,
    "usage",
    "invalid-agent",
  );
}

const nameOf = (one: string | { readonly name: string }): string => (typeof one === "string" ? one : one.name);
