// What an agent is: everything a definition says, where it stands, and whether it may be launched.
import type { Network } from "../domains.ts";
import type { Json, JsonObject } from "../json.ts";
import type { SummaryWish } from "../results/summary-wish.ts";
import type { Rule } from "../rules.ts";

export type SourceKind = "built-in" | "agent-type" | "plugin" | "user" | "project" | "cli-json" | "profile" | "program";

export const PRIORITY = {
  builtIn: 0,
  agentType: 5,
  plugin: 10,
  user: 20,
  project: 30,
  cliJson: 100,
  program: 110,
} as const;
export type Priority = (typeof PRIORITY)[keyof typeof PRIORITY];

export type DefinitionSource = {
  readonly kind: SourceKind;
  readonly priority: Priority;
  /** Among sources of one priority the higher wins: nearer folders, and ours over `.claude`. */
  readonly order?: number;
  readonly file?: string;
  readonly line?: number;
  /** The plugin that brought it: its agents are called `plugin:name`. */
  readonly plugin?: string;
};

/** Its file was written for another agent program, where `{{…}}` may mean anything or nothing. */
export const isForeign = ({ file, plugin }: DefinitionSource): boolean =>
  plugin !== undefined || (file !== undefined && /[\\/]\.claude[\\/]/.test(file));

export type Problem = {
  /** 0 where it has no line, as in a flag. */
  readonly line: number;
  readonly message: string;
  readonly severity: "error" | "warning" | "note";
};

export type Capability = "primary" | "subtask" | "watcher" | "orchestrator";
export type PermissionMode = "default" | "acceptEdits" | "auto" | "dontAsk" | "bypassPermissions" | "plan";
export type MemoryScope = "auto" | "user" | "project" | "local";
export type Isolation = "shared" | "worktree" | "sandbox" | "custom";
export type WorkspaceWish = {
  readonly isolation?: Isolation;
  readonly path?: string;
  readonly command?: string;
  readonly allowWrites?: boolean;
  /** For commands in a sandbox: all of it, none, or these domains. */
  readonly network?: Network;
};
export type McpServer = { readonly name: string; readonly config?: JsonObject };
export type Trigger = { readonly command: string; readonly description?: string; readonly background?: boolean };
export type Triggers = {
  readonly slash: readonly Trigger[];
  readonly hotkeys: readonly (Trigger & { readonly combo: string })[];
};

/** Everything its parent has, or only these; a rule with a spec narrows what the tool may do. */
export type ToolGrant = "inherit" | readonly Rule[];

/** What a definition can say. */
export type AgentFields = {
  readonly description: string;
  /** The system prompt. */
  readonly prompt: string;
  readonly tools: ToolGrant;
  readonly disallowedTools: readonly Rule[];
  readonly capabilities: readonly Capability[];
  /** Whom it may spawn. */
  readonly spawns: "*" | readonly string[];
  readonly skills: readonly string[];
  readonly mcpServers: readonly McpServer[];
  /** Absent means the parent's. */
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly maxTurns?: number;
  readonly hooks?: JsonObject;
  readonly memory?: MemoryScope;
  readonly background?: boolean;
  readonly effort?: string | number;
  readonly isolation?: Isolation;
  readonly color?: string;
  readonly icon?: string;
  readonly initialPrompt?: string;
  readonly triggers?: Triggers;
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly temperature?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly exitVia?: readonly string[];
  /** Its result is handed in a second time, shorter: when it is too long, always, or over so many characters. */
  readonly summarize?: SummaryWish;
  readonly workspace?: WorkspaceWish;
  readonly protocol?: "tools" | "bash";
  readonly omitInstructions?: boolean;
  /** The person's consent that a project's definition may do more than the built-in whose name it has. */
  readonly widen?: boolean;
};

export type Lines = Readonly<Partial<Record<keyof AgentFields, number>>>;

/** A project's definition with a built-in's name stays within what the built-in may do. */
export type Ceiling = Pick<AgentFields, "tools" | "disallowedTools" | "spawns" | "capabilities">;

export type AgentDefinition = AgentFields & {
  readonly name: string;
  /** Further names it is found by. */
  readonly aliases: readonly string[];
  /** Keys that mean nothing to us, for templates. */
  readonly metadata: Readonly<Record<string, Json>>;
  readonly source: DefinitionSource;
  readonly problems: readonly Problem[];
  /** In which line of its file each field is given, where it is a file. */
  readonly lines?: Lines;
  /** Its head is not YAML and was read key by key. */
  readonly recovered: boolean;
  readonly launchable: true | { readonly refused: string };
  readonly ceiling?: Ceiling;
};

export const emptyFields: AgentFields = {
  description: "",
  prompt: "",
  tools: "inherit",
  disallowedTools: [],
  capabilities: ["subtask"],
  spawns: [],
  skills: [],
  mcpServers: [],
};
