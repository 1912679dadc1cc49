// What a person has allowed for good, by the real path of a project's root: one file for each rule, so that several
// processes give and take back at once and none loses what another did. Kept in the person's state, never in a project.
import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Grants, giveProblem, keepProblem } from "../core/grants.ts";
import { isObject } from "../core/json.ts";
import type { Mask } from "../core/mask.ts";
import { type Rule, parseRule } from "../core/rules.ts";
import type { KeepGrants } from "../engine/runs/answer-item.ts";
import { readJsonFile } from "./config/read-json-file.ts";
import { writePrivate } from "./config/write-private.ts";
import { HostError } from "./host-error.ts";

export type Grant = {
  readonly rule: string;
  readonly project: string;
  readonly since: string;
  /** Which terminal or process, and for whose call. */
  readonly by: string;
  readonly session?: string;
};

/** For the runs of one project. */
export function openGrants(stateDir: string, project: string, mask: Mask): Grants & { readonly keep: KeepGrants } {
  const folder = folderOf(stateDir, project);
  // A file of this name never says anything else.
  const known = new Map<string, Rule>();
  const ruleIn = (name: string): Rule[] => {
    const rule = known.get(name) ?? parseRule(grantIn(folder, name, project)?.rule ?? "");
    if (rule) known.set(name, rule);
    return rule ? [rule] : [];
  };
  return {
    project,
    now: () => namesIn(folder).flatMap(ruleIn),
    mayKeep: (rule) => mask.text(rule) === rule,
    keep: keepGrants(stateDir),
  };
}

/** Into whichever project was shown with the question. */
export const keepGrants =
  (stateDir: string): KeepGrants =>
  ({ rules, project }, by, session) => {
    try {
      for (const rule of rules) addGrant(stateDir, project, { rule, by, session });
      return undefined;
    } catch (error) {
      if (error instanceof HostError) return error.message;
      throw error;
    }
  };

export function addGrant(stateDir: string, project: string, given: Pick<Grant, "rule" | "by" | "session">): Grant {
  const problem = giveProblem(given.rule);
  if (problem !== undefined) throw new HostError(problem);
  const grant: Grant = { ...given, project, since: new Date().toISOString() };
  const path = join(folderOf(stateDir, project), nameOf(grant.rule));
  writePrivate(path, `${JSON.stringify(grant, undefined, 2)}\n`);
  return grant;
}

/** Whether it was there. */
export function removeGrant(stateDir: string, project: string, rule: string): boolean {
  const folder = folderOf(stateDir, project);
  const there = namesIn(folder).includes(nameOf(rule));
  rmSync(join(folder, nameOf(rule)), { force: true });
  return there;
}

/** Oldest first. What is damaged counts for nothing, and is named. */
export function listGrants(
  stateDir: string,
  project: string,
): { readonly grants: readonly Grant[]; readonly damaged: readonly string[] } {
  return listFolder(folderOf(stateDir, project), project);
}

export function listAllGrants(stateDir: string): ReturnType<typeof listGrants> {
  const folders = readNames(grantsFolder(stateDir)).map((name) => listFolder(join(grantsFolder(stateDir), name)));
  return {
    grants: folders.flatMap(({ grants }) => grants),
    damaged: folders.flatMap(({ damaged }) => damaged),
  };
}

function listFolder(folder: string, project?: string): ReturnType<typeof listGrants> {
  const found = namesIn(folder).map((name) => ({ name, grant: grantIn(folder, name, project) }));
  return {
    grants: found.flatMap(({ grant }) => grant ?? []).sort((a, b) => (age(a) < age(b) ? -1 : 1)),
    damaged: found.flatMap(({ name, grant }) => (grant ? [] : [join(folder, name)])),
  };
}

const age = ({ since, rule }: Grant): string => `${since} ${rule}`;

/** Only what says the rule that its name stands for, of the project that its folder stands for. */
function grantIn(folder: string, name: string, project?: string): Grant | undefined {
  const file = readJsonFile(join(folder, name), { follow: false });
  const value = file.is === "read" && isObject(file.value) ? file.value : {};
  const { rule, project: of, since, by, session } = value;
  if (typeof rule !== "string" || typeof of !== "string" || typeof since !== "string" || typeof by !== "string")
    return undefined;
  const isOwn = nameOf(rule) === name && folder.endsWith(hash(of)) && (project === undefined || project === of);
  if (!isOwn || keepProblem(rule) !== undefined) return undefined;
  return { rule, project: of, since, by, ...(typeof session === "string" && { session }) };
}

export const grantsFolder = (stateDir: string): string => join(stateDir, "grants");
const folderOf = (stateDir: string, project: string): string => join(grantsFolder(stateDir), hash(project));
const nameOf = (rule: string): string => `${hash(rule)}.json`;
const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
const namesIn = (folder: string): string[] => readNames(folder).filter((name) => /^[0-9a-f]{32}\.json$/.test(name));

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
