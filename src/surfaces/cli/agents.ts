// `sous agents`: which agents there are, which file won, what is wrong with a file, and other tools' agents made ours.
import { importFormats } from "../../core/agents/imports/import-agent.ts";
import type { AgentDefinition } from "../../core/agents/definition.ts";
import { rightsOf } from "../../core/agents/rights.ts";
import { noAgent } from "../../core/agents/unknown-agent.ts";
import { parseRule } from "../../core/rules.ts";
import { openAgents } from "../../host/agents.ts";
import { untrustedAgent } from "../../host/agents/untrusted-agent.ts";
import { readConfig } from "../../host/config.ts";
import { listGrants } from "../../host/grants.ts";
import { knownMask } from "../../host/known-mask.ts";
import { openProject } from "../../host/project.ts";
import { realFolder } from "../../host/real-folder.ts";
import { stateDirOf } from "../../host/state-dir.ts";
import { nearest } from "../../std/nearest.ts";
import {
  checkText,
  definitionJson,
  definitionText,
  importText,
  listJson,
  listText,
  problemsText,
} from "./agents-text.ts";
import { type FlagTable, type Flags, readFlags } from "./flags.ts";
import { terminalWidth } from "./fit-table.ts";
import { createOutput } from "./output.ts";
import { plainJson, plainText } from "./plain-text.ts";
import { UsageError } from "./usage-error.ts";

