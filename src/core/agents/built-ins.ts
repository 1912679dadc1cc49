// The agents that Sous brings along.
import type { JsonObject } from "../json.ts";
import type { AgentFields } from "./definition.ts";
import type { Draft } from "./draft.ts";
import * as prompts from "./built-in-prompts.ts";

/** Where Sous's own documentation lies, and the person's configuration. */
export type OwnPlaces = { readonly docs?: string | undefined; readonly config?: string };

export function builtIns({ docs, config }: OwnPlaces = {}): readonly Draft[] {
  const guide = agent("guide", {
    description: "Answers questions about Sous itself: commands, flags, configuration, agent files.",
    prompt: prompts.guide(docs),
    tools: named("Read", "Glob", "Grep"),
    model: "haiku",
    omitInstructions: true,
  });
  const statusline = agent("statusline-setup", {
    description: "Sets up the status line in Sous's configuration.",
    prompt: prompts.statuslineSetup(config),
    tools: named("Read", "Edit", "Write"),
    model: "sonnet",
    omitInstructions: true,
  });
  return [...anywhere, statusline, { ...guide, aliases: ["claude-code-guide", "sous-guide"] }];
}

const anywhere: readonly Draft[] = [
  agent("general-purpose", {
    description: "Any task of several steps: research, changes over many files, running and mending things.",
    prompt: prompts.generalPurpose,
  }),
  agent("Explore", {
    description: "Finds files and code fast, read-only: where is X, which files do Y, how does Z work.",
    prompt: prompts.explore,
    tools: named("Read", "Glob", "Grep", "LS"),
    model: "haiku",
    omitInstructions: true,
  }),
  agent("Plan", {
    description: "Designs how to implement something, read-only: approach, steps, files, risks.",
    prompt: prompts.plan,
    tools: named("Read", "Glob", "Grep", "LS"),
    omitInstructions: true,
  }),
  agent("Bash", {
    description: "Runs commands: git, builds, tests, packages; reports exit codes and what matters of the output.",
    prompt: prompts.bash,
    tools: named("Bash", "BashOutput", "KillShell"),
    omitInstructions: true,
  }),
  agent("CodeSearch", {
    description: "Searches the code base for what a query asks; returns places with paths, lines and snippets.",
    prompt: prompts.codeSearch,
    tools: named("Read", "Glob", "Grep", "LS"),
    maxTurns: 8,
    omitInstructions: true,
    inputSchema: schema({ query: text("what to find"), scope: text("folder or glob to stay within") }, "query"),
  }),
  agent("CodeReview", {
    description: "Reviews files for bugs, style, performance or security; returns findings by severity with lines.",
    prompt: prompts.codeReview,
    tools: named("Read", "Glob", "Grep"),
    maxTurns: 6,
    omitInstructions: true,
    inputSchema: schema(
      {
        target: text("file, folder or glob"),
        focus: { type: "string", enum: ["bugs", "style", "performance", "security", "all"] },
      },
      "target",
    ),
  }),
  agent("Planner", {
    description: "Explores the project and returns a numbered plan with the changes for each file.",
    prompt: prompts.planner,
    tools: named("Read", "Glob", "Grep", "LS"),
    maxTurns: 6,
    omitInstructions: true,
    inputSchema: schema({ task: text("what is to be done"), constraints: text("what must be kept to") }, "task"),
  }),
];

function agent(name: string, fields: Partial<AgentFields>): Draft {
  const source = { kind: "built-in", priority: 0 } as const;
  return { name, source, form: "whole", fields, metadata: {}, problems: [], refusals: [], recovered: false };
}

function named(...tools: readonly string[]) {
  return tools.map((tool) => ({ tool }));
}

function text(description: string): JsonObject {
  return { type: "string", description };
}

function schema(properties: JsonObject, required: string): JsonObject {
  return { type: "object", properties, required: [required], additionalProperties: false };
}
