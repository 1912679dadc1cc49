// `sous permissions`: what the person has allowed for good, project by project; seen, given and taken back.
import { type Grant, addGrant, listAllGrants, listGrants, removeGrant } from "../../host/grants.ts";
import { projectOf } from "../../host/trust.ts";
import { count } from "../../std/count.ts";
import { nearest } from "../../std/nearest.ts";
import { command } from "./control/shared.ts";
import { confirmed } from "./conversation/confirmed.ts";
import { oneLine, plainJson, plainText } from "./plain-text.ts";
import { mustNameKnownTools } from "../../host/rule-names.ts";
import { onlyAPerson } from "./only-a-person.ts";
import { shownGrant } from "./shown-always.ts";
import { UsageError } from "./usage-error.ts";

const VERBS = ["list", "add", "remove", "clear"] as const;

export const permissions = command({
  name: "permissions",
  flags: {
    all: { help: "with list: of every project" },
    yes: {
      short: "y",
      help: "clear without asking; add also a tool that Sous does not have and a program of yours adds",
    },
    cwd: { takes: "text", value: "DIR", help: "of the project that this folder belongs to" },
  },
  help: `sous permissions [list|add RULE…|remove RULE…|clear] [flags]: what you have allowed for good

  list            what the answer "always" has stored for this project, and what was added
  add RULE…       a tool, or a tool with one use: Bash(npm test), Bash(pytest:*), Edit(src/**); after :* names and files
                  of the project may follow, and no options but those that the list shows
  remove RULE…    asks again from now on, also in runs that are at work
  clear           removes all of this project; asks first, or with --yes does not

They belong to the real path of the project's root, as trust does, and answer only what the mode would ask: what a rule
denies or asks, what an agent's definition or its parent leaves out, read-only and the files that Sous and git obey
stand as they are.`,
  examples: [
    "sous permissions",
    "sous permissions remove 'Bash(npm test)'",
    "sous permissions add 'Bash(pytest:*)'",
    "sous permissions list --all --json",
  ],
  async run({ flags, words, remote: { stateDir }, say }) {
    const [verb = "list", ...rules] = words;
    const { root } = await projectOf(flags.cwd ?? process.cwd(), process.env);
    const told = (lines: readonly string[], value: unknown): number => {
      for (const line of flags.json ? [plainJson(value)] : lines) say(line);
      return 0;
    };
    if (verb === "list") {
      const { grants, damaged } = flags.all ? listAllGrants(stateDir) : listGrants(stateDir, root);
      for (const path of damaged)
        process.stderr.write(`sous: ${plainText(path)} is damaged and counts for nothing: remove it\n`);
      return told(listText(grants, flags.all ? undefined : root), grants);
    }
    if (verb !== "add" && verb !== "remove" && verb !== "clear") throw new UsageError(unknownVerb(verb));
    if (verb !== "clear" && rules.length === 0) throw new UsageError(`sous permissions ${verb} needs a rule`);
    onlyAPerson("change permissions");
    if (verb === "add") {
      if (!flags.yes) mustNameKnownTools(rules);
      const by = `sous permissions (process ${process.pid})`;
      const added = rules.map((rule) => addGrant(stateDir, root, { rule, by }));
      return told(
        added.map(({ rule }) => `${plainText(shownGrant(rule))} is allowed from now on in ${plainText(root)}`),
        added,
      );
    }
    const wanted = verb === "clear" ? listGrants(stateDir, root).grants.map(({ rule }) => rule) : rules;
    if (verb === "clear" && !flags.yes && !(await confirmedClear(wanted, root))) return 1;
    const gone = wanted.map((rule) => ({ rule, removed: removeGrant(stateDir, root, rule) }));
    const lines = gone.map(({ rule, removed }) =>
      removed
        ? `${plainText(rule)} asks again in ${plainText(root)}`
        : `${plainText(rule)} was not allowed for good here`,
    );
    told(lines.length > 0 ? lines : [nothing(root)], { project: root, rules: gone });
    return gone.every(({ removed }) => removed) ? 0 : 1;
  },
});

/** True also where there is nothing to remove. */
async function confirmedClear(rules: readonly string[], root: string): Promise<boolean> {
  if (rules.length === 0) return true;
  const what = `${count(rules.length, "rule")} of ${plainText(root)}`;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError(`sous permissions clear would remove ${what}: say --yes (sous permissions shows them)`);
  return confirmed({
    text: [`${what}:`, ...rules.map((rule) => `  ${plainText(shownGrant(rule))}`)].join("\n"),
    label: "Remove them? y = yes, n = no: ",
  });
}

function listText(grants: readonly Grant[], root: string | undefined): string[] {
  if (grants.length === 0) return [nothing(root)];
  const projects = [...new Set(grants.map(({ project }) => project))];
  return projects.flatMap((project) => [
    `always allowed in ${plainText(project)}:`,
    ...grants.filter((one) => one.project === project).map(grantText),
  ]);
}

const grantText = ({ rule, since, by, session }: Grant): string =>
  `  ${plainText(shownGrant(rule)).padEnd(32)}  since ${plainText(since.slice(0, 16)).replace("T", " ")}, by ${oneLine(by, 80)}${session === undefined ? "" : `, ${oneLine(session, 50)}`}`;

const nothing = (root: string | undefined): string =>
  root === undefined
    ? "nothing is allowed for good in any project"
    : `nothing is allowed for good in ${plainText(root)}`;

function unknownVerb(verb: string): string {
  const close = nearest(verb, VERBS);
  return `sous permissions has no "${verb}"${close ? `; did you mean ${close}?` : ""} (${VERBS.join(", ")})`;
}