export const agentsFlags = {
  json: { help: "for programs" },
  trust: { help: "also read the agents of this project, for this once" },
  agents: { takes: "text", value: "JSON", help: 'agents for this once: {"name": {"description": …, "prompt": …}}' },
  "agent-type": { takes: "text", many: true, value: "NAME=FILE", help: "an agent from a file" },
  to: { takes: "text", value: "DIR", help: "where import writes (default .sous/agents)" },
  from: { takes: importFormats, value: "TOOL", help: `whose files import reads: ${importFormats.join(", ")}` },
  rights: { help: "with show: what it may do as a child, tool by tool, and why" },
  "dry-run": { help: "import writes nothing and shows what it would write" },
  cwd: { takes: "text", value: "DIR", help: "as seen from this folder" },
  config: { takes: "text", value: "FILE", help: "read this configuration" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions and trust are kept" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const VERBS = ["list", "show", "check", "import"] as const;

export async function agents(words: readonly string[]): Promise<number> {
  const { flags, rest } = readFlags("agents", agentsFlags, words);
  const output = createOutput(1);
  const errors = createOutput(2);
  const mask = knownMask(process.env).text;
  const [verb = "list", ...names] = rest;
  const context: Context = {
    flags,
    names,
    cwd: flags.cwd ?? process.cwd(),
    json: flags.json ?? false,
    say: (text) => output.line(mask(text)),
    tell: (text) => errors.line(`sous: ${mask(text)}`),
    told: () => errors.drained(),
  };
  const code = flags.help ? await help(context) : await act(verb, context);
  await Promise.all([output.drained(), errors.drained()]);
  return code;
}

type Context = {
  readonly flags: Flags<typeof agentsFlags>;
  readonly names: readonly string[];
  readonly cwd: string;
  readonly json: boolean;
  say(text: string): void;
  tell(text: string): void;
  /** Resolves when all that was told is written: notices stand before a list, not in it. */
  told(): Promise<void>;
};

function act(verb: string, context: Context): Promise<number> {
  switch (verb) {
    case "list":
      return list(context);
    case "show":
      return show(context);
    case "check":
      return check(context);
    case "import":
      return importAll(context);
    default: {
      const close = nearest(verb, VERBS);
      throw new UsageError(
        `sous agents has no "${verb}"${close ? `; did you mean ${close}?` : ""} (${VERBS.join(", ")})`,
      );
    }
  }
}

async function snapshotOf({ flags, cwd }: Context) {
  const { env } = process;
  const config = readConfig(env, flags.config);
  const stateDir = stateDirOf(env, flags["state-dir"]);
  const folder = await realFolder(cwd);
  const { trusted, settings, heldBack } = openProject(folder, {
    env,
    stateDir,
    config,
    trust: flags.trust ?? false,
  });
  const registry = await openAgents({
    cwd,
    env,
    trusted,
    heldBack,
    profiles: settings.profiles,
    ...(flags.config !== undefined && { configFile: flags.config }),
    ...(flags.agents !== undefined && { agentsJson: flags.agents }),
    ...(flags["agent-type"] && { agentTypes: flags["agent-type"] }),
  });
  const snapshot = await registry.snapshot();
  /** Why an agent of this name is not there though a file of it is. */
  const hidden = (name: string): string | undefined =>
    snapshot.heldBack(name) ?? untrustedAgent(name, { cwd: folder, env, trusted });
  return { ...snapshot, hidden };
}

async function list(context: Context): Promise<number> {
  const snapshot = await snapshotOf(context);
  const { toolProblems } = await import("../../host/agents/tool-problems.ts");
  for (const notice of snapshot.notices) context.tell(notice);
  if (context.json) for (const problem of problemsText(snapshot, toolProblems)) context.tell(problem);
  await context.told();
  if (context.json) context.say(plainJson(listJson(snapshot)));
  else for (const line of listText(snapshot, toolProblems, terminalWidth())) context.say(line);
  return 0;
}

/** As a child of the lead: what is given, what asks, what is denied, and which layer says so. */
async function rights(context: Context, definition: AgentDefinition): Promise<number> {
  const { env } = process;
  const stateDir = stateDirOf(env, context.flags["state-dir"]);
  const config = readConfig(env, context.flags.config);
  const trust = context.flags.trust ?? false;
  const { settings, root } = openProject(await realFolder(context.cwd), { env, stateDir, config, trust });
  const { leadTools } = await import("../../host/agents/tool-names.ts");
  const { maxDepth } = settings.limits ?? {};
  const found = rightsOf(definition, {
    offered: leadTools,
    rules: settings.rules,
    grants: listGrants(stateDir, root).grants.flatMap(({ rule }) => parseRule(rule) ?? []),
    mode: settings.mode ?? "confirm",
    ...(maxDepth !== undefined && { maxDepth }),
  });
  if (context.json) context.say(plainJson(found));
  else
    for (const { tool, is, because } of found) context.say(plainText(`${tool.padEnd(16)} ${is.padEnd(9)}  ${because}`));
  return 0;
}

async function show(context: Context): Promise<number> {
  const [name] = context.names;
  if (name === undefined || context.names.length !== 1)
    throw new UsageError("sous agents show needs the name of one agent");
  const snapshot = await snapshotOf(context);
  for (const notice of snapshot.notices) context.tell(notice);
  await context.told();
  const definition = snapshot.find(name);
  if (!definition) throw new UsageError(noAgent(name, snapshot, snapshot.hidden(name)));
  if (context.flags.rights) return rights(context, definition);
  const shadowed = snapshot.shadowedBy(definition);
  if (context.json) context.say(plainJson(definitionJson(definition, shadowed)));
  else for (const line of definitionText(definition, shadowed)) context.say(line);
  return 0;
}

async function check(context: Context): Promise<number> {
  if (context.names.length === 0) throw new UsageError("sous agents check needs files or folders");
  const { checkAgents } = await import("../../host/agents/check.ts");
  // Whom they may spawn can stand anywhere that is read here.
  const { definitions } = await snapshotOf(context);
  const files = await checkAgents(context.names, context.cwd, definitions);
  if (context.json) {
    const rows = files.map(({ problems, ...file }) => ({
      ...file,
      problems: problems.map(({ line, message, severity }) => ({ line, message, severity })),
    }));
    context.say(plainJson(rows));
  } else for (const line of checkText(files, context.cwd)) context.say(line);
  return files.every(({ ok }) => ok) ? 0 : 1;
}

async function importAll(context: Context): Promise<number> {
  const { flags } = context;
  if (context.names.length === 0) throw new UsageError("sous agents import needs files or folders");
  const { importAgents } = await import("../../host/agents/import.ts");
  const dryRun = flags["dry-run"] ?? false;
  const to = flags.to ?? ".sous/agents";
  const files = await importAgents(context.names, {
    cwd: context.cwd,
    to,
    dryRun,
    ...(flags.from && { from: flags.from }),
  });
  if (context.json) context.say(plainJson(files));
  else for (const line of importText(files, context.cwd, dryRun)) context.say(line);
  return files.some(({ skipped }) => skipped === undefined) ? 0 : 1;
}

async function help({ say }: Context): Promise<number> {
  say((await import("./agents-help.ts")).agentsHelp(agentsFlags));
  return 0;
}
