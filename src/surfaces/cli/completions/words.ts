// The words that only a person's own state knows, for completion: sessions, agents, models, what waits in the inbox.
import { shortIds } from "../../../core/short-ids.ts";
import { readConfig } from "../../../host/config.ts";
import { listItems } from "../../../host/inbox/list-items.ts";
import { shippedNames } from "../../../host/model-names.ts";
import { openProject } from "../../../host/project.ts";
import { realFolder } from "../../../host/real-folder.ts";
import { listSessions } from "../../../host/session-store.ts";
import { stateDirOf } from "../../../host/state-dir.ts";
import { oneLine } from "../plain-text.ts";

export const KINDS = ["sessions", "agents", "models", "items"] as const;
export type Kind = (typeof KINDS)[number];
type Word = readonly [word: string, about: string];

/** A word and what it is about, divided by a tab. `typed`: what stands there already. */
export async function completionWords(kind: Kind, typed: string): Promise<string[]> {
  const words = await FIND[kind](typed);
  // Shells read them: a name that one could obey is left out.
  return words.filter(([word]) => PLAIN.test(word)).map(([word, about]) => `${word}\t${oneLine(about, 60)}`);
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$/;

const FIND: Readonly<Record<Kind, (typed: string) => Promise<Word[]>>> = {
  async sessions(typed) {
    const rows = await listSessions(stateDirOf(process.env));
    const short = shortIds(rows.map(({ id }) => id));
    const shown = (id: (typeof rows)[number]["id"]): string => (typed.startsWith("a") ? id : short(id));
    const about = (row: (typeof rows)[number]): string => `${row.status}: ${row.title}`;
    return [["last", "the newest"], ...rows.map((row): Word => [shown(row.id), about(row)])];
  },
  async agents() {
    const { openAgents } = await import("../../../host/agents.ts");
    const cwd = process.cwd();
    const { trusted, settings, heldBack } = await folder();
    const registry = await openAgents({ cwd, env: process.env, trusted, heldBack, profiles: settings.profiles });
    return (await registry.snapshot()).definitions.map(({ name, description }) => [name, description]);
  },
  async models() {
    const { settings } = await folder();
    const own = Object.entries(settings.aliases ?? {});
    return [...own, ...shippedNames()];
  },
  async items() {
    const rows = await listItems(stateDirOf(process.env), false);
    const about = (row: (typeof rows)[number]): string =>
      row.approval ? `${row.approval.tool}: ${row.text}` : row.text;
    return rows.map((row): Word => [row.id, about(row)]);
  },
};

async function folder() {
  const { env } = process;
  const config = readConfig(env, undefined);
  return openProject(await realFolder(process.cwd()), { env, stateDir: stateDirOf(env), config, trust: false });
}
