// The folder it is called in: whether it is trusted, what counts there, and which model a run would use.
import { createHttp } from "../../adapters/models/http.ts";
import type { Config } from "../config/schema.ts";
import { readKeys, type StoredKeys } from "../config/keys-file.ts";
import { type AgentsOptions, openAgents } from "../agents.ts";
import { leadTools } from "../lead-tools.ts";
import { createModelChoice } from "../model-choice.ts";
import { openProject, projectFiles, type Project } from "../project.ts";
import { realFolder } from "../real-folder.ts";
import { doubtfulRules } from "../rule-names.ts";
import type { Finding } from "./finding.ts";
import { sandboxFinding } from "./sandbox-findings.ts";

type Env = Readonly<Record<string, string | undefined>>;

export async function lookAtProject(cwd: string, env: Env, stateDir: string, config: Config): Promise<Finding[]> {
  let real: string;
  let project: Project;
  try {
    real = await realFolder(cwd);
    project = openProject(real, { env, stateDir, config, trust: false });
  } catch (error) {
    return [{ check: "project", is: "broken", says: (error as Error).message, todo: "mend it" }];
  }
  const files = projectFiles(real, project.root);
  const named = files.length > 0 ? files.join(", ") : "nothing to count";
  const trust: Finding = project.trusted
    ? { check: "trust", is: "ok", says: `${project.root} is trusted: ${named}` }
    : {
        check: "trust",
        is: "note",
        says: `${project.root} is not trusted${files.length > 0 ? `; ignored: ${named}` : ""}`,
        ...(files.length > 0 && { todo: "look at these files, then run sous trust" }),
      };
  const { trusted, settings, heldBack } = project;
  return [
    trust,
    ...[...heldBack.values()].map((says) => ({ check: "trust", is: "note", says, todo: ACCEPT }) as const),
    ...hookFindings(project),
    ...(await ruleFindings({ cwd: real, env, trusted, heldBack, profiles: settings.profiles }, project)),
    await modelFinding(config, env, project),
    await sandboxFinding({ cwd: real, env, trusted, heldBack, profiles: settings.profiles }),
  ];
}

const ACCEPT = "it does not count: run sous trust to see the difference and accept it";

/** Those that would act in a run here; agents may bring more of their own. */
function hookFindings({ hooks, notices }: Project): Finding[] {
  const named = Object.entries(hooks).map(
    ([event, groups]) => `${event}: ${groups.flatMap(({ handlers }) => handlers.map(({ name }) => name)).join(", ")}`,
  );
  const left = notices.filter((words) => words.includes("hook"));
  return [
    ...(named.length > 0 ? [{ check: "hooks", is: "ok", says: named.join("; ") } as const] : []),
    ...left.map((says) => ({ check: "hooks", is: "note", says, todo: "mend it, or leave it" }) as const),
  ];
}

/** Rules of a configuration that hold nothing. */
async function ruleFindings(options: AgentsOptions, { settings }: Project): Promise<Finding[]> {
  const known = await (await openAgents(options).catch(() => undefined))?.snapshot();
  const tools = known ? leadTools(known, { tools: [], toolsOf: () => [] }, undefined) : [];
  return doubtfulRules(settings.rules, tools).map((says) => ({ check: "rules", is: "note", says, todo: "mend it" }));
}

async function modelFinding(config: Config, env: Env, { settings }: Project): Promise<Finding> {
  const stored = keysOrNone(env);
  const choose = createModelChoice({
    config,
    env,
    http: createHttp({ env }),
    newId: () => "",
    stored,
    onKey: () => {},
  });
  try {
    const { model } = await choose(undefined, settings);
    return { check: "model", is: "ok", says: `runs use ${model.id} unless told otherwise` };
  } catch (error) {
    return {
      check: "model",
      is: "broken",
      says: (error as Error).message,
      todo: "run sous setup, or name a model in the configuration",
    };
  }
}

function keysOrNone(env: Env): StoredKeys {
  try {
    return readKeys(env);
  } catch {
    return {};
  }
}
